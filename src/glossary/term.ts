/**
 * A term of the field as its card tells it: two sentences, a picture, the document
 * that defines it, and where the open file has one. Data only; views draw it.
 */
import type { ObjectModel } from '#model/object-model.ts';
import type { Selection } from '#model/selection.ts';
import type { Picture } from './picture.ts';
import type { TermId } from './term-names.ts';

export type Source = {
  /** `BTF Type Format`. */
  readonly document: string;
  /** As the document heads it: `2.2 Type Encoding`. */
  readonly section: string;
  readonly address: string;
};

/** Something in a file, and the view that shows it best. */
export type Place = {
  readonly selection: Selection;
  readonly view: 'overview' | 'types' | 'bytes' | 'code' | 'data' | 'relocations' | 'core';
};

/** The first such thing in the file; null where it has none. */
export type Find = (model: ObjectModel) => Place | null;

export type TermCard = {
  readonly id: TermId;
  /** What it is, and what it does or what to mind. One sentence each. */
  readonly says: readonly [string, string];
  readonly picture: Picture;
  readonly source: Source;
  readonly related: readonly TermId[];
  /** null for what no file holds as such. */
  readonly find: Find | null;
};

export type TermGroup = {
  readonly title: string;
  readonly cards: readonly TermCard[];
};

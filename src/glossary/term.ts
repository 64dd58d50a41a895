/** A glossary card as data. Views draw it. */
import type { ObjectModel } from '#model/object-model.ts';
import type { Selection } from '#model/selection.ts';
import type { Picture } from './picture.ts';
import type { TermId } from './term-names.ts';

/** The section of a document that defines a term. */
export type Source = {
  /** `BTF Type Format`. */
  readonly document: string;
  /** The heading, `2.2 Type Encoding`. */
  readonly section: string;
  readonly address: string;
};

/** A selection and the view that shows it best. */
export type Place = {
  readonly selection: Selection;
  readonly view: 'overview' | 'types' | 'bytes' | 'code' | 'data' | 'relocations' | 'core';
};

/** Returns the first example of a term in a file; null if the file has none. */
export type Find = (model: ObjectModel) => Place | null;

export type TermCard = {
  readonly id: TermId;
  /** The definition, then the effect or a caveat. */
  readonly sentences: readonly [string, string];
  readonly picture: Picture;
  readonly source: Source;
  readonly related: readonly TermId[];
  /** null for a term that no file contains. */
  readonly find: Find | null;
};

export type TermGroup = {
  readonly title: string;
  readonly cards: readonly TermCard[];
};

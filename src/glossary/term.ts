/** Types of a glossary card: its sentences, source, picture and example. */
import type { ObjectModel } from '#model/object-model.ts';
import type { Selection } from '#model/selection.ts';
import type { TermId } from './term-names.ts';

/** The section of a document that defines a term. */
type Source = {
  /** Title of the document: `BTF Type Format`. */
  readonly document: string;
  /** Heading of the section: `2.2 Type Encoding`. */
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
  /** Two sentences: the definition, and an effect or a caveat. */
  readonly sentences: readonly [string, string];
  readonly picture: Picture;
  readonly source: Source;
  readonly related: readonly TermId[];
  /** Finds an example of the term in a file; null for a term that no file contains. */
  readonly find: Find | null;
};

export type TermGroup = {
  readonly title: string;
  readonly cards: readonly TermCard[];
};

/** One field, member or gap in the picture of a card. */

export type Part = {
  /** Name of the part; empty for padding and unused bits. */
  readonly name: string;
  /** Offset in bytes from the first byte, or in bits from the lowest bit of the word. */
  readonly start: number;
  readonly length: number;
};

export type Picture =
  /** The bits of a number. The part with the highest bits is first. */
  | {
      readonly kind: 'word';
      readonly bits: number;
      readonly parts: readonly Part[];
      /** Name of the highlighted part. */
      readonly lit: string;
    }
  /** The fields of a struct without gaps. Offsets and lengths are in bytes. */
  | {
      readonly kind: 'record';
      readonly title: string;
      readonly size: number;
      readonly parts: readonly Part[];
      readonly lit: string;
    }
  /** At most five boxes joined by arrows. `lit` is the index of the highlighted box. */
  | { readonly kind: 'flow'; readonly boxes: readonly string[]; readonly lit: number }
  /** Bytes of a file. Those from `start` to `end` (exclusive) are highlighted. */
  | {
      readonly kind: 'bytes';
      readonly bytes: readonly number[];
      readonly start: number;
      readonly end: number;
      /** Meaning of the highlighted bytes. */
      readonly caption: string;
    }
  /** Members drawn to scale, with padding. `lit` names the highlighted member; empty for none. */
  | {
      readonly kind: 'layout';
      readonly title: string;
      readonly unit: 'bit' | 'byte';
      readonly size: number;
      readonly parts: readonly Part[];
      readonly lit: string;
    };

/**
 * Reads a fenced block of a card: `KIND LABEL`, then lines. Asterisks mark the highlighted part:
 *
 *   word                    _:5 X:1 *A:1* W:1             names with lengths; `_` has no name
 *   record struct btf_enum  name_off:4 *val:4*
 *   layout byte struct foo  a:1 _:3 b:4                   the unit, then the title
 *   flow                    clang → *.BTF* → libbpf
 *   bytes                   *9f eb* 01 00                 the caption is the second line
 *
 * Throws `Error` for an unknown kind.
 */
export function readPicture(kind: string, label: string, text: string): Picture {
  switch (kind) {
    case 'word': {
      const { size, parts, lit } = readParts(text);
      const fromLowest = parts.map((part) => ({ ...part, start: size - part.start - part.length }));
      return { kind, bits: size, parts: fromLowest, lit };
    }
    case 'record':
      return { kind, title: label, ...readParts(text) };
    case 'layout': {
      const unit = label.startsWith('bit ') ? 'bit' : 'byte';
      return { kind, unit, title: label.slice(unit.length + 1), ...readParts(text) };
    }
    case 'flow': {
      const boxes = text.split(' → ');
      const lit = boxes.findIndex((box) => box.startsWith('*'));
      return { kind, boxes: boxes.map((box) => box.replaceAll('*', '')), lit };
    }
    case 'bytes': {
      const [row = '', caption = ''] = text.split('\n');
      const digits = row.split(' ');
      return {
        kind,
        bytes: digits.map((byte) => Number.parseInt(byte.replaceAll('*', ''), 16)),
        start: digits.findIndex((byte) => byte.startsWith('*')),
        end: digits.findIndex((byte) => byte.endsWith('*')) + 1,
        caption,
      };
    }
    default:
      throw new Error(`A picture is a word, record, layout, flow or bytes, not ${kind}`);
  }
}

function readParts(text: string) {
  let size = 0;
  let lit = '';
  const parts = text.split(' ').map((part): Part => {
    const [, star, name = '', digits] = /^(\*?)(.+):(\d+)\*?$/.exec(part) ?? [];
    const start = size;
    const length = Number(digits);
    size += length;
    if (star === '*') lit = name;
    return { name: name === '_' ? '' : name, start, length };
  });
  return { size, parts, lit };
}

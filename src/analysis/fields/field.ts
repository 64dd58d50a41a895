/**
 * What a byte belongs to: the fields of the structure tree, from the file down to a group of bits.
 *
 * A field knows its parts by a list that makes them when they are asked for, so
 * that a kernel's 130,000 types cost nothing until one of them is looked at. The
 * parts of a field lie inside it and apart from each other, and leave no byte out.
 */
import type { Span } from '#bytes/span.ts';
import type { Selection } from '#model/selection.ts';

/** `entry`: a row of a table. `part`: what a format puts together without a name in C. */
export type StructureKind =
  | 'file'
  | 'section'
  | 'header'
  | 'part'
  | 'entry'
  | 'type'
  | 'item'
  | 'field'
  | 'bits'
  | 'string'
  | 'function'
  | 'insn'
  | 'variable'
  | 'content'
  | 'padding'
  | 'undescribed';

/** Bits of a number: `start` counts from the least significant one. */
export type BitRange = { readonly start: number; readonly length: number };

export type StructureField = {
  readonly kind: StructureKind;
  /** What a person calls it: `[2] STRUCT foo`. Raw text, like all texts here: escape it when drawn. */
  readonly label: string;
  /** As the C headers spell it: `name_off`; empty where they have no name for it. */
  readonly name: string;
  /** `__u32`, `Elf64_Sym`; empty where it has no type in C. */
  readonly cType: string;
  /** File bytes; of bits those that they touch. */
  readonly span: Span;
  /** Only of bits: which of the number that the parent is. */
  readonly bits: BitRange | null;
  /** The bytes as a number, decimal or hex; null where it is none or the bytes are not at hand. */
  readonly value: string | null;
  /** What that means here; empty where the value says it all. */
  readonly meaning: string;
  /** Document and section that say so; empty where none does. */
  readonly source: string;
  /** What the app selects when this is selected; null = its bytes. */
  readonly selection: Selection | null;
  /** Makes its parts; null where it has none. */
  readonly parts: (() => FieldList) | null;
};

/** The parts of a field by their place. */
export type FieldList = {
  /** How many can be listed; 0 also where they are too many to be counted (see `childAt`). */
  readonly count: number;
  /** The part with this number; null outside. */
  at(index: number): StructureField | null;
  /** Number of the part that holds the byte; -1 where none does or the parts cannot be listed. */
  indexAt(fileOffset: number): number;
  /** The part that holds the byte, also where the parts cannot be listed. */
  childAt(fileOffset: number): StructureField | null;
};

/** File bytes `start` to `end`, or null while they are not at hand. May give fewer at the end of the file. */
export type ReadBytes = (start: number, end: number) => Uint8Array | null;

export const NO_PARTS: FieldList = {
  count: 0,
  at: () => null,
  indexAt: () => -1,
  childAt: () => null,
};

/** A field with nothing but what is told. */
export function makeField(
  kind: StructureKind,
  label: string,
  span: Span,
  more: Partial<Omit<StructureField, 'kind' | 'label' | 'span'>> = {},
): StructureField {
  return {
    kind,
    label,
    span,
    name: '',
    cType: '',
    bits: null,
    value: null,
    meaning: '',
    source: '',
    selection: null,
    parts: null,
    ...more,
  };
}

/**
 * Parts without a gap between them: part `i` begins at `startOf(i)` (file offset,
 * ascending) and ends where the next one begins; `startOf(count)` is the end.
 */
export function sequence(
  count: number,
  startOf: (index: number) => number,
  make: (index: number) => StructureField,
): FieldList {
  const indexAt = (fileOffset: number) => {
    if (count === 0 || fileOffset < startOf(0) || fileOffset >= startOf(count)) return -1;
    let low = 0;
    let high = count;
    while (high - low > 1) {
      const middle = (low + high) >>> 1;
      if (startOf(middle) <= fileOffset) low = middle;
      else high = middle;
    }
    return low;
  };
  const at = (index: number) =>
    Number.isInteger(index) && index >= 0 && index < count ? make(index) : null;
  return { count, at, indexAt, childAt: (fileOffset) => at(indexAt(fileOffset)) };
}

/** A part that is not made yet. */
export type Piece = Span & { readonly make: (span: Span) => StructureField };

/**
 * Pieces in order of their places, with what lies between them, and before and
 * behind them in `whole`, filled by `filler`. A piece that begins inside one that
 * stands before it, or outside of `whole`, is left out.
 */
export function pieces(
  whole: Span,
  given: readonly Piece[],
  filler: (span: Span) => StructureField,
): FieldList {
  const all: Piece[] = [];
  let at = whole.start;
  for (const piece of given) {
    if (piece.start < at || piece.end > whole.end || piece.start >= piece.end) continue;
    if (piece.start > at) all.push({ start: at, end: piece.start, make: filler });
    all.push(piece);
    at = piece.end;
  }
  if (at < whole.end) all.push({ start: at, end: whole.end, make: filler });
  return sequence(
    all.length,
    (i) => all[i]?.start ?? whole.end,
    (i) => makePiece(all, i, filler),
  );
}

function makePiece(
  all: readonly Piece[],
  index: number,
  filler: (span: Span) => StructureField,
): StructureField {
  const piece = all[index] ?? { start: 0, end: 0, make: filler };
  return piece.make({ start: piece.start, end: piece.end });
}

/** Bytes that no part of their field claims. */
export function paddingField(
  span: Span,
  meaning = 'Padding before the next field',
): StructureField {
  return makeField('padding', 'padding', span, { meaning });
}

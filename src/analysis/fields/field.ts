/** Fields of a file's structure tree. A field creates its parts on access. */
import type { Span } from '#bytes/span.ts';
import type { Selection } from '#model/selection.ts';

/** Kind of a field. `entry`: row of a table. `part`: part of a format that has no C name. */
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

/** Range of bits in a number. `start` is 0 for the lowest bit of the number. */
export type BitRange = { readonly start: number; readonly length: number };

export type StructureField = {
  readonly kind: StructureKind;
  /** Label: `[2] STRUCT foo`. No text of a field is escaped. */
  readonly label: string;
  /** Name in C, `name_off`; empty if the field has none. */
  readonly name: string;
  /** Type in C, `__u32` or `Elf64_Sym`; empty if the field has none. */
  readonly cType: string;
  /** Bytes of the field in the file; for a bit group the bytes that contain its bits. */
  readonly span: Span;
  /** Bits in the parent's number; null unless the field is a bit group. */
  readonly bits: BitRange | null;
  /** Value in decimal or hex; null if the field is no number or its bytes are not loaded. */
  readonly value: string | null;
  /** Meaning of the value; empty if there is no explanation. */
  readonly meaning: string;
  /** Document and section that define the field; empty if no document does. */
  readonly source: string;
  /** What the app selects for the field; null = the field's bytes. */
  readonly selection: Selection | null;
  /** Creates the parts of the field; null if the field has no parts. */
  readonly parts: (() => FieldList) | null;
};

/** Parts of a field, sorted by file offset. */
export type FieldList = {
  /** Number of parts to list; 0 if the parts are too many to list (see `childAt`). */
  readonly count: number;
  /** Returns part `index`; null if the part does not exist. */
  at(index: number): StructureField | null;
  /** Returns the index of the listed part that contains the byte at `fileOffset`, or -1. */
  indexAt(fileOffset: number): number;
  /** Returns the part that contains the byte at `fileOffset`, even if the part is not listed. */
  childAt(fileOffset: number): StructureField | null;
};

/** Returns file bytes `start` to `end`; fewer if the file ends before `end`; null if not loaded. */
export type ReadBytes = (start: number, end: number) => Uint8Array | null;

export const NO_PARTS: FieldList = {
  count: 0,
  at: () => null,
  indexAt: () => -1,
  childAt: () => null,
};

/** Returns a field; properties that `more` omits are empty or null. */
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

/** Returns parts without gaps: part `i` reaches from offset `startOf(i)` to `startOf(i + 1)`. */
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

/** Bytes of a part, and the function that creates the part. */
export type Piece = Span & { readonly make: (span: Span) => StructureField };

/** Returns the valid parts of `known` in file order; `filler` creates parts for gaps in `whole`. */
export function pieces(
  whole: Span,
  known: readonly Piece[],
  filler: (span: Span) => StructureField,
): FieldList {
  const all: Piece[] = [];
  let at = whole.start;
  for (const piece of known) {
    if (piece.start < at || piece.end > whole.end || piece.start >= piece.end) continue;
    if (piece.start > at) all.push({ start: at, end: piece.start, make: filler });
    all.push(piece);
    at = piece.end;
  }
  if (at < whole.end) all.push({ start: at, end: whole.end, make: filler });
  const startOf = (i: number) => all[i]?.start ?? whole.end;
  return sequence(all.length, startOf, (i) => {
    const { start, end, make } = all[i] ?? { start: 0, end: 0, make: filler };
    return make({ start, end });
  });
}

/** Returns a field for bytes that no other part of the parent contains. */
export function paddingField(
  span: Span,
  meaning = 'Padding before the next field',
): StructureField {
  return makeField('padding', 'padding', span, { meaning });
}

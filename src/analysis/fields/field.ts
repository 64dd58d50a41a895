/** Fields of the structure tree; their parts are created on access, and cover every byte once. */
import type { Span } from '#bytes/span.ts';
import type { Selection } from '#model/selection.ts';

/** `entry`: a row of a table. `part`: a part of a format without a C name. */
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
  /** Label: `[2] STRUCT foo`. Raw text, like all texts here: escape before rendering. */
  readonly label: string;
  /** C name: `name_off`; empty without a C name. */
  readonly name: string;
  /** `__u32`, `Elf64_Sym`; empty without a C type. */
  readonly cType: string;
  /** File bytes; for bits the bytes that contain them. */
  readonly span: Span;
  /** Only for bits: the range in the number of the parent. */
  readonly bits: BitRange | null;
  /** The bytes as a decimal or hex number; null for other fields, and while not loaded. */
  readonly value: string | null;
  /** Meaning of the value; empty if the value needs no explanation. */
  readonly meaning: string;
  /** Document and section that define the field; empty if there is none. */
  readonly source: string;
  /** Selection in the app for this field; null = the field's bytes. */
  readonly selection: Selection | null;
  /** Creates the parts; null for a field without parts. */
  readonly parts: (() => FieldList) | null;
};

/** The parts of a field, by file offset. */
export type FieldList = {
  /** Number of parts that can be listed; 0 if there are too many (see `childAt`). */
  readonly count: number;
  /** Returns part `index`; null if out of range. */
  at(index: number): StructureField | null;
  /** Returns the index of the listed part that contains the byte, or -1. */
  indexAt(fileOffset: number): number;
  /** Returns the part that contains the byte, even if the parts cannot be listed. */
  childAt(fileOffset: number): StructureField | null;
};

/** Returns file bytes `start` to `end`, fewer at the end of the file; null while not loaded. */
export type ReadBytes = (start: number, end: number) => Uint8Array | null;

export const NO_PARTS: FieldList = {
  count: 0,
  at: () => null,
  indexAt: () => -1,
  childAt: () => null,
};

/** Returns a field with the given properties and empty defaults. */
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

/** Returns adjacent parts: part `i` is from file offset `startOf(i)` to `startOf(i + 1)`. */
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

/** A part that is created on access. */
export type Piece = Span & { readonly make: (span: Span) => StructureField };

/** Returns the valid pieces by offset, with fields of `filler` in the gaps of `whole`. */
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

/** Returns a field for bytes that no other part of their parent covers. */
export function paddingField(
  span: Span,
  meaning = 'Padding before the next field',
): StructureField {
  return makeField('padding', 'padding', span, { meaning });
}

/** Creates the fields of a C struct from its bytes, and the bit groups of a field. */
import { type Endian, type Span, spanOf } from '#bytes/span.ts';
import type { Selection } from '#model/selection.ts';
import {
  type BitRange,
  type FieldList,
  makeField,
  paddingField,
  pieces,
  type ReadBytes,
  type StructureField,
} from './field.ts';

export type Notation = 'decimal' | 'signed' | 'hex';

export type FieldSpec = {
  readonly name: string;
  readonly cType: string;
  /** Bytes from the start of the struct to the field. */
  readonly offset: number;
  /** Size in bytes; a field of up to 8 bytes is a number. */
  readonly size: number;
  readonly notation?: Notation;
  /** Label of the field; its name if omitted. */
  readonly label?: string;
  readonly meaning?: (value: bigint) => string;
  /** Returns the bit groups that the number consists of, lowest first. */
  readonly bits?: (value: bigint) => readonly BitSpec[];
  readonly selection?: (value: bigint) => Selection | null;
};

/** Returns the specification of a 4-byte field, the most frequent size in BTF. */
export function u32(name: string, offset: number, more: Partial<FieldSpec> = {}): FieldSpec {
  return { name, cType: '__u32', offset, size: 4, ...more };
}

export type BitSpec = {
  readonly name: string;
  readonly length: number;
  readonly notation?: Notation;
  readonly meaning?: string;
};

/** Bytes, byte order and source of a struct. */
export type StructPlace = {
  readonly span: Span;
  readonly endian: Endian;
  readonly read: ReadBytes;
  readonly source: string;
};

/** Returns the fields of a struct in file order; bytes without a field are padding. */
export function structFields(place: StructPlace, fields: readonly FieldSpec[]): FieldList {
  return pieces(
    place.span,
    fields.map((field) => ({
      ...spanOf(place.span.start + field.offset, field.size),
      make: () => fieldField(place, field),
    })),
    (span) => paddingField(span, 'Bytes outside the fields of the struct'),
  );
}

function fieldField(place: StructPlace, field: FieldSpec): StructureField {
  const span = spanOf(place.span.start + field.offset, field.size);
  const value = readNumber(place.read, span, place.endian);
  const { name, cType, notation = 'decimal' } = field;
  const bits = value === null ? undefined : field.bits?.(value);
  return makeField('field', field.label ?? name, span, {
    name,
    cType,
    value: value === null ? null : numberText(value, notation, field.size * 8),
    meaning: value === null ? '' : (field.meaning?.(value) ?? ''),
    source: place.source,
    selection: value === null ? null : (field.selection?.(value) ?? null),
    parts:
      value === null || bits === undefined || bits.length < 2
        ? null
        : () => bitFields({ ...place, span }, value, bits),
  });
}

/** Returns the bit groups of a number with up to 64 bits, lowest first. */
function bitFields(place: StructPlace, value: bigint, specs: readonly BitSpec[]): FieldList {
  const made: StructureField[] = [];
  let start = 0;
  for (const { name, length, notation = 'decimal', meaning = '' } of specs) {
    const bits = { start, length };
    const group = BigInt.asUintN(length, value >> BigInt(start));
    made.push(
      makeField('bits', name === '' ? 'unused' : name, touchedBytes(place, bits), {
        name,
        bits,
        value: numberText(group, notation, length),
        meaning,
        source: place.source,
      }),
    );
    start += length;
  }
  const indexAt = (fileOffset: number) => {
    const { start: low, length } = bitsOfByte(place, fileOffset);
    return made.findIndex(
      ({ bits }) => bits !== null && bits.start <= low && low + length <= bits.start + bits.length,
    );
  };
  const at = (index: number) => made[index] ?? null;
  return { count: made.length, at, indexAt, childAt: (offset) => at(indexAt(offset)) };
}

/** Returns the bits of the number at `place` that are in the byte at `fileOffset`. */
function bitsOfByte({ span, endian }: StructPlace, fileOffset: number): BitRange {
  const byte = endian === 'little' ? fileOffset - span.start : span.end - 1 - fileOffset;
  return { start: 8 * byte, length: 8 };
}

/** Returns the file bytes that contain at least one of the bits. */
function touchedBytes({ span, endian }: StructPlace, { start, length }: BitRange): Span {
  const first = Math.floor(start / 8);
  const end = Math.ceil((start + length) / 8);
  return endian === 'little'
    ? { start: span.start + first, end: span.start + end }
    : { start: span.end - end, end: span.end - first };
}

/** Returns the bytes of `span` as an unsigned number; null if not loaded or more than 8 bytes. */
export function readNumber(read: ReadBytes, span: Span, endian: Endian): bigint | null {
  const size = span.end - span.start;
  if (size < 1 || size > 8) return null;
  const bytes = read(span.start, span.end);
  if (bytes === null || bytes.length < size) return null;
  let value = 0n;
  for (let i = 0; i < size; i++) {
    const byte = bytes[endian === 'little' ? size - 1 - i : i] ?? 0;
    value = (value << 8n) | BigInt(byte);
  }
  return value;
}

/** Returns the text of a number that has `bits` bits. */
export function numberText(value: bigint, notation: Notation, bits: number): string {
  if (notation === 'hex') return `0x${value.toString(16)}`;
  return `${notation === 'signed' ? BigInt.asIntN(bits, value) : value}`;
}

/**
 * Bytes of a variable by its BTF type: members, elements, bit-fields, numbers.
 *
 * The members of a union share their bytes, so that a union is one field. Other
 * rows that overlap, which no compiler writes, are left out.
 */

import {
  type FieldList,
  makeField,
  paddingField,
  pieces,
  type StructureField,
  sequence,
} from '#analysis/fields/field.ts';
import { numberText, readNumber } from '#analysis/fields/struct-fields.ts';
import { sizeOf } from '#analysis/types/sizes.ts';
import { stripped } from '#analysis/types/strip.ts';
import { structLayout } from '#analysis/types/struct-layout.ts';
import { typeExpression } from '#analysis/types/type-name.ts';
import type { Span } from '#bytes/span.ts';
import { decodeText } from '#bytes/text.ts';
import { BtfKind } from '#formats/btf/kinds.ts';
import type { TypeId } from '#model/ids.ts';
import { enumeratorsOf } from '#model/type-items.ts';
import { arrayData, kindOf, type TypeTable } from '#model/type-table.ts';
import { bitFieldPieces, isSigned, type TypedPlace } from './typed-bits.ts';

const MAX_DEPTH = 24;

/** What the bytes are worth as a number, and what that means, where the type is a scalar. */
export function typedValue(
  place: TypedPlace,
  id: TypeId,
): Pick<StructureField, 'value' | 'meaning'> {
  const { types, span, endian, read } = place;
  const type = stripped(types, id);
  const kind = kindOf(types, type);
  const number = isScalar(kind) ? readNumber(read, span, endian) : null;
  if (number === null) return { value: null, meaning: aboutBytes(place, type, kind) };
  const bits = 8 * (span.end - span.start);
  const signed = isSigned(types, type, kind);
  return {
    value: numberText(number, kind === BtfKind.PTR ? 'hex' : signed ? 'signed' : 'decimal', bits),
    meaning: enumeratorName(types, type, kind, signed ? BigInt.asIntN(bits, number) : number),
  };
}

function isScalar(kind: number): boolean {
  return (
    kind === BtfKind.INT || kind === BtfKind.PTR || kind === BtfKind.ENUM || kind === BtfKind.ENUM64
  );
}

function enumeratorName(types: TypeTable, type: TypeId, kind: number, value: bigint): string {
  if (kind !== BtfKind.ENUM && kind !== BtfKind.ENUM64) return '';
  return enumeratorsOf(types, type).find((each) => each.value === value)?.name ?? '';
}

/** Text in an array of characters; what is to be said of a union. */
function aboutBytes({ types, span, read }: TypedPlace, type: TypeId, kind: number): string {
  if (kind === BtfKind.UNION) return 'The members share these bytes';
  if (kind !== BtfKind.ARRAY || !isByte(types, arrayData(types, type).elemType)) return '';
  const bytes = read(span.start, Math.min(span.end, span.start + 121));
  const nul = bytes?.indexOf(0) ?? -1;
  if (bytes === null || nul <= 0) return '';
  const text = decodeText(bytes.subarray(0, nul));
  return /^[\x20-\x7e]+$/.test(text) ? `"${text}"` : '';
}

function isByte(types: TypeTable, id: TypeId): boolean {
  const type = stripped(types, id);
  return kindOf(types, type) === BtfKind.INT && sizeOf(types, type) === 1n;
}

/** The members of a struct, the elements of an array; null for all else. */
export function typedParts(place: TypedPlace, id: TypeId): (() => FieldList) | null {
  if (place.depth >= MAX_DEPTH) return null;
  const type = stripped(place.types, id);
  switch (kindOf(place.types, type)) {
    case BtfKind.STRUCT:
      return () => members(place, type);
    case BtfKind.ARRAY:
      return elements(place, type);
    default:
      return null;
  }
}

function members(place: TypedPlace, type: TypeId): FieldList {
  const { types, span } = place;
  const { rows } = structLayout(types, type);
  const fields = bitFieldPieces(place, rows);
  return pieces(
    span,
    fields.map(({ start, end, row, bits }) => ({
      start,
      end,
      make: (at) => bits ?? valueField(place, row.name || '(anonymous)', row.type, at),
    })),
    (at) => paddingField(at, 'No member has these bytes'),
  );
}

function elements(place: TypedPlace, type: TypeId): (() => FieldList) | null {
  const { types, span } = place;
  const { elemType, nelems } = arrayData(types, type);
  const size = Number(sizeOf(types, elemType) ?? 0n);
  const length = span.end - span.start;
  if (size === 0 || size > length) return null;
  const count = Math.min(nelems, Math.floor(length / size));
  const end = span.start + count * size;
  return () =>
    sequence(
      end < span.end ? count + 1 : count,
      (i) => (i > count ? span.end : span.start + i * size),
      (i) =>
        i < count
          ? valueField(place, `[${i}]`, elemType, {
              start: span.start + i * size,
              end: span.start + (i + 1) * size,
            })
          : paddingField({ start: end, end: span.end }, 'Behind the last element'),
    );
}

function valueField(place: TypedPlace, label: string, type: TypeId, span: Span): StructureField {
  const own = { ...place, span, depth: place.depth + 1 };
  return makeField('field', label, span, {
    name: label,
    cType: typeExpression(place.types, type),
    ...typedValue(own, type),
    parts: typedParts(own, type),
  });
}

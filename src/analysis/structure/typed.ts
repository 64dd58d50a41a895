/**
 * Shows a variable's bytes as fields by BTF type: members, elements, bit-fields, numbers. A union
 * is one field, since its members share bytes. Compilers write no other overlaps: they are omitted.
 */
import {
  type FieldList,
  makeField,
  paddingField,
  pieces,
  type ReadBytes,
  type StructureField,
} from '#analysis/fields/field.ts';
import {
  type BitSpec,
  numberText,
  readNumber,
  structFields,
} from '#analysis/fields/struct-fields.ts';
import { table } from '#analysis/fields/table.ts';
import { sizeOf } from '#analysis/types/sizes.ts';
import { type LayoutRow, structLayout } from '#analysis/types/struct-layout.ts';
import { typeExpression } from '#analysis/types/type-name.ts';
import type { Endian, Span } from '#bytes/span.ts';
import { decodeText } from '#bytes/text.ts';
import { BtfKind, IntEncoding } from '#formats/btf/kinds.ts';
import type { TypeId } from '#model/ids.ts';
import { enumeratorsOf, isEnum } from '#model/type-items.ts';
import {
  arrayData,
  intData,
  kindFlagOf,
  kindOf,
  skipModifiers,
  type TypeTable,
} from '#model/type-table.ts';

/** Limits nested types in a variable, since a hostile struct can contain itself. */
const MAX_DEPTH = 24;

type TypedPlace = {
  readonly types: TypeTable;
  readonly span: Span;
  readonly endian: Endian;
  readonly read: ReadBytes;
  /** Number of enclosing types in the variable. */
  readonly depth: number;
};

/** Returns value, meaning and parts of the bytes at `place`, read as type `id`. */
export function typedFacts(place: TypedPlace, id: TypeId): Partial<StructureField> {
  return {
    cType: typeExpression(place.types, id),
    ...typedValue(place, id),
    parts: typedParts(place, id),
  };
}

/** Returns the bytes as a number with its meaning, for scalar types. */
function typedValue(place: TypedPlace, id: TypeId): Pick<StructureField, 'value' | 'meaning'> {
  const { types, span, endian, read } = place;
  const type = skipModifiers(types, id);
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
  return kind === BtfKind.INT || kind === BtfKind.PTR || isEnum(kind);
}

function enumeratorName(types: TypeTable, type: TypeId, kind: number, value: bigint): string {
  if (!isEnum(kind)) return '';
  return enumeratorsOf(types, type).find((each) => each.value === value)?.name ?? '';
}

/** Returns the string in a character array, or a note about a union. */
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
  const type = skipModifiers(types, id);
  return kindOf(types, type) === BtfKind.INT && sizeOf(types, type) === 1n;
}

/** Returns the members of a struct or the elements of an array, or null for other types. */
function typedParts(place: TypedPlace, id: TypeId): (() => FieldList) | null {
  if (place.depth >= MAX_DEPTH) return null;
  const type = skipModifiers(place.types, id);
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
  return pieces(
    span,
    memberPieces(place, rows).map(({ start, end, row, bits }) => ({
      start,
      end,
      make: (at) => bits ?? valueField(place, row.name || '(anonymous)', row.type, at),
    })),
    (at) => paddingField(at, 'No member at these bytes'),
  );
}

function elements(place: TypedPlace, type: TypeId): (() => FieldList) | null {
  const { types, span } = place;
  const { elemType, nelems } = arrayData(types, type);
  const size = Number(sizeOf(types, elemType) ?? 0n);
  const length = span.end - span.start;
  if (size === 0 || size > length) return null;
  return () =>
    table(
      span,
      size,
      Math.min(nelems, Math.floor(length / size)),
      (i, at) => valueField(place, `[${i}]`, elemType, at),
      (at) => paddingField(at, 'After the last element'),
    );
}

function valueField(place: TypedPlace, label: string, type: TypeId, span: Span): StructureField {
  const facts = typedFacts({ ...place, span, depth: place.depth + 1 }, type);
  return makeField('field', label, span, { name: label, ...facts });
}

function isSigned(types: TypeTable, type: TypeId, kind: number): boolean {
  if (kind === BtfKind.INT) return (intData(types, type).encoding & IntEncoding.SIGNED) !== 0;
  return isEnum(kind) && kindFlagOf(types, type);
}

type MemberPiece = Span & {
  /** The member. Bit-fields that share bytes are represented by the first one. */
  readonly row: LayoutRow;
  /** The number whose bits are the bit-fields; null if the member is not a bit-field. */
  readonly bits: StructureField | null;
};

/** Returns the members in order. Bit-fields that share bytes become one piece, with their holes. */
function memberPieces(place: TypedPlace, rows: readonly LayoutRow[]): MemberPiece[] {
  const members: MemberPiece[] = [];
  let group: LayoutRow[] = [];
  const close = () => {
    const [first] = group;
    if (first !== undefined) members.push(groupPiece(place, first, group));
    group = [];
  };
  for (const row of rows) {
    if (row.overlaps || row.pastEnd || row.bitSize === 0) continue;
    const isWhole = row.bitOffset % 8 === 0 && row.bitSize % 8 === 0 && !row.isBitfield;
    if (row.bitOffset % 8 === 0) close();
    if (!isWhole) group.push(row.kind === 'member' ? row : upToByte(row));
    else if (row.kind === 'member') members.push({ ...bytesOf(place, row, row), row, bits: null });
  }
  close();
  return members;
}

/** Cuts a hole at the next byte boundary. The whole bytes after the boundary are padding. */
function upToByte(hole: LayoutRow): LayoutRow {
  return { ...hole, bitSize: Math.min(hole.bitSize, 8 - (hole.bitOffset % 8)) };
}

function bytesOf({ span }: TypedPlace, first: LayoutRow, last: LayoutRow): Span {
  return {
    start: span.start + Math.floor(first.bitOffset / 8),
    end: span.start + Math.ceil((last.bitOffset + last.bitSize) / 8),
  };
}

function groupPiece(place: TypedPlace, first: LayoutRow, group: readonly LayoutRow[]): MemberPiece {
  const span = bytesOf(place, first, group.at(-1) ?? first);
  const size = span.end - span.start;
  const specs = bitSpecs(place, group, 8 * (span.start - place.span.start), 8 * size);
  const names = group.map(({ name }) => name).filter((name) => name !== '');
  const label = names.join(', ') || 'bits';
  const field = { name: '', label, cType: '', offset: 0, size, notation: 'hex' } as const;
  const bits =
    structFields({ ...place, span, source: '' }, [{ ...field, bits: () => specs }]).at(0) ??
    makeField('field', label, span);
  return { ...span, row: first, bits };
}

/** Returns the bit-fields and unused bits of a number, lowest bit first in both byte orders. */
function bitSpecs(
  { types, endian }: TypedPlace,
  group: readonly LayoutRow[],
  bitStart: number,
  width: number,
): BitSpec[] {
  const specs: BitSpec[] = [];
  let at = 0;
  for (const row of group) {
    const start = row.bitOffset - bitStart;
    if (start > at) specs.push({ name: '', length: start - at });
    const type = skipModifiers(types, row.type);
    const signed = isSigned(types, type, kindOf(types, type));
    specs.push({
      name: row.kind === 'member' ? row.name : '',
      length: row.bitSize,
      notation: signed ? 'signed' : 'decimal',
    });
    at = start + row.bitSize;
  }
  if (at < width) specs.push({ name: '', length: width - at });
  return endian === 'little' ? specs : specs.reverse();
}

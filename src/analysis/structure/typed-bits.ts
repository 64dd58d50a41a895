/**
 * Bit-fields of a struct: neighbours that share bytes become one number, whose
 * bits they are. In big-endian files bit offsets count from the other end.
 */

import { makeField, type ReadBytes, type StructureField } from '#analysis/fields/field.ts';
import { type BitSpec, structFields } from '#analysis/fields/struct-fields.ts';
import { stripped } from '#analysis/types/strip.ts';
import type { LayoutRow } from '#analysis/types/struct-layout.ts';
import type { Endian, Span } from '#bytes/span.ts';
import { BtfKind } from '#formats/btf/kinds.ts';
import type { TypeId } from '#model/ids.ts';
import { intData, kindFlagOf, kindOf, type TypeTable } from '#model/type-table.ts';

export type TypedPlace = {
  readonly types: TypeTable;
  readonly span: Span;
  readonly endian: Endian;
  readonly read: ReadBytes;
  /** How deep in the variable; a hostile struct holds itself. */
  readonly depth: number;
};

/** Do numbers of this type count below zero? */
export function isSigned(types: TypeTable, type: TypeId, kind: number): boolean {
  if (kind === BtfKind.INT) return (intData(types, type).encoding & 1) !== 0;
  return (kind === BtfKind.ENUM || kind === BtfKind.ENUM64) && kindFlagOf(types, type);
}

export type MemberPiece = Span & {
  /** The member; of bit-fields the first. */
  readonly row: LayoutRow;
  /** The number that bit-fields share; null for a member that has its bytes to itself. */
  readonly bits: StructureField | null;
};

/** The members by their bytes. Holes are left out, but for those between bit-fields. */
export function bitFieldPieces(place: TypedPlace, rows: readonly LayoutRow[]): MemberPiece[] {
  const found: MemberPiece[] = [];
  let group: LayoutRow[] = [];
  const close = () => {
    const [first] = group;
    if (first !== undefined) found.push(groupPiece(place, first, group));
    group = [];
  };
  for (const row of rows) {
    if (row.overlaps || row.pastEnd || row.bitSize === 0) continue;
    const isWhole = row.bitOffset % 8 === 0 && row.bitSize % 8 === 0 && !row.isBitfield;
    if (row.bitOffset % 8 === 0) close();
    if (!isWhole) group.push(row.kind === 'member' ? row : upToByte(row));
    else if (row.kind === 'member') found.push({ ...bytesOf(place, row, row), row, bits: null });
  }
  close();
  return found;
}

/** A hole between bit-fields; what it has of whole bytes is padding like any other. */
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
  const label = group
    .map(({ name }) => name)
    .filter((name) => name !== '')
    .join(', ');
  const field = {
    name: '',
    label: label || 'bits',
    cType: '',
    offset: 0,
    size,
    notation: 'hex',
  } as const;
  const bits =
    structFields({ ...place, span, source: '' }, [{ ...field, bits: () => specs }]).at(0) ??
    makeField('field', field.label, span);
  return { ...span, row: first, bits };
}

/** The bits of the number, the lowest first, with those that no member has. */
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
    const type = stripped(types, row.type);
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

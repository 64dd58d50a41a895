/**
 * Walks the structure of a file and checks each field against the bytes. Throws at the first wrong
 * field and names the fields that contain it.
 *
 * The code that decodes numbers here is independent of the structure's code.
 */

import type { FieldList, StructureField } from '#analysis/fields/field.ts';
import { childrenOf } from '#analysis/structure/structure.ts';
import { ByteReader } from '#bytes/byte-reader.ts';
import type { Endian, Span } from '#bytes/span.ts';
import { magicEndian } from '#formats/btf/header.ts';

const BTF_SECTIONS: ReadonlySet<string> = new Set(['.BTF', '.BTF.ext', '.BTF.base']);

export type Walked = {
  readonly fields: number;
  readonly values: number;
  readonly bits: number;
  readonly kinds: ReadonlyMap<string, number>;
};

/**
 * Walks all fields below `root`. Of a list longer than `most` it walks both ends and a sample.
 * `endian` is the byte order of the file; BTF sections have their own.
 */
export function walkStructure(
  root: StructureField,
  file: Uint8Array,
  endian: Endian,
  most = Number.POSITIVE_INFINITY,
): Walked {
  const kinds = new Map<string, number>();
  let fields = 0;
  let values = 0;
  let bits = 0;
  const open: { readonly field: StructureField; readonly path: string; readonly endian: Endian }[] =
    [{ field: root, path: '', endian }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { field } = next;
    const order = btfOrder(field, file) ?? next.endian;
    const path = `${next.path} › ${field.label}`;
    fields += 1;
    kinds.set(field.kind, (kinds.get(field.kind) ?? 0) + 1);
    const parts = childrenOf(field);
    const children = sampledParts(parts, most);
    if (children.some(({ kind }) => kind === 'bits')) {
      checkBits(field, children, file, order, path);
      bits += children.length;
    } else {
      if (field.value !== null) {
        checkValue(field, file, order, path);
        values += 1;
      }
      checkPlaces(field, parts, children, path, parts.count <= most);
      for (const child of children) open.push({ field: child, path, endian: order });
    }
  }
  return { fields, values, bits, kinds };
}

/** Returns the byte order that the magic of a BTF section shows; null for other fields. */
function btfOrder({ label, span }: StructureField, file: Uint8Array): Endian | null {
  if (!BTF_SECTIONS.has(label)) return null;
  return magicEndian(new ByteReader(file.subarray(span.start, span.end), label));
}

function sampledParts(parts: FieldList, most: number): StructureField[] {
  const step = Math.max(1, Math.floor(parts.count / most));
  const fields: StructureField[] = [];
  for (let i = 0; i < parts.count; i += step) {
    const child = parts.at(i);
    if (child === null) throw new Error(`part ${i} of ${parts.count} is not there`);
    fields.push(child);
  }
  return fields;
}

/** Checks that the parts of a field cover it from its first to its last byte, without gaps. */
function checkPlaces(
  field: StructureField,
  parts: FieldList,
  children: readonly StructureField[],
  path: string,
  isComplete: boolean,
): void {
  let at = field.span.start;
  for (const { span, label } of children) {
    const isNext = isComplete ? span.start === at : span.start >= at;
    if (!isNext || span.end <= span.start || span.end > field.span.end) {
      throw new Error(`${path}: ${label} is at ${text(span)}, expected from ${at}`);
    }
    for (const offset of [span.start, span.end - 1]) {
      const found = parts.childAt(offset);
      if (found === null || text(found.span) !== text(span) || found.label !== label) {
        throw new Error(`${path}: byte ${offset} is of ${found?.label}, not of ${label}`);
      }
    }
    at = span.end;
  }
  if (children.length > 0 && isComplete && at !== field.span.end) {
    throw new Error(`${path}: no field covers ${at} to ${field.span.end}`);
  }
  if (
    parts.at(parts.count) !== null ||
    parts.at(-1) !== null ||
    parts.indexAt(field.span.end) >= 0
  ) {
    throw new Error(`${path}: has parts outside of itself`);
  }
}

function checkValue(field: StructureField, file: Uint8Array, endian: Endian, path: string): void {
  if (LEB128.test(field.cType)) {
    const stored = lebIn(file, field.span, /^(SLEB|DW_FORM_sdata)/.test(field.cType));
    if (BigInt(field.value ?? '') === stored) return;
    throw new Error(`${path}: shows ${field.value}, the LEB128 says ${stored}`);
  }
  const stored = numberIn(file, field.span, endian);
  const width = 8n * BigInt(field.span.end - field.span.start);
  const shown = BigInt.asUintN(Number(width), BigInt(field.value ?? ''));
  if (shown !== stored) throw new Error(`${path}: shows ${field.value}, the bytes say ${stored}`);
}

/** Types of fields of DWARF that are LEB128 numbers. */
const LEB128 =
  /^([US]LEB128|DW_FORM_([us]data|ref_udata|strx|addrx|loclistx|rnglistx|GNU_(addr|str)_index))$/;

function lebIn(file: Uint8Array, { start, end }: Span, isSigned: boolean): bigint {
  const groups = Array.from(file.subarray(start, end), (byte) =>
    (byte & 0x7f).toString(2).padStart(7, '0'),
  );
  const digits = groups.toReversed().join('');
  return isSigned
    ? BigInt.asIntN(digits.length, BigInt(`0b${digits}`))
    : BigInt.asUintN(64, BigInt(`0b${digits}`));
}

/** Checks that bit fields cover a number without gaps, and that their values are right. */
function checkBits(
  field: StructureField,
  children: readonly StructureField[],
  file: Uint8Array,
  endian: Endian,
  path: string,
): void {
  checkValue(field, file, endian, path);
  const digits = numberIn(file, field.span, endian)
    .toString(2)
    .padStart(8 * (field.span.end - field.span.start), '0');
  let at = 0;
  for (const { bits, value, label, span } of children) {
    if (bits === null || bits.start !== at || bits.length < 1) {
      throw new Error(`${path}: ${label} is not at bit ${at}`);
    }
    at += bits.length;
    const own = BigInt(`0b${digits.slice(digits.length - at, digits.length - bits.start)}`);
    if (BigInt.asUintN(bits.length, BigInt(value ?? '')) !== own) {
      throw new Error(`${path}: ${label} shows ${value}, the bits say ${own}`);
    }
    if (span.start < field.span.start || span.end > field.span.end) {
      throw new Error(`${path}: ${label} leaves its number`);
    }
  }
  if (at !== digits.length) throw new Error(`${path}: nothing has the bits from ${at} on`);
}

function numberIn(file: Uint8Array, { start, end }: Span, endian: Endian): bigint {
  const bytes = Array.from(file.subarray(start, end), (byte) => byte.toString(16).padStart(2, '0'));
  return BigInt(`0x${(endian === 'little' ? bytes.toReversed() : bytes).join('')}`);
}

function text({ start, end }: Span): string {
  return `${start}-${end}`;
}

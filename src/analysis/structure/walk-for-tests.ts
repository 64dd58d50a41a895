/**
 * Goes through a whole anatomy and holds it against the bytes: what must be true
 * of any file. Throws at the first owner that breaks a rule, with its chain.
 *
 * Numbers are decoded here once more, in another way than the anatomy's.
 */
import { ByteReader } from '#bytes/byte-reader.ts';
import type { Endian, Span } from '#bytes/span.ts';
import { magicEndian } from '#formats/btf/header.ts';
import type { Owner, OwnerList } from './field.ts';
import { childrenOf } from './structure.ts';

const BTF_SECTIONS: ReadonlySet<string> = new Set(['.BTF', '.BTF.ext', '.BTF.base']);

export type Walked = {
  readonly owners: number;
  readonly values: number;
  readonly bits: number;
  readonly kinds: ReadonlyMap<string, number>;
};

/**
 * Walks all owners below `root`; of a list longer than `most` only the ends and some between.
 * `endian` is that of the container; sections of BTF tell their own.
 */
export function walkAnatomy(
  root: Owner,
  file: Uint8Array,
  endian: Endian,
  most = Number.POSITIVE_INFINITY,
): Walked {
  const kinds = new Map<string, number>();
  let owners = 0;
  let values = 0;
  let bits = 0;
  const open: { readonly owner: Owner; readonly path: string; readonly endian: Endian }[] = [
    { owner: root, path: '', endian },
  ];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { owner } = next;
    const order = btfOrder(owner, file) ?? next.endian;
    const path = `${next.path} › ${owner.label}`;
    owners += 1;
    kinds.set(owner.kind, (kinds.get(owner.kind) ?? 0) + 1);
    const parts = childrenOf(owner);
    const children = listed(parts, most);
    if (children.some(({ kind }) => kind === 'bits')) {
      checkBits(owner, children, file, order, path);
      bits += children.length;
    } else {
      if (owner.value !== null) {
        checkValue(owner, file, order, path);
        values += 1;
      }
      checkPlaces(owner, parts, children, path, parts.count <= most);
      for (const child of children) open.push({ owner: child, path, endian: order });
    }
  }
  return { owners, values, bits, kinds };
}

/** The byte order that the magic of a section of BTF tells; null for all other owners. */
function btfOrder({ label, span }: Owner, file: Uint8Array): Endian | null {
  if (!BTF_SECTIONS.has(label)) return null;
  return magicEndian(new ByteReader(file.subarray(span.start, span.end), label));
}

function listed(parts: OwnerList, most: number): Owner[] {
  const step = Math.max(1, Math.floor(parts.count / most));
  const found: Owner[] = [];
  for (let i = 0; i < parts.count; i += step) {
    const child = parts.at(i);
    if (child === null) throw new Error(`part ${i} of ${parts.count} is not there`);
    found.push(child);
  }
  return found;
}

/** Parts lie one behind the other from the first byte of their owner to its last. */
function checkPlaces(
  owner: Owner,
  parts: OwnerList,
  children: readonly Owner[],
  path: string,
  isComplete: boolean,
): void {
  let at = owner.span.start;
  for (const { span, label } of children) {
    const isNext = isComplete ? span.start === at : span.start >= at;
    if (!isNext || span.end <= span.start || span.end > owner.span.end) {
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
  if (children.length > 0 && isComplete && at !== owner.span.end) {
    throw new Error(`${path}: nothing owns ${at} to ${owner.span.end}`);
  }
  if (
    parts.at(parts.count) !== null ||
    parts.at(-1) !== null ||
    parts.indexAt(owner.span.end) >= 0
  ) {
    throw new Error(`${path}: has parts outside of itself`);
  }
}

function checkValue(owner: Owner, file: Uint8Array, endian: Endian, path: string): void {
  const stored = numberIn(file, owner.span, endian);
  const width = 8n * BigInt(owner.span.end - owner.span.start);
  const shown = BigInt.asUintN(Number(width), BigInt(owner.value ?? ''));
  if (shown !== stored) throw new Error(`${path}: shows ${owner.value}, the bytes say ${stored}`);
}

/** Bits make up the whole number without a gap, and say what is in it. */
function checkBits(
  owner: Owner,
  children: readonly Owner[],
  file: Uint8Array,
  endian: Endian,
  path: string,
): void {
  checkValue(owner, file, endian, path);
  const digits = numberIn(file, owner.span, endian)
    .toString(2)
    .padStart(8 * (owner.span.end - owner.span.start), '0');
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
    if (span.start < owner.span.start || span.end > owner.span.end) {
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

/** Returns the bytes of decoded values, as bpftool prints them: the reverse of `decodeValue`. */
import { sizeOf } from '#analysis/types/sizes.ts';
import { typeExpression } from '#analysis/types/type-name.ts';
import { getOrCreate, memoized } from '#bytes/cache.ts';
import type { Endian } from '#bytes/span.ts';
import { counted } from '#bytes/text.ts';
import type { TypeId } from '#model/ids.ts';
import { enumeratorsOf } from '#model/type-items.ts';
import type { TypeTable } from '#model/type-table.ts';
import { decodeValue, partAt, type Value } from './decode.ts';
import { DumpError } from './dump-error.ts';
import type { DumpNode, ValueEntry } from './dump-values.ts';
import type { DumpEntry } from './map-dump.ts';

export type EncodedTypes = {
  readonly types: TypeTable;
  readonly key: TypeId | null;
  readonly value: TypeId;
  readonly endian: Endian;
};

/** Limit of the bytes of all entries: a type may be large and its text `{}`. */
const MAX_BYTES = 1 << 26;

/**
 * Returns the entries as bytes. Bytes between members are 0: a dump with BTF does not have them.
 * Throws `DumpError` with the number of the entry that has not the types.
 */
export function encodeEntries(entries: readonly ValueEntry[], by: EncodedTypes): DumpEntry[] {
  let left = MAX_BYTES;
  const bytesOf = (type: TypeId, node: DumpNode, what: string) => {
    const size = Number(sizeOf(by.types, type) ?? 0n);
    left -= size;
    if (left < 0) throw new DumpError(`the values have more than ${counted(MAX_BYTES, 'byte')}`);
    return encodeValue(by, type, node, size, what);
  };
  return entries.map(({ key, values }, index) => ({
    key:
      key === null || by.key === null
        ? new Uint8Array(0)
        : bytesOf(by.key, key, `the key of entry ${index}`),
    values: values.map(({ cpu, node }) => ({
      cpu,
      bytes: isMissing(node) ? null : bytesOf(by.value, node, `the value of entry ${index}`),
    })),
  }));
}

/** Returns true for `null` and `{"error": …}`, which bpftool prints if the kernel has no value. */
function isMissing(node: DumpNode): boolean {
  if (node.kind === 'word') return node.text === 'null';
  return node.kind === 'object' && node.fields.length === 1 && node.fields[0]?.[0] === 'error';
}

function encodeValue(
  { types, endian }: EncodedTypes,
  type: TypeId,
  node: DumpNode,
  size: number,
  what: string,
): Uint8Array {
  const bytes = new Uint8Array(size);
  const fail = (message: string) => new DumpError(`${what}: ${message}`);
  const stack: [Value, DumpNode][] = [[decodeValue(types, type, bytes, 0, { endian }), node]];
  for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
    const [value, given] = next;
    const { kind } = value.content;
    if (given.kind === 'object' && (kind === 'struct' || kind === 'union')) {
      for (const [part, own] of membersOf(value, given.fields, fail)) stack.push([part, own]);
    } else if (given.kind === 'object' && kind === 'section') {
      for (const part of variablesOf(value, given)) stack.push(part);
    } else if (given.kind === 'list' && (kind === 'array' || kind === 'string')) {
      for (const [i, item] of given.items.entries()) {
        const part = partAt(value, i);
        if (part === null)
          throw fail(`${given.items.length} elements, ${value.partCount} expected`);
        stack.push([part, item]);
      }
    } else if (given.kind === 'text' && (kind === 'string' || kind === 'array')) {
      putString(bytes, value, given.text, fail);
    } else if (given.kind === 'text' || given.kind === 'word') {
      const number = numberOf(value, given.text, fail);
      if (number !== null) putBits(bytes, value, number, endian);
    } else {
      throw fail(`${typeExpression(types, value.type)} has no parts`);
    }
  }
  return bytes;
}

type Fail = (message: string) => DumpError;

type Members = {
  /** Path of member indexes by name, through anonymous members. */
  readonly named: ReadonlyMap<string, readonly number[]>;
  readonly unnamed: readonly number[];
};

const membersByType = memoized((_: TypeTable) => new Map<TypeId, Members>());

/** Limits of the members of anonymous structs and unions: their number, and how deep they nest. */
const MAX_MEMBERS = 1 << 17;
const MAX_NESTING = 32;

function indexMembers(root: Value): Members {
  const named = new Map<string, readonly number[]>();
  const unnamed: number[] = [];
  const stack: { readonly value: Value; readonly path: readonly number[] }[] = [
    { value: root, path: [] },
  ];
  let left = MAX_MEMBERS;
  for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
    for (let i = 0; i < next.value.partCount && left > 0; i++, left--) {
      const part = partAt(next.value, i);
      if (part === null) continue;
      const path = [...next.path, i];
      if (part.name !== '') {
        if (!named.has(part.name)) named.set(part.name, path);
        continue;
      }
      if (path.length === 1) unnamed.push(i);
      if (path.length < MAX_NESTING) stack.push({ value: part, path });
    }
  }
  return { named, unnamed };
}

/** Yields each given member with its value; the n-th `""` is the n-th anonymous member. */
function* membersOf(
  value: Value,
  fields: readonly (readonly [string, DumpNode])[],
  fail: Fail,
): Generator<[Value, DumpNode]> {
  const { types } = value.scope;
  const index = getOrCreate(membersByType(types), value.bare, () => indexMembers(value));
  let unnamed = 0;
  for (const [name, node] of fields) {
    const ownIndex = name === '' ? index.unnamed[unnamed++] : undefined;
    const path = ownIndex === undefined ? index.named.get(name) : [ownIndex];
    let part: Value | null = path === undefined ? null : value;
    for (const step of path ?? []) part = part && partAt(part, step);
    if (part === null) {
      throw fail(`${typeExpression(types, value.type)} has no member "${name}"`);
    }
    yield [part, node];
  }
}

/** Yields the variables of `{".data": [{"a": 1}, {"b": 2}]}`. */
function* variablesOf(
  value: Value,
  { fields }: Extract<DumpNode, { kind: 'object' }>,
): Generator<[Value, DumpNode]> {
  const byName = new Map<string, Value>();
  for (let i = 0; i < value.partCount; i++) {
    const part = partAt(value, i);
    if (part !== null) byName.set(part.name, part);
  }
  for (const [, list] of fields) {
    if (list.kind !== 'list') continue;
    for (const item of list.items) {
      if (item.kind !== 'object') continue;
      for (const [name, node] of item.fields) {
        const part = byName.get(name);
        if (part !== undefined) yield [part, node];
      }
    }
  }
}

function putString(bytes: Uint8Array, value: Value, text: string, fail: Fail): void {
  const given = new TextEncoder().encode(text);
  if (given.length > value.partCount) {
    throw fail(`a text of ${counted(given.length, 'byte')}, ${value.partCount} expected`);
  }
  bytes.set(given, value.bitOffset / 8);
}

/** Returns a scalar as bits; null for a value that bpftool cannot print. */
function numberOf({ content, bitSize, scope, bare }: Value, text: string, fail: Fail) {
  const word = text.trim();
  if (word === 'null' || word.startsWith('(unsupported')) return null;
  if (word === '(nil)') return 0n;
  if (content.kind === 'float') return floatBits(Number(word), bitSize);
  if (word === 'true' || word === 'false') return word === 'true' ? 1n : 0n;
  if (/^-?\d+$/.test(word) || /^0x[\da-f]+$/i.test(word)) return BigInt(word);
  if (content.kind === 'enum') {
    const { types } = scope;
    const values = getOrCreate(enumsByType(types), bare, () => {
      return new Map(enumeratorsOf(types, bare).map(({ name, value }) => [name, value]));
    });
    const value = values.get(word);
    if (value !== undefined) return value;
  }
  if (content.kind === 'char' || content.kind === 'int') {
    if (text.length === 1) return BigInt(text.charCodeAt(0));
  }
  throw fail(`"${word.slice(0, 32)}" is no value of ${typeExpression(scope.types, bare)}`);
}

const enumsByType = memoized((_: TypeTable) => new Map<TypeId, ReadonlyMap<string, bigint>>());

function floatBits(number: number, bitSize: number): bigint | null {
  const view = new DataView(new ArrayBuffer(8));
  if (bitSize === 64) view.setFloat64(0, number);
  else if (bitSize === 32) view.setFloat32(4, number);
  else return null;
  return view.getBigUint64(0);
}

/** Writes `bitSize` bits at `bitOffset`, the reverse of `bitsAt`. Bits past the end are dropped. */
function putBits(bytes: Uint8Array, value: Value, number: bigint, endian: Endian): void {
  const { bitOffset, bitSize } = value;
  const first = Math.floor(bitOffset / 8);
  const end = Math.ceil((bitOffset + bitSize) / 8);
  if (end > bytes.length || bitSize === 0) return;
  const isLittle = endian === 'little';
  const below = BigInt(isLittle ? bitOffset - 8 * first : 8 * end - (bitOffset + bitSize));
  const mask = ((1n << BigInt(bitSize)) - 1n) << below;
  const bits = (BigInt.asUintN(bitSize, number) << below) & mask;
  for (let i = 0; i < end - first; i++) {
    const at = isLittle ? first + i : end - 1 - i;
    const shift = BigInt(8 * i);
    const kept = BigInt(bytes[at] ?? 0) & ~(mask >> shift) & 255n;
    bytes[at] = Number(kept | ((bits >> shift) & 255n));
  }
}

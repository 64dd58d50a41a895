/**
 * Finds the candidates for a local type as libbpf's `bpf_core_find_cands` does: in vmlinux; if
 * vmlinux has none, in all modules in load order.
 *
 * libbpf compares all types (`bpf_core_add_cands`). Here one pass builds an index by essential name
 * and kind, which takes some milliseconds and 8 bytes per type. Functions are not in the index but
 * searched one by one. The candidates are the same.
 */
import { memoized } from '#bytes/cache.ts';
import { BtfKind, infoKind } from '#formats/btf/kinds.ts';
import { type TypeId, typeId } from '#model/ids.ts';
import { nameBytes } from '#model/names.ts';
import { kindOf, nameOffOf, stringTable, type TypeTable, u32At } from '#model/type-table.ts';
import { essentialLength, startsAlike, UNDERSCORE } from './essential-name.ts';
import type { Candidate } from './trace.ts';

export type TargetTable = {
  /** Name of the table in libbpf's log: `vmlinux` or the module's name. */
  readonly name: string;
  /** Types of the table; for a module split BTF based on the types of vmlinux. */
  readonly types: TypeTable;
};

/** The target of relocations: the types of a kernel and of its modules. */
export type CoreTarget = {
  /** Name of the kernel that the app shows. */
  readonly name: string;
  /** Table of vmlinux or of its replacement, then tables of modules in load order. */
  readonly tables: readonly TargetTable[];
};

/** Returns a target with a single table, which libbpf would open as `btf_custom_path`. */
export function targetOf(name: string, types: TypeTable): CoreTarget {
  return { name, tables: [{ name: 'vmlinux', types }] };
}

/** Returns the candidates for a local type in libbpf's order; empty for a type without a name. */
export function findCandidates(
  { tables }: CoreTarget,
  localTypes: TypeTable,
  local: TypeId,
): Candidate[] {
  const name = nameBytes(localTypes, nameOffOf(localTypes, local));
  const kind = kindOf(localTypes, local);
  const candidates: Candidate[] = [];
  for (const [table, { types }] of tables.entries()) {
    if (table > 0 && candidates[0]?.table === 0) break;
    for (const id of findByEssentialName(essentialNameIndex(types), name, kind)) {
      candidates.push({ table, id });
    }
  }
  return candidates;
}

/** Index of a table's own types, without those of its base. */
type EssentialNameIndex = {
  readonly types: TypeTable;
  /** By hash value: number of the first own type, counted from 1; 0 = none. */
  readonly heads: Uint32Array;
  /** By own type: number of the next own type with the same hash value, from 1; 0 = none. */
  readonly next: Uint32Array;
};

/** By BTF kind: 1 if the index contains types of the kind. */
const INDEXED = new Uint8Array(128);
for (const kind of [
  BtfKind.INT,
  BtfKind.STRUCT,
  BtfKind.UNION,
  BtfKind.ENUM,
  BtfKind.FWD,
  BtfKind.TYPEDEF,
  BtfKind.FLOAT,
  BtfKind.ENUM64,
]) {
  INDEXED[kind] = 1;
}

/** Returns the index of a table's own named types; built once per table. */
export const essentialNameIndex = memoized((types: TypeTable): EssentialNameIndex => {
  const { blob, endian, count, recordOff } = types;
  const bits = Math.max(4, 32 - Math.clz32(count));
  const heads = new Uint32Array(2 ** bits);
  const next = new Uint32Array(count);
  // Rows in descending order, so that each list has ascending ids. Calls would be slow in code that
  // the engine has not optimised yet, so the record is read inline.
  for (let row = count - 1; row >= 0; row--) {
    const start = recordOff[row] ?? 0;
    const kind = infoKind(u32At(blob, endian, start + 4));
    if (INDEXED[kind] !== 1) continue;
    const nameOff = u32At(blob, endian, start);
    const table = nameOff === 0 ? null : stringTable(types, nameOff);
    if (table === null) continue;
    const at = table.strStart + (nameOff - table.strBase);
    const hash = essentialHash(table.blob, at, table.strEnd, kindClass(kind));
    if (hash === null) continue;
    const slot = hash & (heads.length - 1);
    next[row] = heads[slot] ?? 0;
    heads[slot] = row + 1;
  }
  return { types, heads, next };
});

/** Returns own types with the essential name of `name` and the class of `kind`, sorted by id. */
export function findByEssentialName(
  { types, heads, next }: EssentialNameIndex,
  name: Uint8Array,
  kind: number,
): TypeId[] {
  const length = essentialLength(name, 0, name.length);
  const wanted = kindClass(kind);
  const ids: TypeId[] = [];
  const hash = essentialHash(name, 0, name.length, wanted);
  if (hash === null) return ids;
  const isSame = (id: TypeId): boolean => {
    if (kindClass(kindOf(types, id)) !== wanted) return false;
    const candidate = nameBytes(types, nameOffOf(types, id));
    return (
      essentialLength(candidate, 0, candidate.length) === length &&
      startsAlike(name, candidate, length)
    );
  };
  if (INDEXED[kind] !== 1) {
    for (let row = 0; row < types.count; row++) {
      const id = typeId(types.firstId + row);
      if (isSame(id)) ids.push(id);
    }
    return ids;
  }
  const slot = hash & (heads.length - 1);
  for (let row = heads[slot] ?? 0; row !== 0; row = next[row - 1] ?? 0) {
    const id = typeId(types.firstId + row - 1);
    if (isSame(id)) ids.push(id);
  }
  return ids;
}

/** Returns the same class for ENUM and ENUM64; for other kinds the kind itself. */
export function kindClass(kind: number): number {
  return kind === BtfKind.ENUM64 ? BtfKind.ENUM : kind;
}

const FNV_BASIS = 0x811c9dc5;
const FNV_PRIME = 0x01000193;

/** Returns the FNV-1a hash of name bytes and kind. */
export function nameHash(bytes: Uint8Array, start: number, length: number, kind: number): number {
  let h = Math.imul(FNV_BASIS ^ kind, FNV_PRIME);
  for (let at = start; at < start + length; at++) h = Math.imul(h ^ (bytes[at] ?? 0), FNV_PRIME);
  return (h ^ (h >>> 15)) >>> 0;
}

/** Returns `nameHash` of the essential part of a name that ends at NUL or `limit`, or null. */
function essentialHash(
  bytes: Uint8Array,
  start: number,
  limit: number,
  kind: number,
): number | null {
  let h = Math.imul(FNV_BASIS ^ kind, FNV_PRIME);
  let underscores = 0;
  let beforeThem = h;
  let essential: number | null = null;
  let at = start;
  for (; at < limit; at++) {
    const byte = bytes[at] ?? 0;
    if (byte === 0) break;
    if (byte === UNDERSCORE) {
      if (underscores === 0) beforeThem = h;
      underscores += 1;
    } else {
      if (underscores === 3 && at - underscores > start) essential = beforeThem;
      underscores = 0;
    }
    h = Math.imul(h ^ byte, FNV_PRIME);
  }
  if (at === start) return null;
  const found = essential ?? h;
  return (found ^ (found >>> 15)) >>> 0;
}

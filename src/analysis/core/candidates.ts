/**
 * The candidates for a local type in a target, as libbpf's `bpf_core_find_cands` finds them: in
 * vmlinux; only where vmlinux has none in all modules, in the order in which they were loaded.
 *
 * libbpf walks all types for each local type (`bpf_core_add_cands`). Here one pass builds an index
 * by essential name and kind over the bytes of names, without texts: some milliseconds and 8 bytes
 * a type for a kernel's 130,000. Most named types of a kernel are functions, which no relocation is
 * about: the index omits those kinds, which are walked for the rare record about one. The result
 * and its order are the same.
 */
import { memoized } from '#bytes/cache.ts';
import { BtfKind, infoKind } from '#formats/btf/kinds.ts';
import { type TypeId, typeId } from '#model/ids.ts';
import { nameBytes } from '#model/names.ts';
import { kindOf, nameOffOf, stringTable, type TypeTable, u32At } from '#model/type-table.ts';
import { essentialLength, startsAlike, UNDERSCORE } from './essential-name.ts';
import type { CoreTarget } from './target.ts';
import type { Candidate } from './trace.ts';

/** Returns the candidates for a local type, in libbpf's order; none for a type without a name. */
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

/** The types of one table; those of a base are not in it. */
type EssentialNameIndex = {
  readonly types: TypeTable;
  /** For each hash value the number of its first own type, counted from 1; 0 = none. */
  readonly heads: Uint32Array;
  /** For each own type the next one of the same hash value, likewise. */
  readonly next: Uint32Array;
};

/** The kinds that relocations are about, by number. */
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

/** The index of a table's own types, built on first use. Types without a name are left out. */
export const essentialNameIndex = memoized((types: TypeTable): EssentialNameIndex => {
  const { blob, endian, count, recordOff } = types;
  const bits = Math.max(4, 32 - Math.clz32(count));
  const heads = new Uint32Array(2 ** bits);
  const next = new Uint32Array(count);
  // From the last to the first, so that each list is in the order of ids. The record is read
  // inline, as most of the time goes into code that is not optimised yet.
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

/**
 * Own types of the index that are candidates for a local type of this kind and
 * name, by rising id. `name` is whole: its flavour does not count.
 */
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
    const other = nameBytes(types, nameOffOf(types, id));
    return essentialLength(other, 0, other.length) === length && startsAlike(name, other, length);
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

/** Returns one class for ENUM and ENUM64, and for all other kinds the kind itself. */
export function kindClass(kind: number): number {
  return kind === BtfKind.ENUM64 ? BtfKind.ENUM : kind;
}

const FNV_BASIS = 0x811c9dc5;
const FNV_PRIME = 0x01000193;

/** FNV-1a over the bytes and the kind. */
export function nameHash(bytes: Uint8Array, start: number, length: number, kind: number): number {
  let h = Math.imul(FNV_BASIS ^ kind, FNV_PRIME);
  for (let at = start; at < start + length; at++) h = Math.imul(h ^ (bytes[at] ?? 0), FNV_PRIME);
  return (h ^ (h >>> 15)) >>> 0;
}

/**
 * `nameHash` of the essential part of the name that begins at `start` and ends with a NUL or at
 * `limit`, in one pass; null where it is empty.
 */
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

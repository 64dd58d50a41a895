/**
 * The candidates for a local type in a target, as libbpf's `bpf_core_find_cands`: vmlinux
 * first, the modules only where vmlinux has none, and then those of all modules, joined in
 * the order in which they were loaded.
 *
 * libbpf walks all types for each local type (`bpf_core_add_cands`). Here an index by essential
 * name and kind is built in one pass over the names' bytes, no text is made; a kernel's 130,000
 * types take some milliseconds and 8 bytes each. Most named types of a kernel are functions,
 * which no relocation is about: those kinds are left out of the index, and walked when an odd
 * object has a record about one. The result and its order are the same.
 */
import { oncePer } from '#bytes/keep.ts';
import { BtfKind } from '#formats/btf/kinds.ts';
import { type TypeId, typeId } from '#model/ids.ts';
import { nameBytes, namePlace } from '#model/names.ts';
import { kindOf, nameOffOf, type TypeTable } from '#model/type-table.ts';
import { essentialLength, startsAlike } from './essential-name.ts';
import type { CoreTarget } from './target.ts';
import type { Candidate } from './trace.ts';

/** All candidates for a local type, in the order in which libbpf tries them. None for a type without a name. */
export function findCandidates(
  { tables }: CoreTarget,
  localTypes: TypeTable,
  local: TypeId,
): Candidate[] {
  const name = nameBytes(localTypes, nameOffOf(localTypes, local));
  const kind = kindOf(localTypes, local);
  const found: Candidate[] = [];
  for (const [table, { types }] of tables.entries()) {
    if (table > 0 && found[0]?.table === 0) break;
    for (const id of findByEssentialName(essentialNameIndex(types), name, kind)) {
      found.push({ table, id });
    }
  }
  return found;
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

/** The index of a table, built when it is first asked for: one walk over its own types. Types without a name are left out. */
export const essentialNameIndex = oncePer((types: TypeTable): EssentialNameIndex => {
  const { count, firstId } = types;
  const bits = Math.max(4, 32 - Math.clz32(count));
  const heads = new Uint32Array(2 ** bits);
  const next = new Uint32Array(count);
  // From the last to the first, so that each list comes out in the order of the ids.
  for (let row = count - 1; row >= 0; row--) {
    const id = typeId(firstId + row);
    const kind = kindOf(types, id);
    if (INDEXED[kind] !== 1) continue;
    const nameOff = nameOffOf(types, id);
    if (nameOff === 0) continue;
    const { bytes, start, end } = namePlace(types, nameOff);
    const length = essentialLength(bytes, start, end);
    if (length === 0) continue;
    const slot = nameHash(bytes, start, length, kindClass(kind)) & (heads.length - 1);
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
  const found: TypeId[] = [];
  if (length === 0) return found;
  const isSame = (id: TypeId): boolean => {
    if (kindClass(kindOf(types, id)) !== wanted) return false;
    const other = nameBytes(types, nameOffOf(types, id));
    return essentialLength(other, 0, other.length) === length && startsAlike(name, other, length);
  };
  if (INDEXED[kind] !== 1) {
    for (let row = 0; row < types.count; row++) {
      const id = typeId(types.firstId + row);
      if (isSame(id)) found.push(id);
    }
    return found;
  }
  const slot = nameHash(name, 0, length, wanted) & (heads.length - 1);
  for (let row = heads[slot] ?? 0; row !== 0; row = next[row - 1] ?? 0) {
    const id = typeId(types.firstId + row - 1);
    if (isSame(id)) found.push(id);
  }
  return found;
}

/** ENUM and ENUM64 stand for each other, all other kinds for themselves. */
export function kindClass(kind: number): number {
  return kind === BtfKind.ENUM64 ? BtfKind.ENUM : kind;
}

/** FNV-1a over the bytes and the kind. */
export function nameHash(bytes: Uint8Array, start: number, length: number, kind: number): number {
  let h = Math.imul(0x811c9dc5 ^ kind, 0x01000193);
  for (let at = start; at < start + length; at++) h = Math.imul(h ^ (bytes[at] ?? 0), 0x01000193);
  return (h ^ (h >>> 15)) >>> 0;
}

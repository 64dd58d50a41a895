/**
 * All that has a name in the BTF of a file: types, members, enumerators; those
 * of the base of split BTF, too. By the string that they are called by, since a
 * kernel has a name for every three of them.
 */
import type { Slices } from '#bytes/slices.ts';
import { type TypeId, typeId } from '#model/ids.ts';
import { ItemReader, isComposite, isEnum } from '#model/type-items.ts';
import { kindOf, lastId, nameOffOf, stringAt, type TypeTable, vlenOf } from '#model/type-table.ts';
import type { NamePool } from './name-pool.ts';
import { namedRows } from './named-rows.ts';
import { buildPool, nameCut } from './pool-builder.ts';

/** What an entry is: the kind of its type, or one of these two. */
export const MEMBER = 31;
export const ENUMERATOR = 30;
/** Kinds from here on share a bit. */
const MAX_KIND = 29;

export const entryBit = (what: number): number =>
  (1 << (what >= ENUMERATOR ? what : Math.min(what, MAX_KIND))) >>> 0;

export type TypeEntries = {
  readonly types: TypeTable;
  readonly pool: NamePool;
  /** Offset of each name in the joined string sections, ascending. */
  readonly nameOff: Uint32Array;
  /** Entries stand by name: those of name `n` are `starts[n]` to before `starts[n + 1]`. */
  readonly starts: Uint32Array;
  /** Type of each entry, and which of its items it is; -1 for the type itself. */
  readonly type: Uint32Array;
  readonly item: Int16Array | Int32Array;
  /** What there is of each name: bits of `entryBit`. */
  readonly has: Uint32Array;
  /** BTF_KIND_* by type id. */
  readonly kinds: Uint8Array;
};

/** Greatest item number that 16 bits hold. */
const MAX_SHORT = 0x7fff;

/** Types between two looks at the clock. */
const STRIDE = 512;

/** All entries of `types`. `onDone` is told of a part of the work between 0 and 1. */
export async function buildTypeEntries(
  types: TypeTable,
  slices: Slices,
  onDone: (part: number) => void,
): Promise<TypeEntries> {
  const { kinds, count } = await countEntries(types, slices);
  const offsets = new Uint32Array(count);
  const typeOfRow = new Uint32Array(count);
  const itemOfRow = new Int32Array(count);
  let n = 0;
  let lastItem = 0;
  for (let id = 1; id < kinds.length; id++) {
    readEntries(types, typeId(id), kinds[id] ?? 0, (off, at) => {
      offsets[n] = off;
      typeOfRow[n] = id;
      itemOfRow[n] = at;
      if (at > lastItem) lastItem = at;
      n++;
    });
    if (id % STRIDE === 0 && slices.isOver) {
      onDone((0.3 * id) / kinds.length);
      await slices.rest();
    }
  }
  const rows = await namedRows(offsets, stringsStart(types), stringsEnd(types), slices);
  const { nameOff, starts } = rows;
  // In the order of the names: then nothing has to lead from a name to its entries.
  const type = new Uint32Array(rows.rows.length);
  const item = lastItem > MAX_SHORT ? new Int32Array(type.length) : new Int16Array(type.length);
  for (let at = 0; at < type.length; at++) {
    const row = rows.rows[at] ?? 0;
    type[at] = typeOfRow[row] ?? 0;
    item[at] = itemOfRow[row] ?? -1;
    if (at % (8 * STRIDE) === 0 && slices.isOver) await slices.rest();
  }
  const cut = nameCut(rows.count);
  const pool = await buildPool(
    rows.count,
    (name) => stringAt(types, nameOff[name] ?? 0, cut),
    slices,
    (done) => onDone(0.4 + (0.6 * done) / Math.max(1, rows.count)),
  );
  const has = new Uint32Array(rows.count);
  for (let name = 0; name < rows.count; name++) {
    let bits = 0;
    for (let at = starts[name] ?? 0; at < (starts[name + 1] ?? 0); at++) {
      bits |= entryBit(whatOf(kinds[type[at] ?? 0] ?? 0, item[at] ?? -1));
    }
    has[name] = bits >>> 0;
    if (name % (8 * STRIDE) === 0 && slices.isOver) await slices.rest();
  }
  return { types, pool, nameOff, starts, type, item, has, kinds };
}

/** What an entry is, by the kind of its type and its place in it. */
export function whatOf(kind: number, item: number): number {
  if (item < 0) return kind;
  return isComposite(kind) ? MEMBER : ENUMERATOR;
}

/** The members or enumerators of `id`; none for other kinds. */
function namedItems(types: TypeTable, id: TypeId, kind: number): ItemReader | null {
  return isComposite(kind) || isEnum(kind) ? new ItemReader(types, id) : null;
}

async function countEntries(types: TypeTable, slices: Slices) {
  const kinds = new Uint8Array(lastId(types) + 1);
  let count = 0;
  for (let id = 1; id < kinds.length; id++) {
    const kind = kindOf(types, typeId(id));
    kinds[id] = kind;
    count += 1 + (isComposite(kind) || isEnum(kind) ? vlenOf(types, typeId(id)) : 0);
    if (id % STRIDE === 0 && slices.isOver) await slices.rest();
  }
  return { kinds, count };
}

/** Tells of the type and of its items, in so far as they have names. */
function readEntries(
  types: TypeTable,
  id: TypeId,
  kind: number,
  tell: (nameOff: number, item: number) => void,
): void {
  const ownName = nameOffOf(types, id);
  if (ownName !== 0) tell(ownName, -1);
  const items = namedItems(types, id, kind);
  for (let i = 0; items !== null && i < items.count; i++) {
    const nameOff = items.nameOff(i);
    if (nameOff !== 0) tell(nameOff, i);
  }
}

/** Offset of the first string that is at hand: a base that is missing may be said to have 4 GB. */
function stringsStart(types: TypeTable): number {
  let first = types;
  while (first.base !== null) first = first.base;
  return first.strBase;
}

/** Offset behind the last string, base included. */
function stringsEnd(types: TypeTable): number {
  return types.strBase + (types.strEnd - types.strStart);
}

/** Indexes the names of types, members and enumerators for search. */
import { getOrCreate } from '#bytes/cache.ts';
import type { Slices } from '#bytes/long-work.ts';
import { BTF_TYPE_SIZE, infoKind, infoVlen, kindLayout } from '#formats/btf/kinds.ts';
import { type TypeId, typeId } from '#model/ids.ts';
import { tablesOf } from '#model/joined-words.ts';
import { namePlace } from '#model/names.ts';
import { isComposite, isEnum } from '#model/type-items.ts';
import { stringAt, strLenOf, type TypeTable } from '#model/type-table.ts';
import { buildPool, type NamePool, nameCut } from './name-pool.ts';

/** Kinds of entries that are not types; lower numbers are BTF kinds. */
export const MEMBER = 31;
export const ENUMERATOR = 30;
/** Number for all BTF kinds from 29 on. */
const MAX_KIND = 29;

export const entryBit = (what: number): number => (1 << what) >>> 0;
const ALL_ENTRIES = 0xffffffff;

export type TypeNames = {
  readonly types: TypeTable;
  readonly pool: NamePool;
  /** Offset of each name in the joined string sections, ascending. */
  readonly nameOff: Uint32Array;
  /** By name: kinds of its entries, as bits of `entryBit`. */
  readonly has: Uint32Array;
};

/** Indexes the names of `types`. `onDone` receives the finished share of the work, 0 to 1. */
export async function buildTypeNames(
  types: TypeTable,
  slices: Slices,
  onDone: (part: number) => void,
): Promise<TypeNames> {
  const { nameOff, has } = distinctNames(types);
  if (slices.isOver) await slices.rest();
  const cut = nameCut(nameOff.length);
  const pool = await buildPool(
    nameOff.length,
    (name, pool) => {
      const off = nameOff[name] ?? 0;
      pool.name(namePlace(types, off, cut), () => stringAt(types, off, cut));
    },
    slices,
    (done) => onDone(done / nameOff.length),
  );
  return { types, pool, nameOff, has };
}

function distinctNames(types: TypeTable): Pick<TypeNames, 'nameOff' | 'has'> {
  const all = new NameMarks(types, 1);
  /** Kinds of the entries as bits of `entryBit`, by offset from the first available string. */
  const entryBits = new Uint32Array(all.stringBytes);
  let count = 0;
  eachEntry(types, all, ALL_ENTRIES, (off, _type, _item, what) => {
    const before = entryBits[off - all.firstOff] ?? 0;
    if (before === 0) count++;
    entryBits[off - all.firstOff] = before | entryBit(what);
  });
  const nameOff = new Uint32Array(count);
  const has = new Uint32Array(count);
  let name = 0;
  for (let at = 0; at < entryBits.length; at++) {
    const what = entryBits[at] ?? 0;
    if (what === 0) continue;
    nameOff[name] = all.firstOff + at;
    has[name++] = what;
  }
  return { nameOff, has };
}

/** Type or item with a name. `item` is its index in the type; -1 for the type itself. */
export type Entry = { readonly type: TypeId; readonly item: number; readonly what: number };

/** Returns the entries of the kinds `wanted` (bits of `entryBit`) by name number, in file order. */
export function entriesOf(
  { types, nameOff }: TypeNames,
  names: Iterable<number>,
  wanted: number,
): ReadonlyMap<number, readonly Entry[]> {
  const marks = new NameMarks(types);
  const lists = new Map<number, Entry[]>();
  const byName = new Map<number, Entry[]>();
  for (const name of names) {
    const off = nameOff[name] ?? 0;
    marks.set(off, 1);
    const list = getOrCreate(lists, off, () => []);
    byName.set(name, list);
  }
  if (byName.size === 0) return byName;
  eachEntry(types, marks, wanted, (off, type, item, what) => {
    lists.get(off)?.push({ type: typeId(type), item, what });
  });
  return byName;
}

/** Marks from 0 to 3 for the names of a table, two bits per byte of the string sections. */
export class NameMarks {
  /** Offset of the first available string. A missing base may have 4 GB of strings. */
  readonly firstOff: number;
  /** Number of bytes of all available strings. */
  readonly stringBytes: number;
  readonly #marks: Uint8Array;

  constructor(types: TypeTable, mark = 0) {
    const [lowest = types] = tablesOf(types);
    this.firstOff = lowest.strBase;
    this.stringBytes = strLenOf(types) - this.firstOff;
    this.#marks = new Uint8Array((this.stringBytes + 3) >>> 2);
    if (mark !== 0) this.#marks.fill(0b01010101 * mark);
  }

  /** Marks the name at `nameOff`, which must have mark 0. */
  set(nameOff: number, mark: number): void {
    const at = nameOff - this.firstOff;
    this.#marks[at >>> 2] = (this.#marks[at >>> 2] ?? 0) | (mark << (2 * (at & 3)));
  }

  /** Returns the mark of a name; 0 for an offset outside of the available strings. */
  get(nameOff: number): number {
    const at = nameOff - this.firstOff;
    return nameOff === 0 ? 0 : ((this.#marks[at >>> 2] ?? 0) >>> (2 * (at & 3))) & 3;
  }
}

/** Receives an entry: `item` is -1 for the type itself; `what` is a kind as for `entryBit`. */
type EntryVisitor = (nameOff: number, type: number, item: number, what: number) => void;

/** Calls `visit` for each entry of the kinds `wanted` whose name is marked, by type, then item. */
export function eachEntry(
  types: TypeTable,
  marks: NameMarks,
  wanted: number,
  visit: EntryVisitor,
): void {
  for (const { blob, endian, recordOff, count, firstId } of tablesOf(types)) {
    const view = new DataView(blob.buffer, blob.byteOffset, blob.byteLength);
    const little = endian === 'little';
    for (let row = 0; row < count; row++) {
      const start = recordOff[row] ?? 0;
      const info = view.getUint32(start + 4, little);
      const kind = infoKind(info);
      const ownKind = Math.min(kind, MAX_KIND);
      if ((wanted & entryBit(ownKind)) !== 0) {
        const ownOff = view.getUint32(start, little);
        if (marks.get(ownOff) !== 0) visit(ownOff, firstId + row, -1, ownKind);
      }
      const { what, size } = ITEMS[kind] ?? NO_ITEMS;
      const items = size === 0 || (wanted & entryBit(what)) === 0 ? 0 : infoVlen(info);
      for (let item = 0, at = start + BTF_TYPE_SIZE; item < items; item++, at += size) {
        const off = view.getUint32(at, little);
        if (marks.get(off) !== 0) visit(off, firstId + row, item, what);
      }
    }
  }
}

const NO_ITEMS = { what: 0, size: 0 };
/** By BTF kind: the entry kind of its named items, and the size of an item in bytes. */
const ITEMS = Array.from({ length: MAX_KIND }, (_, kind) => {
  if (!isComposite(kind) && !isEnum(kind)) return NO_ITEMS;
  return { what: isComposite(kind) ? MEMBER : ENUMERATOR, size: kindLayout(kind)?.item ?? 0 };
});

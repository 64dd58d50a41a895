/**
 * The type records of a link, numbered in the order in which they are referred to. A type that is
 * only declared is a FWD or an enum without values. If pointers have 4 bytes, the link includes an
 * INT that states this size: BTF has no field for it.
 */
import { copiedRecord } from '#analysis/rewrite/copy-types.ts';
import { pointerSize } from '#analysis/types/sizes.ts';
import { getOrCreate, memoized } from '#bytes/cache.ts';
import type { Endian } from '#bytes/span.ts';
import { BtfKind, isKnownKind } from '#formats/btf/kinds.ts';
import type { BtfRecord } from '#formats/btf/write-records.ts';
import { type TypeId, typeId } from '#model/ids.ts';
import { nameBytes } from '#model/names.ts';
import { isComposite } from '#model/type-items.ts';
import {
  kindFlagOf,
  kindOf,
  lastId,
  nameOf,
  nameOffOf,
  sizeOrTypeOf,
  type TypeTable,
} from '#model/type-table.ts';
import type { CarriedChoice } from './carry-choice.ts';

/** Types in the form that a link encodes. */
export type CarriedTypes = {
  readonly endian: Endian;
  readonly pointerSize: 4 | 8;
  /** Records; their ids count from 1, and a `name` is an index into `names`. */
  readonly records: readonly BtfRecord[];
  /** Names as bytes without NUL; `names[0]` is the empty name. */
  readonly names: readonly Uint8Array[];
};

/** Returns the records of `choice`, its root first. A reference to an unknown kind becomes void. */
export function carriedTypes(t: TypeTable, choice: CarriedChoice): CarriedTypes {
  const newIds = new Map<TypeId, number>();
  const order: TypeId[] = [];
  const names: Uint8Array[] = [new Uint8Array(0)];
  const nameIndexes = new Map<number, number>([[0, 0]]);
  const newName = (nameOff: number): number =>
    getOrCreate(nameIndexes, nameOff, () => names.push(nameBytes(t, nameOff)) - 1);
  const number = (id: TypeId): number => getOrCreate(newIds, id, () => order.push(id));
  const newId = (id: TypeId): number =>
    isKnownKind(kindOf(t, id)) && (choice.whole.has(id) || choice.declared.has(id))
      ? number(id)
      : 0;

  const records: BtfRecord[] = [];
  const writeNumbered = () => {
    // The list grows in the loop: writing a record numbers the types that it refers to.
    for (let id = order[records.length]; id !== undefined; id = order[records.length]) {
      const record = choice.declared.has(id)
        ? declaration(t, id, newName(nameOffOf(t, id)))
        : copiedRecord(t, id, { newId, newName, keepMember: null });
      if (record === null) throw new Error(`a type of kind ${kindOf(t, id)} was numbered`);
      records.push(record);
    }
  };
  const shared = { endian: t.endian, pointerSize: pointerSize(t), names };
  if (newId(choice.root) === 0) return { ...shared, records };
  writeNumbered();
  for (const id of alsoCarried(t, choice)) number(id);
  writeNumbered();
  return { ...shared, records };
}

function declaration(t: TypeTable, id: TypeId, name: number): BtfRecord {
  const kind = kindOf(t, id);
  if (kind === BtfKind.ENUM || kind === BtfKind.ENUM64) {
    return { kind, name, kindFlag: kindFlagOf(t, id), size: sizeOrTypeOf(t, id), enumerators: [] };
  }
  return { kind: BtfKind.FWD, name, kindFlag: kind === BtfKind.UNION };
}

/** Yields types of the link that no record refers to. */
function* alsoCarried(t: TypeTable, choice: CarriedChoice): Generator<TypeId, void, void> {
  const { tags, shortLong } = companionsOf(t);
  if (shortLong !== null) yield shortLong;
  for (const tag of tags) {
    const target = typeId(sizeOrTypeOf(t, tag));
    if (choice.whole.has(target) && isComposite(kindOf(t, target))) yield tag;
  }
}

type Companions = {
  readonly tags: readonly TypeId[];
  /** The INT `long` of 4 bytes that states the pointer size; null if pointers have 8 bytes. */
  readonly shortLong: TypeId | null;
};

const companionsOf = memoized((t: TypeTable): Companions => {
  const tags: TypeId[] = [];
  let shortLong: TypeId | null = null;
  const isShort = pointerSize(t) === 4;
  for (let at = 1; at <= lastId(t); at++) {
    const id = typeId(at);
    const kind = kindOf(t, id);
    if (kind === BtfKind.DECL_TAG) tags.push(id);
    if (isShort && shortLong === null && kind === BtfKind.INT && isShortLong(t, id)) shortLong = id;
  }
  return { tags, shortLong };
});

function isShortLong(t: TypeTable, id: TypeId): boolean {
  return sizeOrTypeOf(t, id) === 4 && /\blong\b/.test(nameOf(t, id));
}

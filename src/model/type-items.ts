/** Items of a record: members, enumerators, parameters, variables. The functions never throw. */
import type { Endian } from '#bytes/span.ts';
import {
  BTF_ENUM,
  BTF_ENUM64,
  BTF_LOC_SITE,
  BTF_MEMBER,
  BTF_TYPE_SIZE,
  BTF_VAR_SECINFO,
  BtfKind,
  infoKind,
  infoKindFlag,
  infoVlen,
  kindLayout,
  memberBitOffset,
  memberBitSize,
} from '#formats/btf/kinds.ts';
import { type TypeId, typeId } from './ids.ts';
import { infoOf, kindOf, ownerOf, stringAt, type TypeTable, u32At, vlenOf } from './type-table.ts';

export type Member = {
  readonly index: number;
  readonly nameOff: number;
  /** Name of the member, not escaped; empty for an anonymous member. */
  readonly name: string;
  readonly type: TypeId;
  /** Offset in bits from the start of the struct. */
  readonly bitOffset: number;
  /** Width of a bit-field in bits; 0 for a member that is not a bit-field. */
  readonly bitfieldSize: number;
};

export type Enumerator = {
  readonly index: number;
  readonly nameOff: number;
  readonly name: string;
  /** Value, signed if kind_flag is set. ENUM has 32 bits, ENUM64 has 64. */
  readonly value: bigint;
};

export type Param = {
  readonly index: number;
  readonly nameOff: number;
  readonly name: string;
  /** Type id. 0 with an empty name in the last parameter means variable arguments. */
  readonly type: TypeId;
};

export type VarSecinfo = {
  readonly index: number;
  readonly type: TypeId;
  /** Offset in bytes from the start of the section, as stored. */
  readonly offset: number;
  readonly size: number;
};

/** An inlined call of a function. */
export type LocSite = {
  readonly index: number;
  /** Id of the inlined FUNC. */
  readonly func: TypeId;
  /** Id of the LOC_PROTO with the locations of the parameters. */
  readonly locProto: TypeId;
  /** Offset in bytes from the start of the section. */
  readonly offset: number;
};

export function isComposite(kind: number): boolean {
  return kind === BtfKind.STRUCT || kind === BtfKind.UNION;
}

export function isEnum(kind: number): boolean {
  return kind === BtfKind.ENUM || kind === BtfKind.ENUM64;
}

/** Returns the number of members of a STRUCT or UNION; 0 for other kinds. */
export function memberCount(t: TypeTable, id: TypeId): number {
  return isComposite(kindOf(t, id)) ? vlenOf(t, id) : 0;
}

/** Reads the items of one record as numbers. Fields outside of the record are 0. */
export class ItemReader {
  /** Kind of the record (BTF_KIND_*). */
  readonly kind: number;
  /** Number of items; 0 for a kind without items. */
  readonly count: number;
  readonly kindFlag: boolean;
  readonly #blob: Uint8Array;
  readonly #endian: Endian;
  readonly #start: number;
  readonly #end: number;
  readonly #size: number;

  constructor(t: TypeTable, id: TypeId) {
    const table = ownerOf(t, id) ?? t;
    const info = infoOf(t, id);
    const row = id - table.firstId;
    this.kind = infoKind(info);
    this.kindFlag = infoKindFlag(info);
    const { fixed, item } = kindLayout(this.kind) ?? { fixed: 0, item: 0 };
    this.#size = item;
    this.count = this.#size === 0 ? 0 : infoVlen(info);
    this.#blob = table.blob;
    this.#endian = table.endian;
    this.#start = (table.recordOff[row] ?? 0) + BTF_TYPE_SIZE + fixed;
    this.#end = table.recordOff[row + 1] ?? 0;
  }

  /** Returns the u32 at byte `offset` of item `index`. */
  u32(index: number, offset: number): number {
    const at = this.#start + index * this.#size + offset;
    return index < 0 || at + 4 > this.#end ? 0 : u32At(this.#blob, this.#endian, at);
  }

  /** Returns the name offset of a member, enumerator or parameter, which is its first field. */
  nameOff(index: number): number {
    return this.u32(index, BTF_MEMBER.at.name_off);
  }

  type(index: number): TypeId {
    return typeId(this.u32(index, BTF_MEMBER.at.type));
  }

  /** Returns the offset of a member in bits from the start of the struct. */
  bitOffset(index: number): number {
    return memberBitOffset(this.u32(index, BTF_MEMBER.at.offset), this.kindFlag);
  }

  /** Returns the width of a bit-field in bits; 0 for a member that is not a bit-field. */
  bitfieldSize(index: number): number {
    return memberBitSize(this.u32(index, BTF_MEMBER.at.offset), this.kindFlag);
  }
}

/** Returns the items of type `id`; none if `isKind` returns false for its kind. */
function itemsWhere(t: TypeTable, id: TypeId, isKind: (kind: number) => boolean): ItemReader {
  return new ItemReader(t, isKind(kindOf(t, id)) ? id : typeId(0));
}

/** Returns the members of a STRUCT or UNION; none for other kinds. */
export function readMembers(t: TypeTable, id: TypeId): ItemReader {
  return itemsWhere(t, id, isComposite);
}

/** Returns the enumerators of an ENUM or ENUM64; none for other kinds. */
export function readEnumerators(t: TypeTable, id: TypeId): ItemReader {
  return itemsWhere(t, id, isEnum);
}

/** Returns the parameters of a FUNC_PROTO; none for other kinds. */
export function readParams(t: TypeTable, id: TypeId): ItemReader {
  return itemsWhere(t, id, (kind) => kind === BtfKind.FUNC_PROTO);
}

function readVarSecinfos(t: TypeTable, id: TypeId): ItemReader {
  return itemsWhere(t, id, (kind) => kind === BtfKind.DATASEC);
}

function all<T>(items: ItemReader, make: (index: number) => T): T[] {
  return Array.from({ length: items.count }, (_, index) => make(index));
}

/**
 * An item whose name is decoded on access: a struct may have a million members, and a name a
 * million bytes. A class, because objects with a getter of their own take ten times the time and
 * six times the memory. A copy with `...` has no name.
 */
class Named {
  readonly index: number;
  readonly nameOff: number;
  readonly #types: TypeTable;

  constructor(types: TypeTable, items: ItemReader, index: number) {
    this.#types = types;
    this.index = index;
    this.nameOff = items.nameOff(index);
  }

  get name(): string {
    return this.nameOff === 0 ? '' : stringAt(this.#types, this.nameOff);
  }
}

class StoredMember extends Named implements Member {
  readonly type: TypeId;
  readonly bitOffset: number;
  readonly bitfieldSize: number;

  constructor(types: TypeTable, items: ItemReader, index: number) {
    super(types, items, index);
    this.type = items.type(index);
    this.bitOffset = items.bitOffset(index);
    this.bitfieldSize = items.bitfieldSize(index);
  }
}

class StoredEnumerator extends Named implements Enumerator {
  readonly value: bigint;

  constructor(types: TypeTable, items: ItemReader, index: number) {
    super(types, items, index);
    const isWide = items.kind === BtfKind.ENUM64;
    const low = BigInt(items.u32(index, BTF_ENUM.at.val));
    const raw = isWide ? low | (BigInt(items.u32(index, BTF_ENUM64.at.val_hi32)) << 32n) : low;
    this.value = items.kindFlag ? BigInt.asIntN(isWide ? 64 : 32, raw) : raw;
  }
}

class StoredParam extends Named implements Param {
  readonly type: TypeId;

  constructor(types: TypeTable, items: ItemReader, index: number) {
    super(types, items, index);
    this.type = items.type(index);
  }
}

/** Returns member `index` of a STRUCT or UNION; null if there is none. */
export function memberAt(t: TypeTable, id: TypeId, index: number): Member | null {
  const items = readMembers(t, id);
  return index >= 0 && index < items.count ? new StoredMember(t, items, index) : null;
}

/** Returns all members of a STRUCT or UNION, in order; empty for other kinds. */
export function membersOf(t: TypeTable, id: TypeId): Member[] {
  const items = readMembers(t, id);
  return all(items, (index) => new StoredMember(t, items, index));
}

/** Yields the members from number `first` on, in order; none for other kinds. */
export function* membersFrom(
  t: TypeTable,
  id: TypeId,
  first = 0,
): Generator<Member, void, undefined> {
  const items = readMembers(t, id);
  for (let i = first; i < items.count; i++) yield new StoredMember(t, items, i);
}

/** Returns enumerator `index` of an ENUM or ENUM64; null if there is none. Reads only that one. */
export function enumeratorAt(t: TypeTable, id: TypeId, index: number): Enumerator | null {
  const items = readEnumerators(t, id);
  return index >= 0 && index < items.count ? new StoredEnumerator(t, items, index) : null;
}

/** Returns all enumerators of an ENUM or ENUM64; empty for other kinds. */
export function enumeratorsOf(t: TypeTable, id: TypeId): Enumerator[] {
  const items = readEnumerators(t, id);
  return all(items, (index) => new StoredEnumerator(t, items, index));
}

/** Returns all parameters of a FUNC_PROTO; empty for other kinds. */
export function paramsOf(t: TypeTable, id: TypeId): Param[] {
  const items = readParams(t, id);
  return all(items, (index) => new StoredParam(t, items, index));
}

function varSecinfoOf(items: ItemReader, index: number): VarSecinfo {
  const { at } = BTF_VAR_SECINFO;
  return {
    index,
    type: typeId(items.u32(index, at.type)),
    offset: items.u32(index, at.offset),
    size: items.u32(index, at.size),
  };
}

/** Returns variable `index` of a DATASEC; null if there is none. */
export function varSecinfoAt(t: TypeTable, id: TypeId, index: number): VarSecinfo | null {
  const items = readVarSecinfos(t, id);
  return index >= 0 && index < items.count ? varSecinfoOf(items, index) : null;
}

/** Returns all variables of a DATASEC; empty for other kinds. */
export function varSecinfosOf(t: TypeTable, id: TypeId): VarSecinfo[] {
  const items = readVarSecinfos(t, id);
  return all(items, (index) => varSecinfoOf(items, index));
}

/** Returns the words of a LOC_PARAM: registers, then a constant or an offset. */
export function locValuesOf(t: TypeTable, id: TypeId): number[] {
  const items = itemsWhere(t, id, (kind) => kind === BtfKind.LOC_PARAM);
  return all(items, (index) => items.u32(index, 0));
}

/** Returns for each parameter of a LOC_PROTO its LOC_PARAM, or void; empty for other kinds. */
export function locParamsOf(t: TypeTable, id: TypeId): TypeId[] {
  const items = itemsWhere(t, id, (kind) => kind === BtfKind.LOC_PROTO);
  return all(items, (index) => typeId(items.u32(index, 0)));
}

/** Yields the inlined calls of a LOCSEC, in order; none for other kinds. */
export function* locSitesOf(t: TypeTable, id: TypeId): Generator<LocSite, void, undefined> {
  const items = itemsWhere(t, id, (kind) => kind === BtfKind.LOCSEC);
  for (let index = 0; index < items.count; index++) {
    const word = (field: keyof typeof BTF_LOC_SITE.at) => items.u32(index, BTF_LOC_SITE.at[field]);
    yield {
      index,
      func: typeId(word('func')),
      locProto: typeId(word('loc_proto')),
      offset: word('offset'),
    };
  }
}

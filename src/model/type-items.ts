/**
 * What follows a `struct btf_type` item by item: members, enumerators,
 * parameters, variables of a section. Total, like all accessors of the table.
 *
 * The layout of items is that of `formats/btf/kinds.ts`.
 */
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
  /** Empty for an anonymous member. Raw text: escape it when drawn. */
  readonly name: string;
  readonly type: TypeId;
  /** Bits from the start of the struct. */
  readonly bitOffset: number;
  /** Width in bits as stored; 0 = not a bit-field (also where kind_flag is not set). */
  readonly bitfieldSize: number;
};

export type Enumerator = {
  readonly index: number;
  readonly nameOff: number;
  readonly name: string;
  /** Signed or unsigned by kind_flag, 32 or 64 bits by kind. */
  readonly value: bigint;
};

export type Param = {
  readonly index: number;
  readonly nameOff: number;
  readonly name: string;
  /** 0 with an empty name in the last place = variable arguments. */
  readonly type: TypeId;
};

export type VarSecinfo = {
  readonly index: number;
  readonly type: TypeId;
  /** Bytes from the start of the section, as stored. */
  readonly offset: number;
  readonly size: number;
};

/** A call that was inlined. */
export type LocSite = {
  readonly index: number;
  /** The FUNC that was inlined. */
  readonly func: TypeId;
  /** The LOC_PROTO that says where its parameters are. */
  readonly locProto: TypeId;
  /** Bytes from the start of the section. */
  readonly offset: number;
};

/** Is this a kind whose `vlen` counts struct members? */
export function isComposite(kind: number): boolean {
  return kind === BtfKind.STRUCT || kind === BtfKind.UNION;
}

/** Is this ENUM or ENUM64? */
export function isEnum(kind: number): boolean {
  return kind === BtfKind.ENUM || kind === BtfKind.ENUM64;
}

/** Number of members of a STRUCT or UNION; 0 for other kinds. */
export function memberCount(t: TypeTable, id: TypeId): number {
  return isComposite(kindOf(t, id)) ? vlenOf(t, id) : 0;
}

/**
 * The items of one record, read number by number: a search over the million members of
 * a hostile struct must not make a million objects. Fields outside of the record are 0.
 */
export class ItemReader {
  /** BTF_KIND_* of the record. */
  readonly kind: number;
  /** Number of items; 0 for kinds that have none. */
  readonly count: number;
  readonly kindFlag: boolean;
  readonly #blob: Uint8Array;
  readonly #endian: Endian;
  readonly #start: number;
  readonly #end: number;
  readonly #size: number;

  constructor(t: TypeTable, id: TypeId) {
    const owner = ownerOf(t, id) ?? t;
    const info = infoOf(t, id);
    const row = id - owner.firstId;
    this.kind = infoKind(info);
    this.kindFlag = infoKindFlag(info);
    const { fixed, item } = kindLayout(this.kind) ?? { fixed: 0, item: 0 };
    this.#size = item;
    this.count = this.#size === 0 ? 0 : infoVlen(info);
    this.#blob = owner.blob;
    this.#endian = owner.endian;
    this.#start = (owner.recordOff[row] ?? 0) + BTF_TYPE_SIZE + fixed;
    this.#end = owner.recordOff[row + 1] ?? 0;
  }

  /** The u32 at `offset` of item `index`. */
  u32(index: number, offset: number): number {
    const at = this.#start + index * this.#size + offset;
    return index < 0 || at + 4 > this.#end ? 0 : u32At(this.#blob, this.#endian, at);
  }

  /** Of a member, enumerator or parameter, which all begin with it. */
  nameOff(index: number): number {
    return this.u32(index, BTF_MEMBER.at.name_off);
  }

  /** Of a member or parameter. */
  type(index: number): TypeId {
    return typeId(this.u32(index, BTF_MEMBER.at.type));
  }

  /** Bits from the start of the struct to a member. */
  bitOffset(index: number): number {
    return memberBitOffset(this.u32(index, BTF_MEMBER.at.offset), this.kindFlag);
  }

  /** Width of a member in bits; 0 = not a bit-field. */
  bitfieldSize(index: number): number {
    return memberBitSize(this.u32(index, BTF_MEMBER.at.offset), this.kindFlag);
  }
}

/** The items of `id` when `isKind` takes its kind; none for other kinds. */
function itemsWhere(t: TypeTable, id: TypeId, isKind: (kind: number) => boolean): ItemReader {
  return new ItemReader(t, isKind(kindOf(t, id)) ? id : typeId(0));
}

/** Members of a STRUCT or UNION; none for other kinds. */
export function readMembers(t: TypeTable, id: TypeId): ItemReader {
  return itemsWhere(t, id, isComposite);
}

/** Enumerators of an ENUM or ENUM64; none for other kinds. */
export function readEnumerators(t: TypeTable, id: TypeId): ItemReader {
  return itemsWhere(t, id, isEnum);
}

/** Parameters of a FUNC_PROTO; none for other kinds. */
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
 * What begins with a name, which is read when it is asked for: a struct may have a million
 * members, and a name a million bytes. A class, as each object with a getter of its own has
 * a shape of its own: ten times the time, six times the memory. A copy by `...` lacks the name.
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

/** Member `index` of a STRUCT or UNION; null outside. */
export function memberAt(t: TypeTable, id: TypeId, index: number): Member | null {
  const items = readMembers(t, id);
  return index >= 0 && index < items.count ? new StoredMember(t, items, index) : null;
}

/** All members of a STRUCT or UNION, in order; empty for other kinds. */
export function membersOf(t: TypeTable, id: TypeId): Member[] {
  const items = readMembers(t, id);
  return all(items, (index) => new StoredMember(t, items, index));
}

/** Members in order from number `first` on, each made when it is asked for; none for other kinds. */
export function* membersFrom(
  t: TypeTable,
  id: TypeId,
  first = 0,
): Generator<Member, void, undefined> {
  const items = readMembers(t, id);
  for (let i = first; i < items.count; i++) yield new StoredMember(t, items, i);
}

/** Enumerator `index` of an ENUM or ENUM64, without reading the others; null outside. */
export function enumeratorAt(t: TypeTable, id: TypeId, index: number): Enumerator | null {
  const items = readEnumerators(t, id);
  return index >= 0 && index < items.count ? new StoredEnumerator(t, items, index) : null;
}

/** All enumerators of an ENUM or ENUM64; empty for other kinds. Names are read when they are asked for. */
export function enumeratorsOf(t: TypeTable, id: TypeId): Enumerator[] {
  const items = readEnumerators(t, id);
  return all(items, (index) => new StoredEnumerator(t, items, index));
}

/** All parameters of a FUNC_PROTO; empty for other kinds. */
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

/** Variable `index` of a DATASEC; null outside, and for other kinds. */
export function varSecinfoAt(t: TypeTable, id: TypeId, index: number): VarSecinfo | null {
  const items = readVarSecinfos(t, id);
  return index >= 0 && index < items.count ? varSecinfoOf(items, index) : null;
}

/** All variables of a DATASEC; empty for other kinds. */
export function varSecinfosOf(t: TypeTable, id: TypeId): VarSecinfo[] {
  const items = readVarSecinfos(t, id);
  return all(items, (index) => varSecinfoOf(items, index));
}

/** The words of a LOC_PARAM: registers, then a constant or an offset. None for other kinds. */
export function locValuesOf(t: TypeTable, id: TypeId): number[] {
  const items = itemsWhere(t, id, (kind) => kind === BtfKind.LOC_PARAM);
  return all(items, (index) => items.u32(index, 0));
}

/** The parameters of a LOC_PROTO: a LOC_PARAM each, or void. None for other kinds. */
export function locParamsOf(t: TypeTable, id: TypeId): TypeId[] {
  const items = itemsWhere(t, id, (kind) => kind === BtfKind.LOC_PROTO);
  return all(items, (index) => typeId(items.u32(index, 0)));
}

/** Calls that were inlined into the section of a LOCSEC, in its order; none for other kinds. */
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

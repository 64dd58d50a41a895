/**
 * What follows a `struct btf_type` item by item: members, enumerators,
 * parameters, variables of a section. Total, like all accessors of the table.
 *
 * Source: "BTF Type Format", sections 2.2.4 to 2.2.19.
 */
import { BTF_TYPE_SIZE, BtfKind } from '#formats/btf/kinds.ts';
import { type TypeId, typeId } from './ids.ts';
import {
  kindFlagOf,
  kindOf,
  ownerOf,
  recordBytes,
  stringAt,
  type TypeTable,
  vlenOf,
} from './type-table.ts';

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

/** Is this a kind whose `vlen` counts struct members? */
export function isComposite(kind: number): boolean {
  return kind === BtfKind.STRUCT || kind === BtfKind.UNION;
}

/** Number of members of a STRUCT or UNION; 0 for other kinds. */
export function memberCount(t: TypeTable, id: TypeId): number {
  return isComposite(kindOf(t, id)) ? vlenOf(t, id) : 0;
}

function reader(t: TypeTable, id: TypeId): (offset: number) => number {
  const bytes = recordBytes(t, id);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const little = (ownerOf(t, id) ?? t).endian === 'little';
  return (offset) => (offset + 4 <= bytes.length ? view.getUint32(offset, little) : 0);
}

/** Member `index` of a STRUCT or UNION; null outside. */
export function memberAt(t: TypeTable, id: TypeId, index: number): Member | null {
  if (index < 0 || index >= memberCount(t, id)) return null;
  return readMember(t, reader(t, id), index, kindFlagOf(t, id));
}

/** All members of a STRUCT or UNION, in order; empty for other kinds. */
export function membersOf(t: TypeTable, id: TypeId): Member[] {
  const u32 = reader(t, id);
  const flag = kindFlagOf(t, id);
  return Array.from({ length: memberCount(t, id) }, (_, i) => readMember(t, u32, i, flag));
}

/** Members in order from number `first` on, each made when it is asked for; none for other kinds. */
export function* membersFrom(
  t: TypeTable,
  id: TypeId,
  first = 0,
): Generator<Member, void, undefined> {
  const u32 = reader(t, id);
  const flag = kindFlagOf(t, id);
  const count = memberCount(t, id);
  for (let i = first; i < count; i++) yield readMember(t, u32, i, flag);
}

/**
 * Calls `visit` with the numbers of each member from number `first` on (bits from the
 * start, width as stored) until it gives false; nothing is made for a member, which
 * counts where there are a million.
 */
export function visitMembers(
  t: TypeTable,
  id: TypeId,
  first: number,
  visit: (index: number, type: TypeId, bitOffset: number, bitfieldSize: number) => boolean,
): void {
  const u32 = reader(t, id);
  const flag = kindFlagOf(t, id);
  const count = memberCount(t, id);
  for (let i = first; i < count; i++) {
    const at = BTF_TYPE_SIZE + 12 * i;
    const offset = u32(at + 8);
    const bitOffset = flag ? offset & 0xffffff : offset;
    if (!visit(i, typeId(u32(at + 4)), bitOffset, flag ? offset >>> 24 : 0)) return;
  }
}

function readMember(
  t: TypeTable,
  u32: (offset: number) => number,
  index: number,
  kindFlag: boolean,
): Member {
  const at = BTF_TYPE_SIZE + 12 * index;
  const nameOff = u32(at);
  const offset = u32(at + 8);
  return {
    index,
    nameOff,
    // When it is asked for: a struct may have a million members, and a name a million bytes.
    get name() {
      return nameOff === 0 ? '' : stringAt(t, nameOff);
    },
    type: typeId(u32(at + 4)),
    bitOffset: kindFlag ? offset & 0xffffff : offset,
    bitfieldSize: kindFlag ? offset >>> 24 : 0,
  };
}

/** All enumerators of an ENUM or ENUM64; empty for other kinds. */
export function enumeratorsOf(t: TypeTable, id: TypeId): Enumerator[] {
  const kind = kindOf(t, id);
  const wide = kind === BtfKind.ENUM64;
  if (!wide && kind !== BtfKind.ENUM) return [];
  const u32 = reader(t, id);
  const signed = kindFlagOf(t, id);
  return Array.from({ length: vlenOf(t, id) }, (_, index) => {
    const at = BTF_TYPE_SIZE + (wide ? 12 : 8) * index;
    const nameOff = u32(at);
    const raw = BigInt(u32(at + 4)) | (wide ? BigInt(u32(at + 8)) << 32n : 0n);
    return {
      index,
      nameOff,
      get name() {
        return stringAt(t, nameOff);
      },
      value: signed ? BigInt.asIntN(wide ? 64 : 32, raw) : raw,
    };
  });
}

/** All parameters of a FUNC_PROTO; empty for other kinds. */
export function paramsOf(t: TypeTable, id: TypeId): Param[] {
  if (kindOf(t, id) !== BtfKind.FUNC_PROTO) return [];
  const u32 = reader(t, id);
  return Array.from({ length: vlenOf(t, id) }, (_, index) => {
    const at = BTF_TYPE_SIZE + 8 * index;
    const nameOff = u32(at);
    return {
      index,
      nameOff,
      get name() {
        return nameOff === 0 ? '' : stringAt(t, nameOff);
      },
      type: typeId(u32(at + 4)),
    };
  });
}

/** Variable `index` of a DATASEC; null outside, and for other kinds. */
export function varSecinfoAt(t: TypeTable, id: TypeId, index: number): VarSecinfo | null {
  const isInside = kindOf(t, id) === BtfKind.DATASEC && index >= 0 && index < vlenOf(t, id);
  return isInside ? readVarSecinfo(reader(t, id), index) : null;
}

function readVarSecinfo(u32: (offset: number) => number, index: number): VarSecinfo {
  const at = BTF_TYPE_SIZE + 12 * index;
  return { index, type: typeId(u32(at)), offset: u32(at + 4), size: u32(at + 8) };
}

/** All variables of a DATASEC; empty for other kinds. */
export function varSecinfosOf(t: TypeTable, id: TypeId): VarSecinfo[] {
  if (kindOf(t, id) !== BtfKind.DATASEC) return [];
  const u32 = reader(t, id);
  return Array.from({ length: vlenOf(t, id) }, (_, index) => readVarSecinfo(u32, index));
}

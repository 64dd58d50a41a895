/**
 * Copies types of a table to a new BTF blob, in a given order, with new ids and strings. A
 * reference to a type outside the copy becomes void, as in `bpftool gen min_core_btf`. Works on
 * damaged tables, too. Source: "BTF Type Format", section 2.2.
 */
import { getOrCreate } from '#bytes/cache.ts';
import type { Endian } from '#bytes/span.ts';
import { BtfKind, CLASSIC_MAX_VLEN, kindLayout } from '#formats/btf/kinds.ts';
import { type BtfEncoding, BtfWriter } from '#formats/btf/write.ts';
import type { BtfRecord } from '#formats/btf/write-records.ts';
import { type TypeId, typeId } from '#model/ids.ts';
import { nameBytes } from '#model/names.ts';
import {
  enumeratorsOf,
  locParamsOf,
  locSitesOf,
  locValuesOf,
  type Member,
  membersOf,
  paramsOf,
  varSecinfosOf,
} from '#model/type-items.ts';
import {
  arrayData,
  componentIdx,
  hasType,
  intData,
  kindFlagOf,
  kindOf,
  locFlags,
  nameOffOf,
  sizeOrTypeOf,
  type TypeTable,
  varLinkage,
  vlenOf,
} from '#model/type-table.ts';

export type CopyOptions = {
  /** Byte order of the copy. Default: the byte order of the table. */
  readonly endian?: Endian;
  /** Encoding of the copy. Default: classic, or wide if a record has too many items for classic. */
  readonly encoding?: BtfEncoding;
  /** Returns true for each STRUCT or UNION member to copy. DECL_TAGs keep their component_idx. */
  readonly keepMember?: (id: TypeId, index: number) => boolean;
  /** True to write split BTF, which refers to types and strings of the table's base. */
  readonly keepBase?: boolean;
};

export type CopiedTypes = {
  readonly blob: Uint8Array<ArrayBuffer>;
  /** Maps ids in the table to ids in the copy. */
  readonly idMap: ReadonlyMap<TypeId, number>;
  /** Requested ids that cannot be copied: absent types and unknown kinds. */
  readonly leftOut: readonly TypeId[];
  /** Number of names that were not copied because all names exceed `MAX_NAME_BYTES`. */
  readonly lostNames: number;
};

/** Copies the types `ids` of `t`, each once. Never throws for damaged types. */
export function copyTypes(
  t: TypeTable,
  ids: Iterable<TypeId>,
  options: CopyOptions = {},
): CopiedTypes {
  const { keepBase = false, keepMember } = options;
  const firstId = keepBase ? t.firstId : 1;
  const idMap = new Map<TypeId, number>();
  const leftOut: TypeId[] = [];
  let maxItems = 0;
  for (const id of ids) {
    if (idMap.has(id)) continue;
    if (!hasType(t, id) || kindLayout(kindOf(t, id)) === null || (keepBase && id < firstId)) {
      leftOut.push(id);
      continue;
    }
    idMap.set(id, firstId + idMap.size);
    maxItems = Math.max(maxItems, writtenVlen(t, id));
  }
  const writer = new BtfWriter({
    endian: options.endian ?? t.endian,
    encoding: options.encoding ?? (maxItems > CLASSIC_MAX_VLEN ? 'wide' : 'classic'),
    ...(keepBase ? { base: { firstId, strLen: t.strBase } } : {}),
  });
  const names = new NameCopier(t, writer, keepBase ? t.strBase : 0);
  const newId = (id: TypeId): number => (keepBase && id < firstId ? id : (idMap.get(id) ?? 0));
  for (const id of idMap.keys()) {
    const record = copiedRecord(t, id, {
      newId,
      newName: (nameOff) => names.offsetOf(nameOff),
      keepMember: keepMember === undefined ? null : (index) => keepMember(id, index),
    });
    if (record !== null) writer.addType(record);
  }
  return { blob: writer.finish(), idMap, leftOut, lostNames: names.lost };
}

/** Returns the vlen to write. It is 0 for kinds that have no items, except for FUNC. */
function writtenVlen(t: TypeTable, id: TypeId): number {
  const kind = kindOf(t, id);
  return kind === BtfKind.FUNC || kindLayout(kind)?.item !== 0 ? vlenOf(t, id) : 0;
}

/** Limits the bytes of all names: names that share bytes in a file are separate in the copy. */
export const MAX_NAME_BYTES = 1 << 28;

class NameCopier {
  readonly #table: TypeTable;
  readonly #writer: BtfWriter;
  readonly #ownStart: number;
  readonly #offsets = new Map<number, number>();
  #bytes = 0;
  #lost = 0;

  /** Strings below `ownStart` belong to the base, so their offsets stay the same. */
  constructor(table: TypeTable, writer: BtfWriter, ownStart: number) {
    this.#table = table;
    this.#writer = writer;
    this.#ownStart = ownStart;
  }

  get lost(): number {
    return this.#lost;
  }

  /** Returns the new `name_off` for an old one; 0 for an empty name and for an invalid offset. */
  offsetOf(nameOff: number): number {
    if (nameOff < this.#ownStart) return nameOff;
    return getOrCreate(this.#offsets, nameOff, () => this.#copy(nameBytes(this.#table, nameOff)));
  }

  #copy(name: Uint8Array): number {
    if (this.#bytes + name.length > MAX_NAME_BYTES) {
      this.#lost += 1;
      return 0;
    }
    this.#bytes += name.length;
    return this.#writer.addString(name);
  }
}

type CopyMaps = {
  readonly newId: (id: TypeId) => number;
  readonly newName: (nameOff: number) => number;
  /** Returns true for members to copy. Null to copy all members, and kind_flag unchanged. */
  readonly keepMember: ((index: number) => boolean) | null;
};

/** Returns record `id` with ids and names replaced by `maps`, or null for an unknown kind. */
export function copiedRecord(t: TypeTable, id: TypeId, maps: CopyMaps): BtfRecord | null {
  const { newId, newName } = maps;
  const head = { name: newName(nameOffOf(t, id)), kindFlag: kindFlagOf(t, id) };
  const size = sizeOrTypeOf(t, id);
  const type = () => newId(typeId(size));
  const kind = kindOf(t, id);
  switch (kind) {
    case BtfKind.INT:
      return { ...head, kind, size, ...intData(t, id) };
    case BtfKind.FLOAT:
      return { ...head, kind, size };
    case BtfKind.FWD:
      return { ...head, kind };
    case BtfKind.PTR:
    case BtfKind.CONST:
    case BtfKind.VOLATILE:
    case BtfKind.RESTRICT:
    case BtfKind.TYPEDEF:
    case BtfKind.TYPE_TAG:
      return { ...head, kind, type: type() };
    case BtfKind.FUNC:
      return { ...head, kind, type: type(), linkage: vlenOf(t, id) };
    case BtfKind.VAR:
      return { ...head, kind, type: type(), linkage: varLinkage(t, id) };
    case BtfKind.DECL_TAG:
      return { ...head, kind, type: type(), componentIdx: componentIdx(t, id) };
    case BtfKind.ARRAY: {
      const { elemType, indexType, nelems } = arrayData(t, id);
      return { ...head, kind, elemType: newId(elemType), indexType: newId(indexType), nelems };
    }
    case BtfKind.STRUCT:
    case BtfKind.UNION: {
      const { members, kindFlag } = copiedMembers(t, id, maps);
      return { ...head, kindFlag, kind, size, members };
    }
    case BtfKind.ENUM:
    case BtfKind.ENUM64: {
      const enumerators = enumeratorsOf(t, id).map(({ nameOff, value }) => ({
        name: newName(nameOff),
        value,
      }));
      return { ...head, kind, size, enumerators };
    }
    case BtfKind.FUNC_PROTO: {
      const params = paramsOf(t, id).map((param) => ({
        name: newName(param.nameOff),
        type: newId(param.type),
      }));
      return { ...head, kind, type: type(), params };
    }
    case BtfKind.DATASEC: {
      const secinfos = varSecinfosOf(t, id).map((info) => ({
        type: newId(info.type),
        offset: info.offset,
        size: info.size,
      }));
      return { ...head, kind, size, secinfos };
    }
    case BtfKind.LOC_PARAM:
      return { ...head, kind, size, flags: locFlags(t, id), values: locValuesOf(t, id) };
    case BtfKind.LOC_PROTO:
      return { ...head, kind, locations: locParamsOf(t, id).map(newId) };
    case BtfKind.LOCSEC: {
      const sites = Array.from(locSitesOf(t, id), ({ func, locProto, offset }) => ({
        func: newId(func),
        locProto: newId(locProto),
        offset,
      }));
      return { ...head, kind, sites };
    }
    default:
      return null;
  }
}

function copiedMembers(t: TypeTable, id: TypeId, { newId, newName, keepMember }: CopyMaps) {
  const all = membersOf(t, id);
  const members = keepMember === null ? all : all.filter((m) => keepMember(m.index));
  return {
    kindFlag: keepMember === null ? kindFlagOf(t, id) : needsKindFlag(members),
    members: members.map(({ nameOff, type, bitOffset, bitfieldSize }) => ({
      name: newName(nameOff),
      type: newId(type),
      bitOffset,
      bitfieldSize,
    })),
  };
}

const FLAGGED_MAX_BIT_OFFSET = 0xffffff;

/** Bit-fields need kind_flag, which limits offsets to 24 bits (libbpf's `btf__add_field`). */
function needsKindFlag(members: readonly Member[]): boolean {
  return (
    members.some((m) => m.bitfieldSize > 0 || m.bitOffset % 8 !== 0) &&
    members.every((m) => m.bitOffset <= FLAGGED_MAX_BIT_OFFSET)
  );
}

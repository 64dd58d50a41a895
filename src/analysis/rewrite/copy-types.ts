/**
 * Copies types of one table to a BTF blob with new ids and strings.
 *
 * In: a table and the ids to copy, in the order in which they shall stand. Out:
 * the blob, and which id became which. Only what was asked for is copied: a
 * reference to anything else becomes void, as in `bpftool gen min_core_btf`.
 * Total on any table: what cannot be copied is told, never thrown.
 *
 * Source of the records: "BTF Type Format", section 2.2.
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
  /** That of the table by default. */
  readonly endian?: Endian;
  /** By default the classic one, unless a record has more items than that can count. */
  readonly encoding?: BtfEncoding;
  /**
   * Members of a STRUCT or UNION to copy; all by default. kind_flag is then set
   * anew, by the members that are left. Tags on members are not renumbered.
   */
  readonly keepMember?: (id: TypeId, index: number) => boolean;
  /** For split BTF: leave references to the base and its strings as they are, and write split BTF. */
  readonly keepBase?: boolean;
};

export type CopiedTypes = {
  readonly blob: Uint8Array<ArrayBuffer>;
  /** New id by old id. */
  readonly idMap: ReadonlyMap<TypeId, number>;
  /** Requested ids that were not copied: no such type, or an unknown kind. */
  readonly leftOut: readonly TypeId[];
  /** Number of names left out, since all names together exceed `MAX_NAME_BYTES`. */
  readonly lostNames: number;
};

/** Copies `ids` of `t`; a repeated id is copied once. Never throws on the contents of the table. */
export function copyTypes(
  t: TypeTable,
  ids: Iterable<TypeId>,
  options: CopyOptions = {},
): CopiedTypes {
  const { keepBase = false, keepMember } = options;
  const firstId = keepBase ? t.firstId : 1;
  const idMap = new Map<TypeId, number>();
  const leftOut: TypeId[] = [];
  let mostItems = 0;
  for (const id of ids) {
    if (idMap.has(id)) continue;
    if (!hasType(t, id) || kindLayout(kindOf(t, id)) === null || (keepBase && id < firstId)) {
      leftOut.push(id);
      continue;
    }
    idMap.set(id, firstId + idMap.size);
    mostItems = Math.max(mostItems, writtenVlen(t, id));
  }
  const writer = new BtfWriter({
    endian: options.endian ?? t.endian,
    encoding: options.encoding ?? (mostItems > CLASSIC_MAX_VLEN ? 'wide' : 'classic'),
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

/** Kinds without items have nothing in `vlen`, but for FUNC, which has its linkage there. */
function writtenVlen(t: TypeTable, id: TypeId): number {
  const kind = kindOf(t, id);
  return kind === BtfKind.FUNC || kindLayout(kind)?.item !== 0 ? vlenOf(t, id) : 0;
}

/**
 * Bytes of all names together. Names may share their bytes in a file, each one
 * being the tail of the next, and are written apart: a megabyte could become
 * half a terabyte.
 */
export const MAX_NAME_BYTES = 1 << 28;

class NameCopier {
  readonly #table: TypeTable;
  readonly #writer: BtfWriter;
  readonly #keptBelow: number;
  readonly #offsets = new Map<number, number>();
  #bytes = 0;
  #lost = 0;

  /** Offsets below `keptBelow` are the base's, and stay as they are. */
  constructor(table: TypeTable, writer: BtfWriter, keptBelow: number) {
    this.#table = table;
    this.#writer = writer;
    this.#keptBelow = keptBelow;
  }

  /** Number of names left out at the limit. */
  get lost(): number {
    return this.#lost;
  }

  /** Returns the new `name_off` for an old one; 0 for an empty name and for an offset outside the strings. */
  offsetOf(nameOff: number): number {
    if (nameOff < this.#keptBelow) return nameOff;
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

/** A record of a table for the writer, with new ids and names. */

type CopyMaps = {
  readonly newId: (id: TypeId) => number;
  /** Returns the `name_off` in the written strings. */
  readonly newName: (nameOff: number) => number;
  /** Members to copy; null copies all, and keeps kind_flag. */
  readonly keepMember: ((index: number) => boolean) | null;
};

/** Returns record `id` with the ids and names of `maps`; null for an unknown kind. */
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
      const { members, kindFlag } = keptMembers(t, id, maps);
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

function keptMembers(t: TypeTable, id: TypeId, { newId, newName, keepMember }: CopyMaps) {
  const kept =
    keepMember === null ? membersOf(t, id) : membersOf(t, id).filter((m) => keepMember(m.index));
  return {
    kindFlag: keepMember === null ? kindFlagOf(t, id) : needsKindFlag(kept),
    members: kept.map(({ nameOff, type, bitOffset, bitfieldSize }) => ({
      name: newName(nameOff),
      type: newId(type),
      bitOffset,
      bitfieldSize,
    })),
  };
}

const FLAGGED_MAX_BIT_OFFSET = 0xffffff;

/**
 * As libbpf's `btf__add_field` decides it: a width, or an odd bit, makes a
 * bit-field. The flag leaves only 24 bits for offsets, so far ones do without.
 */
function needsKindFlag(members: readonly Member[]): boolean {
  return (
    members.some((m) => m.bitfieldSize > 0 || m.bitOffset % 8 !== 0) &&
    members.every((m) => m.bitOffset <= FLAGGED_MAX_BIT_OFFSET)
  );
}

/** One record of a table as the writer takes it, with other ids and names. */
import { BtfKind } from '#formats/btf/kinds.ts';
import type { BtfRecord } from '#formats/btf/write-records.ts';
import { type TypeId, typeId } from '#model/ids.ts';
import {
  enumeratorsOf,
  type Member,
  membersOf,
  paramsOf,
  varSecinfosOf,
} from '#model/type-items.ts';
import {
  arrayData,
  componentIdx,
  intData,
  kindFlagOf,
  kindOf,
  nameOffOf,
  sizeOrTypeOf,
  type TypeTable,
  varLinkage,
  vlenOf,
} from '#model/type-table.ts';

export type CopyMaps = {
  readonly newId: (id: TypeId) => number;
  /** `name_off` in the strings that are written. */
  readonly newName: (nameOff: number) => number;
  /** Which members stay; null = all, and kind_flag as it is. */
  readonly keepMember: ((index: number) => boolean) | null;
};

/** What `id` is, with ids and names as `maps` say; null for kinds that are not known. */
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

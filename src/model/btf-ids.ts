/** Ids in the section `.BTF_ids` of a kernel or module as columns, in section order. */
import { decodeName } from '#bytes/text.ts';
import { type Columns, newColumns } from './columns.ts';

export const BTF_ID_COLUMNS = {
  /** Offset of the id in bytes from the start of the section. */
  byteOffset: Uint32Array,
  /** Id as stored, or relocated together with the types if the user chose another base. */
  id: Uint32Array,
  /** Word after an id in a set8: flags KF_* of kernel functions. 0 in other groups. */
  flags: Uint32Array,
  /** Row in `groups` of the group that contains the id. */
  group: Uint32Array,
  /** Offset in `names` of the kind of type (`struct`, `func`); 0 (the empty name) if unknown. */
  kindOff: Uint32Array,
  nameOff: Uint32Array,
};

export type BtfIdTable = Columns<typeof BTF_ID_COLUMNS> & {
  readonly count: number;
  /** File offset of the section; null if there is none or it is stored compressed. */
  readonly fileOffset: number | null;
  /** NUL-terminated names. The first name is empty. */
  readonly names: Uint8Array;
  readonly groups: BtfIdGroups;
};

const GROUP_COLUMNS = {
  /** Kind of group (see `BtfIdGroupType`). */
  type: Uint8Array,
  nameOff: Uint32Array,
  byteOffset: Uint32Array,
  /** Field `cnt` of a set as stored; for a list the number of ids. */
  cnt: Uint32Array,
  /** Field `flags` of a set8. 1 means kernel functions (BTF_SET8_KFUNCS). */
  flags: Uint32Array,
};

export type BtfIdGroups = Columns<typeof GROUP_COLUMNS> & { readonly count: number };

/** Kinds of groups. `words` are ids without a symbol. */
export const BtfIdGroupType = { words: 0, list: 1, set: 2, set8: 3 } as const;

export const NO_BTF_IDS: BtfIdTable = {
  count: 0,
  fileOffset: null,
  names: new Uint8Array(1),
  groups: { count: 0, ...newColumns(GROUP_COLUMNS, 0) },
  ...newColumns(BTF_ID_COLUMNS, 0),
};

/**
 * Returns the name of the type in a row; empty if it is unknown. An id 0 without a symbol in a list
 * is `BTF_ID_UNUSED`. Source: include/linux/btf_ids.h.
 */
export function btfIdName(ids: BtfIdTable, row: number): string {
  const name = decodeName(ids.names, ids.nameOff[row] ?? 0);
  const isInList = ids.groups.type[ids.group[row] ?? -1] === BtfIdGroupType.list;
  return name === '' && isInList && ids.id[row] === 0 ? 'BTF_ID_UNUSED' : name;
}

/** Returns the kind of the type in a row (`struct`, `func`); empty if it is unknown. */
export function btfIdKind(ids: BtfIdTable, row: number): string {
  return decodeName(ids.names, ids.kindOff[row] ?? 0);
}

/** Returns the name of the list or set of a row; empty if it has no symbol. */
export function btfIdGroupName(ids: BtfIdTable, row: number): string {
  return decodeName(ids.names, ids.groups.nameOff[ids.group[row] ?? -1] ?? 0);
}

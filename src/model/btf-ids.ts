/** The ids in the `.BTF_ids` section of a kernel or module, as columns, in section order. */
import { decodeName } from '#bytes/text.ts';
import { type Columns, newColumns } from './columns.ts';

export const BTF_ID_COLUMNS = {
  /** Bytes from the start of the section to each id. */
  byteOffset: Uint32Array,
  /** Id as stored; shifted if the types were relocated to a base that the user chose. */
  id: Uint32Array,
  /** The word after an id in a set8: KF_* of kernel functions. 0 for others. */
  flags: Uint32Array,
  /** Row in `groups`. */
  group: Uint32Array,
  /** Offset in `names` of the kind of type (`struct`, `func`); 0, the empty name, if unknown. */
  kindOff: Uint32Array,
  nameOff: Uint32Array,
};

export type BtfIdTable = Columns<typeof BTF_ID_COLUMNS> & {
  readonly count: number;
  /** File offset of the section; null if there is none or it was stored compressed. */
  readonly fileOffset: number | null;
  /** NUL-terminated names, the empty name first. */
  readonly names: Uint8Array;
  readonly groups: BtfIdGroups;
};

const GROUP_COLUMNS = {
  /** See `BtfIdGroupType`. */
  type: Uint8Array,
  nameOff: Uint32Array,
  byteOffset: Uint32Array,
  /** `cnt` of a set as stored; the number of ids of a list. */
  cnt: Uint32Array,
  /** `flags` of a set8: 1 = kernel functions (BTF_SET8_KFUNCS). */
  flags: Uint32Array,
};

export type BtfIdGroups = Columns<typeof GROUP_COLUMNS> & { readonly count: number };

/** `words`: ids without a symbol. */
export const BtfIdGroupType = { words: 0, list: 1, set: 2, set8: 3 } as const;

export const NO_BTF_IDS: BtfIdTable = {
  count: 0,
  fileOffset: null,
  names: new Uint8Array(1),
  groups: { count: 0, ...newColumns(GROUP_COLUMNS, 0) },
  ...newColumns(BTF_ID_COLUMNS, 0),
};

/**
 * Returns the name of the type of a row; empty if unknown. A 0 without a symbol in a list is
 * `BTF_ID_UNUSED`. Source: include/linux/btf_ids.h.
 */
export function btfIdName(ids: BtfIdTable, row: number): string {
  const name = decodeName(ids.names, ids.nameOff[row] ?? 0);
  const isInList = ids.groups.type[ids.group[row] ?? -1] === BtfIdGroupType.list;
  return name === '' && isInList && ids.id[row] === 0 ? 'BTF_ID_UNUSED' : name;
}

/** Returns `struct`, `union`, `typedef`, `func` …; empty if unknown. */
export function btfIdKind(ids: BtfIdTable, row: number): string {
  return decodeName(ids.names, ids.kindOff[row] ?? 0);
}

/** Returns the name of the list or set of a row; empty without a symbol. */
export function btfIdGroupName(ids: BtfIdTable, row: number): string {
  return decodeName(ids.names, ids.groups.nameOff[ids.group[row] ?? -1] ?? 0);
}

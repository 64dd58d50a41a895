/** The ids in the `.BTF_ids` section of a kernel or module, as columns, in the order of the section. */
import { decodeName } from '#bytes/text.ts';
import { type Columns, newColumns } from './columns.ts';

/** One row for each id. */
export const BTF_ID_COLUMNS = {
  /** Bytes from the start of the section to each id. */
  byteOffset: Uint32Array,
  /** As stored; moved along where the types were moved to a base that a person chose. */
  id: Uint32Array,
  /** What stands beside an id in a set8: KF_* of kernel functions. 0 for others. */
  flags: Uint32Array,
  /** Row in `groups`. */
  group: Uint32Array,
  /** Offsets in `names`: what sort of type is meant (`struct`, `func`) and its name; 0, the empty name, where that is not known. */
  kindOff: Uint32Array,
  nameOff: Uint32Array,
};

export type BtfIdTable = Columns<typeof BTF_ID_COLUMNS> & {
  readonly count: number;
  /** File offset of the section; null where there is none, or where it was stored compressed. */
  readonly fileOffset: number | null;
  /** Names that end with NUL, the empty one first. */
  readonly names: Uint8Array;
  readonly groups: BtfIdGroups;
};

/** One row for each list or set. */
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

/** Lists and sets, in the order of the section. */
export type BtfIdGroups = Columns<typeof GROUP_COLUMNS> & { readonly count: number };

/** `words`: ids that no symbol says anything of. */
export const BtfIdGroupType = { words: 0, list: 1, set: 2, set8: 3 } as const;

export const NO_BTF_IDS: BtfIdTable = {
  count: 0,
  fileOffset: null,
  names: new Uint8Array(1),
  groups: { count: 0, ...newColumns(GROUP_COLUMNS, 0) },
  ...newColumns(BTF_ID_COLUMNS, 0),
};

/**
 * Name of the type that row `row` asks for; empty where it is not known. A 0 without a symbol
 * in a list is `BTF_ID_UNUSED`. Source: include/linux/btf_ids.h.
 */
export function btfIdName(ids: BtfIdTable, row: number): string {
  const name = decodeName(ids.names, ids.nameOff[row] ?? 0);
  const isInList = ids.groups.type[ids.group[row] ?? -1] === BtfIdGroupType.list;
  return name === '' && isInList && ids.id[row] === 0 ? 'BTF_ID_UNUSED' : name;
}

/** `struct`, `union`, `typedef`, `func` …; empty where it is not known. */
export function btfIdKind(ids: BtfIdTable, row: number): string {
  return decodeName(ids.names, ids.kindOff[row] ?? 0);
}

/** Name of the list or set that row `row` belongs to; empty where no symbol has one. */
export function btfIdGroupName(ids: BtfIdTable, row: number): string {
  return decodeName(ids.names, ids.groups.nameOff[ids.group[row] ?? -1] ?? 0);
}

/** The records of `.BTF.ext` as columns: func_info, line_info and CO-RE relocations. Strings live in `.BTF`. */

type Records = {
  readonly count: number;
  /** ELF section that the records speak of, or -1 when no section has that name. */
  readonly section: Int32Array;
  /** `sec_name_off` in the strings of `.BTF`. */
  readonly secNameOff: Uint32Array;
  /** Number of the record in its section block: libbpf's "relo #N". */
  readonly indexInSection: Uint32Array;
  /** Bytes from the start of the section. */
  readonly insnOff: Uint32Array;
  /** File offset of each record. */
  readonly recordOffset: Float64Array;
  /** Bytes of one record, as the file declares. */
  readonly recordSize: number;
};

export type FuncInfoTable = Records & { readonly typeId: Uint32Array };

export type LineInfoTable = Records & {
  readonly fileNameOff: Uint32Array;
  readonly lineOff: Uint32Array;
  /** `line << 10 | column`. */
  readonly lineCol: Uint32Array;
};

export type CoreTable = Records & {
  readonly typeId: Uint32Array;
  readonly accessStrOff: Uint32Array;
  /** `enum bpf_core_relo_kind`. */
  readonly kind: Uint32Array;
};

export type ExtTables = {
  readonly func: FuncInfoTable;
  readonly line: LineInfoTable;
  readonly core: CoreTable;
};

const noRecords = {
  count: 0,
  section: new Int32Array(0),
  secNameOff: new Uint32Array(0),
  indexInSection: new Uint32Array(0),
  insnOff: new Uint32Array(0),
  recordOffset: new Float64Array(0),
};

export const NO_EXT: ExtTables = {
  func: { ...noRecords, recordSize: 8, typeId: new Uint32Array(0) },
  line: {
    ...noRecords,
    recordSize: 16,
    fileNameOff: new Uint32Array(0),
    lineOff: new Uint32Array(0),
    lineCol: new Uint32Array(0),
  },
  core: {
    ...noRecords,
    recordSize: 16,
    typeId: new Uint32Array(0),
    accessStrOff: new Uint32Array(0),
    kind: new Uint32Array(0),
  },
};

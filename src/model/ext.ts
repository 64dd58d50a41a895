/** The records of `.BTF.ext` as columns: func_info, line_info and CO-RE relocations. Their strings are in `.BTF`. */
import { type Columns, newColumns } from './columns.ts';

/** Columns of all three tables. */
const RECORD_COLUMNS = {
  /** ELF section of the record, or -1 if no section has that name. */
  section: Int32Array,
  /** `sec_name_off` in the strings of `.BTF`. */
  secNameOff: Uint32Array,
  /** Number of the record in its section block: libbpf's "relo #N". */
  indexInSection: Uint32Array,
  /** Bytes from the start of the section. */
  insnOff: Uint32Array,
  /** File offset of each record. */
  recordOffset: Float64Array,
};

const FUNC_COLUMNS = { ...RECORD_COLUMNS, typeId: Uint32Array };

const LINE_COLUMNS = {
  ...RECORD_COLUMNS,
  fileNameOff: Uint32Array,
  lineOff: Uint32Array,
  /** `line << 10 | column`. */
  lineCol: Uint32Array,
};

const CORE_COLUMNS = {
  ...RECORD_COLUMNS,
  typeId: Uint32Array,
  accessStrOff: Uint32Array,
  /** `enum bpf_core_relo_kind`. */
  kind: Uint32Array,
};

/** `recordSize`: size of a record in bytes, as the file declares. */
type Records = { readonly count: number; readonly recordSize: number };

export type FuncInfoTable = Records & Columns<typeof FUNC_COLUMNS>;
export type LineInfoTable = Records & Columns<typeof LINE_COLUMNS>;
export type CoreTable = Records & Columns<typeof CORE_COLUMNS>;

export type ExtTables = {
  readonly func: FuncInfoTable;
  readonly line: LineInfoTable;
  readonly core: CoreTable;
};

export const NO_EXT: ExtTables = {
  func: { count: 0, recordSize: 8, ...newColumns(FUNC_COLUMNS, 0) },
  line: { count: 0, recordSize: 16, ...newColumns(LINE_COLUMNS, 0) },
  core: { count: 0, recordSize: 16, ...newColumns(CORE_COLUMNS, 0) },
};

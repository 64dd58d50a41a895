/** Records of `.BTF.ext` (func_info, line_info, CO-RE) as columns. Their strings are in `.BTF`. */
import { type Columns, newColumns } from './columns.ts';

/** Columns that the tables of func_info, line_info and CO-RE have in common. */
const RECORD_COLUMNS = {
  /** Index of the ELF section of the record; -1 if the section does not exist. */
  section: Int32Array,
  /** Field `sec_name_off`: an offset in the strings of `.BTF`. */
  secNameOff: Uint32Array,
  /** Number of the record in its section block, which libbpf prints as "relo #N". */
  indexInSection: Uint32Array,
  /** Offset of the instruction in bytes from the start of the section. */
  insnOff: Uint32Array,
  /** File offset of the record. */
  recordOffset: Float64Array,
};

const FUNC_COLUMNS = { ...RECORD_COLUMNS, typeId: Uint32Array };

const LINE_COLUMNS = {
  ...RECORD_COLUMNS,
  fileNameOff: Uint32Array,
  lineOff: Uint32Array,
  /** Field `line_col`: `line << 10 | column`. */
  lineCol: Uint32Array,
};

const CORE_COLUMNS = {
  ...RECORD_COLUMNS,
  typeId: Uint32Array,
  accessStrOff: Uint32Array,
  /** Kind of relocation (`enum bpf_core_relo_kind`). */
  kind: Uint32Array,
};

/** `recordSize` is the size of a record in bytes that the file declares. */
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

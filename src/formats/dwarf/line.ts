/** Reads line number programs of DWARF 2 to 5. Source: DWARF 5, section 6.2; DWARF 4, section 6.2. */
import type { ByteReader } from '#bytes/byte-reader.ts';
import { hexText } from '#bytes/text.ts';
import { DW_AT, DW_FORM } from './constants.ts';
import { skipValue, stringEnd, type UnitFormat } from './forms.ts';
import { DwarfCursor } from './leb128.ts';
import type { DwarfUnit } from './reader.ts';

/** Standard opcodes of line programs (7.22). */
export const DW_LNS = {
  copy: 1,
  advance_pc: 2,
  advance_line: 3,
  set_file: 4,
  set_column: 5,
  negate_stmt: 6,
  set_basic_block: 7,
  const_add_pc: 8,
  fixed_advance_pc: 9,
  set_prologue_end: 10,
  set_epilogue_begin: 11,
  set_isa: 12,
} as const;

/** Extended opcodes of line programs (7.22). */
export const DW_LNE = {
  end_sequence: 1,
  set_address: 2,
  define_file: 3,
  set_discriminator: 4,
} as const;

/** Contents of the file and directory tables of DWARF 5 (7.22). */
export const DW_LNCT = { path: 1, directory_index: 2, timestamp: 3, size: 4, MD5: 5 } as const;

/** A file of a line table. */
export type LineFile = {
  readonly name: string;
  /** Name of the directory; empty if it is that of the compilation and the table lacks it. */
  readonly directory: string;
};

/** Rows of a line table as columns, in the order of the program. */
export type LineRows = {
  readonly count: number;
  readonly address: BigUint64Array;
  /** Number of the file, as DW_AT_decl_file: from 1, in DWARF 5 from 0. */
  readonly file: Uint32Array;
  /** Line from 1; 0 if no line belongs to the address. */
  readonly line: Uint32Array;
  readonly column: Uint32Array;
  /** 1 for a row that only ends a sequence of addresses. */
  readonly endsSequence: Uint8Array;
};

/** A line table: the files of its header, and the rows, which are read when first asked for. */
export class LineTable {
  readonly #header: LineHeader;
  readonly #section: ByteReader;
  #rows: LineRows | null = null;

  constructor(section: ByteReader, header: LineHeader) {
    this.#section = section;
    this.#header = header;
  }

  get version(): number {
    return this.#header.format.version;
  }

  /** Returns the file with the number of DW_AT_decl_file; null if the table lacks it. */
  file(number: number): LineFile | null {
    const { files, format } = this.#header;
    return files[format.version >= 5 ? number : number - 1] ?? null;
  }

  /** Rows of the program. Throws `Malformed`. */
  get rows(): LineRows {
    this.#rows ??= readRows(this.#section, this.#header);
    return this.#rows;
  }

  /** Returns the row that covers `address`; -1 if none does. Throws `Malformed`. */
  rowAt(address: bigint): number {
    const { count, address: addresses, endsSequence } = this.rows;
    for (let row = 0; row + 1 < count; row++) {
      if (endsSequence[row] === 1) continue;
      const start = addresses[row] ?? 0n;
      if (start <= address && address < (addresses[row + 1] ?? 0n)) return row;
    }
    return -1;
  }
}

/** Returns the line table of a unit; null if it has none. Throws `Malformed`. */
export function lineTableOf(unit: DwarfUnit): LineTable | null {
  const place = linePlaceOf(unit);
  if (place === null) return null;
  const { linked } = unit;
  const directory = linked.root.string(DW_AT.comp_dir) ?? '';
  return new LineTable(place.section, readHeader(place.section, place.offset, linked, directory));
}

/** Returns where the line table of a unit begins; null if it has none. Throws `Malformed`. */
export function linePlaceOf({
  linked,
}: DwarfUnit): { readonly section: ByteReader; readonly offset: number } | null {
  const offset = linked.root.number(DW_AT.stmt_list);
  const { line: section } = linked.reader.sections;
  if (offset === null || section === undefined) return null;
  return { section, offset: offset + linked.contribution.line };
}

type LineHeader = {
  readonly format: UnitFormat;
  /** Bounds of the program in the section. */
  readonly program: number;
  readonly end: number;
  readonly minInsnLength: number;
  readonly lineBase: number;
  readonly lineRange: number;
  readonly opcodeBase: number;
  /** Number of operands of each standard opcode, from opcode 1. */
  readonly operandCounts: Uint8Array;
  readonly files: readonly LineFile[];
};

function readHeader(
  section: ByteReader,
  offset: number,
  unit: DwarfUnit,
  compDir: string,
): LineHeader {
  const cursor = new DwarfCursor(section, offset);
  const short = cursor.u32();
  const offsetSize = short === 0xffffffff ? 8 : 4;
  const length = offsetSize === 8 ? cursor.offset(8) : short;
  const end = cursor.at + length;
  section.require(cursor.at, length, 'a line table');
  const version = cursor.u16();
  if (version < 2 || version > 5) {
    throw section.malformed('dwarf.version', `${section.region}: a table of version ${version}`, {
      at: [cursor.at - 2, 2],
      expected: '2 to 5',
      found: `${version}`,
    });
  }
  const addressSize = version >= 5 ? cursor.u8() : unit.header.addressSize;
  if (version >= 5) cursor.u8();
  const headerLength = cursor.offset(offsetSize);
  const program = cursor.at + headerLength;
  const minInsnLength = cursor.u8();
  if (version >= 4) cursor.u8();
  cursor.u8();
  const lineBase = (cursor.u8() << 24) >> 24;
  const lineRange = cursor.u8();
  const opcodeBase = cursor.u8();
  const operandCounts = new Uint8Array(Math.max(0, opcodeBase - 1));
  for (let i = 0; i < operandCounts.length; i++) operandCounts[i] = cursor.u8();
  const format = { version, addressSize, offsetSize } as const;
  const files =
    version >= 5 ? readTables(cursor, unit, format) : readOldTables(cursor, unit, compDir);
  return {
    format,
    program,
    end,
    minInsnLength,
    lineBase,
    lineRange,
    opcodeBase,
    operandCounts,
    files,
  };
}

/** Reads directories and files of DWARF 2 to 4. Each list ends with an empty name. */
function readOldTables(cursor: DwarfCursor, unit: DwarfUnit, compDir: string): LineFile[] {
  const directories = [compDir];
  for (let name = readString(cursor, unit); name !== ''; name = readString(cursor, unit)) {
    directories.push(name);
  }
  const files: LineFile[] = [];
  for (let name = readString(cursor, unit); name !== ''; name = readString(cursor, unit)) {
    const directory = directories[cursor.uleb()] ?? '';
    cursor.skipLeb();
    cursor.skipLeb();
    files.push({ name, directory });
  }
  return files;
}

type Entry = { readonly name: string; readonly directory: number };

/** Reads directories and files of DWARF 5. */
function readTables(cursor: DwarfCursor, unit: DwarfUnit, format: UnitFormat): LineFile[] {
  const directories = readEntries(cursor, unit, format);
  return readEntries(cursor, unit, format).map(({ name, directory }) => ({
    name,
    directory: directories[directory]?.name ?? '',
  }));
}

function readEntries(cursor: DwarfCursor, unit: DwarfUnit, format: UnitFormat): Entry[] {
  const fields: { readonly content: number; readonly form: number }[] = [];
  for (let left = cursor.u8(); left > 0; left--) {
    const content = cursor.uleb();
    fields.push({ content, form: cursor.uleb() });
  }
  const count = cursor.uleb();
  const entries: Entry[] = [];
  for (let i = 0; i < count; i++) {
    const start = cursor.at;
    let name = '';
    let directory = 0;
    for (const { content, form } of fields) {
      if (content === DW_LNCT.path) name = readName(cursor, unit, form, format);
      else if (content === DW_LNCT.directory_index) directory = readIndex(cursor, form, format);
      else skipValue(cursor, form, format);
    }
    // An entry without bytes would let the count state any amount of work.
    if (cursor.at === start) {
      throw cursor.reader.malformed(
        'dwarf.line-entries',
        `${cursor.reader.region}: entries without bytes`,
        { at: [start, 0], expected: 'fields that have bytes', found: `${count} entries` },
      );
    }
    entries.push({ name, directory });
  }
  return entries;
}

function readName(cursor: DwarfCursor, unit: DwarfUnit, form: number, format: UnitFormat): string {
  switch (form) {
    case DW_FORM.string:
      return readString(cursor, unit);
    case DW_FORM.strp:
      return unit.stringAt('str', cursor.offset(format.offsetSize));
    case DW_FORM.line_strp:
      return unit.stringAt('line_str', cursor.offset(format.offsetSize));
    default:
      skipValue(cursor, form, format);
      return '';
  }
}

function readIndex(cursor: DwarfCursor, form: number, format: UnitFormat): number {
  if (form === DW_FORM.data1) return cursor.u8();
  if (form === DW_FORM.data2) return cursor.u16();
  if (form === DW_FORM.udata) return cursor.uleb();
  skipValue(cursor, form, format);
  return 0;
}

function readString(cursor: DwarfCursor, unit: DwarfUnit): string {
  const { at, reader } = cursor;
  cursor.at = stringEnd(reader, at) + 1;
  return unit.reader.strings.at(reader, at);
}

class Rows {
  #capacity = 256;
  #count = 0;
  #address = new BigUint64Array(this.#capacity);
  #file = new Uint32Array(this.#capacity);
  #line = new Uint32Array(this.#capacity);
  #column = new Uint32Array(this.#capacity);
  #endsSequence = new Uint8Array(this.#capacity);

  add(state: State, endsSequence: boolean): void {
    if (this.#count === this.#capacity) this.#grow();
    const row = this.#count++;
    this.#address[row] = state.address;
    this.#file[row] = state.file;
    this.#line[row] = state.line;
    this.#column[row] = state.column;
    this.#endsSequence[row] = endsSequence ? 1 : 0;
  }

  #grow(): void {
    this.#capacity *= 2;
    const capacity = this.#capacity;
    this.#address = copied(this.#address, new BigUint64Array(capacity));
    this.#file = copied(this.#file, new Uint32Array(capacity));
    this.#line = copied(this.#line, new Uint32Array(capacity));
    this.#column = copied(this.#column, new Uint32Array(capacity));
    this.#endsSequence = copied(this.#endsSequence, new Uint8Array(capacity));
  }

  done(): LineRows {
    const count = this.#count;
    return {
      count,
      address: this.#address.subarray(0, count),
      file: this.#file.subarray(0, count),
      line: this.#line.subarray(0, count),
      column: this.#column.subarray(0, count),
      endsSequence: this.#endsSequence.subarray(0, count),
    };
  }
}

type State = { address: bigint; file: number; line: number; column: number };

const START: Readonly<State> = { address: 0n, file: 1, line: 1, column: 0 };

/** Runs the program. Each opcode takes at least one byte and adds at most one row. */
function readRows(section: ByteReader, header: LineHeader): LineRows {
  const { end, lineBase, lineRange, opcodeBase, minInsnLength } = header;
  const cursor = new DwarfCursor(section, header.program);
  const rows = new Rows();
  let state: State = { ...START };
  const advance = (operation: number) => {
    const steps = lineRange === 0 ? 0 : Math.floor(operation / lineRange);
    state.address += BigInt(steps * minInsnLength);
  };
  while (cursor.at < end) {
    const opcode = cursor.u8();
    if (opcode >= opcodeBase) {
      const adjusted = opcode - opcodeBase;
      advance(adjusted);
      state.line += lineBase + (lineRange === 0 ? 0 : adjusted % lineRange);
      rows.add(state, false);
    } else if (opcode === 0) {
      if (readExtended(cursor, header, state)) {
        rows.add(state, true);
        state = { ...START };
      }
    } else if (opcode === DW_LNS.copy) rows.add(state, false);
    else if (opcode === DW_LNS.advance_pc) {
      state.address += cursor.bigUleb() * BigInt(minInsnLength);
    } else if (opcode === DW_LNS.advance_line) state.line += Number(cursor.sleb());
    else if (opcode === DW_LNS.set_file) state.file = cursor.uleb();
    else if (opcode === DW_LNS.set_column) state.column = cursor.uleb();
    else if (opcode === DW_LNS.const_add_pc) advance(255 - opcodeBase);
    else if (opcode === DW_LNS.fixed_advance_pc) state.address += BigInt(cursor.u16());
    else {
      const operands = header.operandCounts[opcode - 1] ?? 0;
      for (let i = 0; i < operands; i++) cursor.skipLeb();
    }
  }
  return rows.done();
}

/** Reads an extended opcode. Returns true if it ends a sequence. */
function readExtended(cursor: DwarfCursor, header: LineHeader, state: State): boolean {
  const { at: start, reader } = cursor;
  const length = cursor.uleb();
  const next = cursor.at + length;
  if (length === 0 || next > header.end) {
    throw reader.malformed('dwarf.line-opcode', `${reader.region}: an opcode of invalid length`, {
      at: [start, 1],
      expected: `1 to ${header.end - cursor.at} bytes`,
      found: hexText(length),
    });
  }
  const opcode = cursor.u8();
  if (opcode === DW_LNE.set_address) state.address = cursor.unsigned(length - 1);
  cursor.at = next;
  return opcode === DW_LNE.end_sequence;
}

function copied<A extends Uint32Array | Uint8Array | BigUint64Array>(from: A, to: A): A {
  (to as { set(array: ArrayLike<number | bigint>): void }).set(from);
  return to;
}

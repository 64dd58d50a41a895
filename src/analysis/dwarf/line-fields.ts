/** Shows `.debug_line` as fields: header, directories, files, opcodes. Source: DWARF 5, 6.2. */
import type { FileStructure } from '#analysis/fields/context.ts';
import {
  type FieldList,
  makeField,
  NO_PARTS,
  paddingField,
  type StructureField,
} from '#analysis/fields/field.ts';
import type { Span } from '#bytes/span.ts';
import { hexText } from '#bytes/text.ts';
import { DW_FORM, formName, namer } from '#formats/dwarf/constants.ts';
import {
  blockLength,
  fixedSize,
  UNSIGNED_LEB_FORMS,
  type UnitFormat,
} from '#formats/dwarf/forms.ts';
import { DwarfCursor } from '#formats/dwarf/leb128.ts';
import { DW_LNCT, DW_LNE, DW_LNS } from '#formats/dwarf/line.ts';
import type { SectionIndex } from '#model/ids.ts';
import type { ObjectModel } from '#model/object-model.ts';
import { bytesOf, debugSection, type SectionBytes, stringIn } from './debug-sections.ts';
import { FieldRun, faultOf, listOf, notRead } from './field-run.ts';
import { kept } from './kept.ts';
import { findRecords, type Records, recordFields } from './records.ts';
import { unitFields } from './unit-chain.ts';

const HEADER_SOURCE = 'DWARF 5, 6.2.4 The Line Number Program Header';
const PROGRAM_SOURCE = 'DWARF 5, 6.2.5 The Line Number Program';
/** Largest table in bytes whose opcodes are listed. */
const MAX_LISTED = 8 << 20;

const standardName = namer('DW_LNS_', DW_LNS);
const extendedName = namer('DW_LNE_', DW_LNE);
const contentName = namer('DW_LNCT_', DW_LNCT);

/** Returns the line tables of `.debug_line`. */
export function lineParts(structure: FileStructure, section: SectionIndex, span: Span): FieldList {
  return unitFields(structure, section, span, (offset, at) =>
    makeField('part', `line table ${hexText(offset)}`, at, {
      source: HEADER_SOURCE,
      parts: () => tableParts(structure, section, offset, at),
    }),
  );
}

/** What the opcodes of a table depend on. */
type Program = {
  readonly bytes: SectionBytes;
  readonly start: number;
  readonly minInsnLength: number;
  readonly lineBase: number;
  readonly lineRange: number;
  readonly opcodeBase: number;
  /** Number of operands of each standard opcode, from opcode 1. */
  readonly operandCounts: readonly number[];
};

function tableParts(
  structure: FileStructure,
  section: SectionIndex,
  offset: number,
  at: Span,
): FieldList {
  const size = at.end - at.start;
  if (size > MAX_LISTED) return listOf(at, [], (rest) => notRead(rest, 'Too large to list'));
  const bytes = bytesOf(structure, section, offset, size);
  if (bytes === null) return NO_PARTS;
  const header = new HeaderRun(structure, section, bytes);
  const fault = faultOf(() => header.read());
  const { program } = header;
  if (program === null) return listOf(at, header.run.fields, (rest) => notRead(rest, fault));
  const headerEnd = Math.min(program.start, size);
  const headerSpan = { start: at.start, end: at.start + headerEnd };
  const own = header.run.fields.filter(({ span }) => span.end <= headerSpan.end);
  const programSpan = { start: headerSpan.end, end: at.end };
  return listOf(
    at,
    [
      makeField('header', 'line table header', headerSpan, {
        source: HEADER_SOURCE,
        parts: () =>
          listOf(headerSpan, own, (rest) =>
            fault === '' ? paddingField(rest) : notRead(rest, fault),
          ),
      }),
    ],
    () =>
      makeField('part', 'line number program', programSpan, {
        source: PROGRAM_SOURCE,
        parts: () => opcodeFields(structure.model, program, programSpan),
      }),
  );
}

/** Reads the header of a line table as fields. */
class HeaderRun {
  readonly run: FieldRun;
  program: Program | null = null;
  readonly #structure: FileStructure;
  readonly #section: SectionIndex;
  readonly #bytes: SectionBytes;

  constructor(structure: FileStructure, section: SectionIndex, bytes: SectionBytes) {
    this.run = new FieldRun(bytes, 0, HEADER_SOURCE);
    this.#structure = structure;
    this.#section = section;
    this.#bytes = bytes;
  }

  read(): void {
    const { run } = this;
    const number = (name: string, size = 1) => Number(run.number(name, size));
    const isLong = run.number('unit_length', 4, { notation: 'hex' }) === 0xffffffffn;
    if (isLong) run.number('unit_length', 8, { notation: 'hex' });
    const offsetSize = isLong ? 8 : 4;
    const version = number('version', 2);
    const addressSize =
      version >= 5 ? number('address_size') : this.#structure.model.addressBits / 8;
    if (version >= 5) number('segment_selector_size');
    const length = Number(run.number('header_length', offsetSize, { notation: 'hex' }));
    const start = run.cursor.at + length;
    const minInsnLength = number('minimum_instruction_length');
    if (version >= 4) number('maximum_operations_per_instruction');
    number('default_is_stmt');
    const signed = (value: bigint) => `${BigInt.asIntN(8, value)}`;
    const lineBase = Number(BigInt.asIntN(8, run.number('line_base', 1, { meaning: signed })));
    const lineRange = number('line_range');
    const opcodeBase = number('opcode_base');
    const operandCounts: number[] = [];
    for (let opcode = 1; opcode < opcodeBase; opcode++) {
      operandCounts.push(number(`operands of ${standardName(opcode)}`));
    }
    this.program = {
      ...{ bytes: this.#bytes, start, minInsnLength, lineBase, lineRange, opcodeBase },
      operandCounts,
    };
    if (version < 5) this.#oldTables();
    else this.#tables({ version, addressSize, offsetSize });
  }

  #oldTables(): void {
    const { run } = this;
    let directory = 1;
    while (run.string(`directory ${directory}`) !== '') directory += 1;
    for (let file = 1; run.string(`file ${file}`) !== ''; file++) {
      run.uleb('directory');
      run.uleb('modification time');
      run.uleb('size');
    }
  }

  #tables(format: UnitFormat): void {
    for (const noun of ['directory', 'file'] as const) {
      const fields: { readonly content: number; readonly form: number }[] = [];
      const count = Number(this.run.number(`${noun}_entry_format_count`, 1));
      for (let i = 0; i < count; i++) {
        const content = this.run.uleb('content', contentName);
        fields.push({ content, form: this.run.uleb('form', formName) });
      }
      const entries = this.run.uleb(noun === 'file' ? 'file_names_count' : 'directories_count');
      for (let i = 0; i < entries; i++) {
        const { at } = this.run.cursor;
        for (const { content, form } of fields) {
          const name = `${noun} ${i}: ${contentName(content).replace('DW_LNCT_', '')}`;
          this.#value(name, form, format);
        }
        // Entries without bytes would make the count the work.
        if (this.run.cursor.at === at) return;
      }
    }
  }

  #value(name: string, form: number, format: UnitFormat): void {
    const { run } = this;
    if (form === DW_FORM.string) run.string(name);
    else if (form === DW_FORM.line_strp || form === DW_FORM.strp) {
      const section = form === DW_FORM.strp ? 'str' : 'line_str';
      const strings = debugSection(this.#structure.model, section, this.#section);
      run.number(name, format.offsetSize, {
        notation: 'hex',
        meaning: (value) => {
          const text = stringIn(this.#structure, strings, Number(value));
          return text === null ? '' : `"${text}"`;
        },
      });
    } else if (UNSIGNED_LEB_FORMS.has(form)) run.uleb(name);
    else if (form === DW_FORM.sdata) run.sleb(name);
    else {
      const size = fixedSize(form, format);
      if ([1, 2, 4, 8].includes(size)) run.number(name, size);
      else run.bytes(name, size >= 0 ? size : blockSize(run, form), formName(form));
    }
  }
}

/** Returns the size of a block with its length field. Throws `Malformed` for another form. */
function blockSize(run: FieldRun, form: number): number {
  const cursor = new DwarfCursor(run.cursor.reader, run.cursor.at);
  const length = blockLength(cursor, form);
  return cursor.at - run.cursor.at + length;
}

type State = { address: bigint; file: number; line: number; column: number };
const FIRST: Readonly<State> = { address: 0n, file: 1, line: 1, column: 0 };

/** Opcodes of a program, and the row that each makes. */
type Opcodes = {
  readonly records: Records;
  readonly addresses: readonly bigint[];
  readonly lines: readonly number[];
  readonly files: readonly number[];
};

const keptOpcodes = kept<Opcodes>();

function opcodesOf(program: Program, length: number): Opcodes {
  const addresses: bigint[] = [];
  const lines: number[] = [];
  const files: number[] = [];
  let state: State = { ...FIRST };
  const { bytes, start } = program;
  const records = findRecords(bytes, start, start + length, (cursor) => {
    if (runOpcode(cursor, program, state)) state = { ...FIRST };
    addresses.push(state.address);
    lines.push(state.line);
    files.push(state.file);
  });
  return { records, addresses, lines, files };
}

/** Returns the opcodes of a program with the row that each makes. */
function opcodeFields(model: ObjectModel, program: Program, span: Span): FieldList {
  const opcodes = keptOpcodes(model, span.start, () => opcodesOf(program, span.end - span.start));
  if (opcodes === null) return NO_PARTS;
  const { records, addresses, lines, files } = opcodes;
  return recordFields(program.bytes, records, span, (at, own, index) =>
    opcodeField(
      { program, at, own },
      `${hexText(addresses[index] ?? 0n)}: file ${files[index]}, line ${lines[index]}`,
    ),
  );
}

/** Runs one opcode. Returns true if it ends a sequence. */
function runOpcode(cursor: DwarfCursor, program: Program, state: State): boolean {
  const { opcodeBase, lineBase, lineRange, minInsnLength } = program;
  const advance = (operation: number) => {
    const steps = lineRange === 0 ? 0 : Math.floor(operation / lineRange);
    state.address += BigInt(steps * minInsnLength);
  };
  const opcode = cursor.u8();
  if (opcode >= opcodeBase) {
    advance(opcode - opcodeBase);
    state.line += lineBase + (lineRange === 0 ? 0 : (opcode - opcodeBase) % lineRange);
    return false;
  }
  switch (opcode) {
    case 0: {
      const length = cursor.uleb();
      const next = cursor.at + length;
      const code = length === 0 ? 0 : cursor.u8();
      if (code === DW_LNE.set_address && SIZES.has(length - 1)) {
        state.address = cursor.unsigned(length - 1);
      }
      cursor.at = next;
      return code === DW_LNE.end_sequence;
    }
    case DW_LNS.advance_pc:
      state.address += cursor.bigUleb() * BigInt(minInsnLength);
      return false;
    case DW_LNS.advance_line:
      state.line += Number(cursor.sleb());
      return false;
    case DW_LNS.set_file:
      state.file = cursor.uleb();
      return false;
    case DW_LNS.const_add_pc:
      advance(255 - opcodeBase);
      return false;
    case DW_LNS.fixed_advance_pc:
      state.address += BigInt(cursor.u16());
      return false;
    default: {
      const operands = program.operandCounts[opcode - 1] ?? 0;
      for (let i = 0; i < operands; i++) cursor.skipLeb();
      return false;
    }
  }
}

/** Sizes in bytes of addresses. */
const SIZES: ReadonlySet<number> = new Set([1, 2, 3, 4, 8]);

type OpcodePlace = { readonly program: Program; readonly at: number; readonly own: Span };

function opcodeField({ program, at, own }: OpcodePlace, meaning: string): StructureField {
  const { bytes, opcodeBase } = program;
  const cursor = new DwarfCursor(bytes.linked, at);
  const opcode = cursor.u8();
  const more = { meaning, source: PROGRAM_SOURCE };
  if (opcode >= opcodeBase) {
    return makeField('entry', `special opcode ${opcode - opcodeBase}`, own, more);
  }
  const isExtended = opcode === 0;
  const code = isExtended ? extendedCode(cursor) : opcode;
  const name = isExtended ? extendedName(code) : standardName(code);
  return makeField('entry', name, own, {
    ...more,
    meaning: isExtended && code === DW_LNE.end_sequence ? 'Ends the rows of a range' : meaning,
    parts: own.end - own.start < 2 ? null : () => opcodeParts(program, at, own),
  });
}

function extendedCode(cursor: DwarfCursor): number {
  return cursor.uleb() === 0 ? 0 : cursor.u8();
}

function opcodeParts({ bytes, operandCounts }: Program, at: number, own: Span): FieldList {
  const run = new FieldRun(bytes, at, PROGRAM_SOURCE);
  const end = at + own.end - own.start;
  const fault = faultOf(() => {
    const opcode = Number(run.number('opcode', 1));
    if (opcode === 0) {
      run.uleb('length');
      run.number('extended opcode', 1, { meaning: (value) => extendedName(Number(value)) });
      const left = end - run.cursor.at;
      if (SIZES.has(left)) run.number('operand', left, { notation: 'hex' });
      else run.bytes('operands', left);
    } else if (opcode === DW_LNS.fixed_advance_pc) run.number('operand', 2);
    else if (opcode === DW_LNS.advance_line) run.sleb('operand');
    else for (let i = operandCounts[opcode - 1] ?? 0; i > 0; i--) run.uleb('operand');
  });
  return listOf(own, run.fields, (rest) => notRead(rest, fault));
}

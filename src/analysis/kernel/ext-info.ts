/**
 * The kernel's rules for func_info and line_info when a program is loaded. The records of each
 * function are checked separately: libbpf passes the records of the program and of each appended
 * subprogram. Source: "BTF Type Format", sections 3.3 and 4.2; kernel/bpf/verifier.c:
 * check_btf_func_early, check_btf_func, check_btf_line; libbpf.c: adjust_prog_btf_ext_info,
 * reloc_prog_func_and_line_info.
 */
import { type FunctionRange, functionsIn } from '#analysis/objects/functions.ts';
import { type PlaceIndex, recordIndexSteps, rowsBetween } from '#analysis/objects/place-index.ts';
import { isCompressed, type SectionCode, secondHalves } from '#analysis/objects/section-code.ts';
import { type Issue, IssueCollector } from '#bytes/issue.ts';
import { type ByteSource, readAhead } from '#bytes/source.ts';
import { type Span, spanOf } from '#bytes/span.ts';
import { counted } from '#bytes/text.ts';
import { SLOT_SIZE } from '#formats/bpf/insn.ts';
import { MODE, OPCODE, SIZE } from '#formats/bpf/opcodes.ts';
import { EXT_RECORD_SIZE } from '#formats/btf/ext-blocks.ts';
import { BtfKind, kindName } from '#formats/btf/kinds.ts';
import type { ExtTables } from '#model/ext.ts';
import { sectionIndex, typeId } from '#model/ids.ts';
import { isBpf, type ObjectModel } from '#model/object-model.ts';
import { sectionName } from '#model/sections.ts';
import { isEnum } from '#model/type-items.ts';
import {
  hasType,
  isModifier,
  kindOf,
  sizeOrTypeOf,
  strLenOf,
  type TypeTable,
} from '#model/type-table.ts';

const ROWS_PER_STEP = 16_384;
/** Maximum bytes of a record: MAX_FUNCINFO_REC_SIZE and MAX_LINEINFO_REC_SIZE. */
const MAX_RECORD_SIZE = 252;
const MAX_TAIL_BYTES = 64 * 1024 * 1024;

type Records = ExtTables['func'] | ExtTables['line'];
type What = 'function' | 'line';
const TABLE = { function: 'func_info', line: 'line_info' } as const;

/** Yields the issues of `.BTF.ext`. `code` has the readable sections. `readTails` gives `tails`. */
export function* extFindings(
  model: ObjectModel,
  types: TypeTable,
  code: readonly SectionCode[],
  tails: readonly Tail[] = [],
): Generator<void, Issue[]> {
  const { func, line } = model.ext;
  const issues = new IssueCollector('.BTF.ext');
  for (let row = 0; row < func.count; row++) {
    checkFunction(types, func, row, issues);
    checkPlace(model, func, row, 'function', issues);
    if (row % ROWS_PER_STEP === 0) yield;
  }
  checkOrder(func, 'function', issues);
  const limit = strLenOf(types);
  for (let row = 0; row < line.count; row++) {
    checkPlace(model, line, row, 'line', issues);
    checkStrings(line, row, limit, issues);
    if (row % ROWS_PER_STEP === 0) yield;
  }
  checkOrder(line, 'line', issues);
  for (const tail of tails) checkTail(tail, issues);
  if (isBpf(model)) yield* functionFindings(model, types, code, issues);
  return issues.issues();
}

function field(records: Records, row: number, offset: number): Span {
  return spanOf((records.recordOffset[row] ?? 0) + offset, 4);
}

function checkFunction(
  types: TypeTable,
  func: ExtTables['func'],
  row: number,
  issues: IssueCollector,
): void {
  const id = typeId(func.typeId[row] ?? 0);
  const kind = kindOf(types, id);
  if (kind === BtfKind.FUNC) return;
  // If the base is unknown, the id may be a FUNC of the base.
  if (id !== 0 && id < types.firstId && types.base === null) return;
  const exists = hasType(types, id);
  issues.add(exists ? 'ext.function-kind' : 'ext.function-type', () => ({
    message: `function record ${row}: ${exists ? 'type is not a FUNC' : 'no such type'}`,
    span: field(func, row, 4),
    expected: 'the id of a FUNC',
    found: exists ? `[${id}], ${kindName(kind)}` : `${id}`,
    advice: rejected(`invalid type id ${id} in func info`),
  }));
}

function checkPlace(
  model: ObjectModel,
  records: Records,
  row: number,
  what: What,
  issues: IssueCollector,
): void {
  const section = records.section[row] ?? -1;
  if (section < 0) return;
  const insnOff = records.insnOff[row] ?? 0;
  const length = model.sections.byteLength[section] ?? 0;
  if (insnOff % SLOT_SIZE === 0 && insnOff + SLOT_SIZE <= length) return;
  issues.add(`ext.${what}-place`, () => ({
    message: `${what} record ${row}: no such instruction`,
    span: field(records, row, 0),
    expected: `a multiple of 8, at most ${Math.max(0, length - SLOT_SIZE)}`,
    found: `${insnOff}`,
  }));
}

function checkStrings(
  line: ExtTables['line'],
  row: number,
  limit: number,
  issues: IssueCollector,
): void {
  const columns = [
    { offsets: line.fileNameOff, at: 4, what: 'file name' },
    { offsets: line.lineOff, at: 8, what: 'source text' },
  ];
  for (const { offsets, at, what } of columns) {
    const offset = offsets[row] ?? 0;
    if (offset < limit) continue;
    issues.add('ext.line-string', () => ({
      message: `line record ${row}: ${what} outside the strings`,
      span: field(line, row, at),
      expected: `below ${limit}`,
      found: `${offset}`,
      advice: rejected('Invalid line_info.line_off or .file_name_off'),
    }));
  }
}

/** Checks that the offsets of the records of each block strictly increase. */
function checkOrder(records: Records, what: What, issues: IssueCollector): void {
  let wrong = 0;
  let first = -1;
  for (let row = 1; row < records.count; row++) {
    const inBlock = (records.indexInSection[row] ?? 0) > 0;
    if (!inBlock || (records.insnOff[row] ?? 0) > (records.insnOff[row - 1] ?? 0)) continue;
    if (wrong++ === 0) first = row;
  }
  if (wrong === 0) return;
  const [before, at] = [records.insnOff[first - 1] ?? 0, records.insnOff[first] ?? 0];
  const fault = at === before ? 'the same offset as' : 'a lower offset than';
  issues.add(`ext.${what}-order`, () => ({
    message: `${what} records not sorted: record ${first} has ${fault} the one before it`,
    span: field(records, first, 0),
    expected: `more than ${before}`,
    found: `${at}${wrong > 1 ? `, and ${wrong - 1} more like it` : ''}`,
    advice: rejected(
      what === 'function'
        ? 'same or smaller insn offset than previous func info record'
        : 'Invalid line_info.insn_off',
    ),
  }));
}

/** Returns the advice for records that the kernel rejects; `line` is the kernel's log line. */
function rejected(line: string): string {
  return `BPF_PROG_LOAD fails with EINVAL: ${line}`;
}

/** Checks the records of each function of a BPF object. */
function* functionFindings(
  model: ObjectModel,
  types: TypeTable,
  code: readonly SectionCode[],
  issues: IssueCollector,
): Generator<void, void> {
  const { func, line } = model.ext;
  const funcs = yield* withoutValues(recordIndexSteps(func, model.sections.count));
  const lines = yield* withoutValues(recordIndexSteps(line, model.sections.count));
  const bytesOf = new Map(code.map(({ section, bytes }) => [section as number, bytes]));
  let steps = 0;
  for (let i = 1; i < model.sections.count; i++) {
    const section = sectionIndex(i);
    const bytes = bytesOf.get(i) ?? null;
    const halves = bytes === null ? null : secondHalves(bytes);
    let last = -1;
    for (const range of functionsIn(model, section)) {
      // libbpf takes functions from symbols. Several symbols at one place are one function.
      if (range.symbol === null || range.start === last) continue;
      last = range.start;
      const at = { model, range, issues };
      checkFuncInfo(at, funcs, func);
      checkLineInfo(at, lines, line, halves);
      if (bytes !== null && !range.isProgram) checkReturn(at, types, bytes);
      if (steps++ % 1024 === 0) yield;
    }
  }
}

function* withoutValues<T>(steps: Generator<unknown, T>): Generator<void, T> {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
    yield;
  }
}

type AtFunction = {
  readonly model: ObjectModel;
  readonly range: FunctionRange;
  readonly issues: IssueCollector;
};

function label({ model, range }: AtFunction): string {
  const { section, name, isProgram } = range;
  const what = isProgram ? 'program' : 'function';
  return `${what} ${name} in ${sectionName(model.sections, section)}`;
}

/** Returns the row that is first in the file; undefined if there are no rows. */
function firstInFile(rows: Uint32Array): number | undefined {
  return rows.length === 0 ? undefined : rows.reduce((first, row) => Math.min(first, row));
}

/** Checks that the function has exactly one record, at its first instruction. */
function checkFuncInfo(at: AtFunction, index: PlaceIndex, func: ExtTables['func']): void {
  const { range, issues } = at;
  const { section, start, end, isProgram } = range;
  const rows = rowsBetween(index, section, start, end);
  const first = firstInFile(rows);
  const second = rows[1];
  if (first === undefined) {
    if (func.count > 0) missing(at, 'function');
    return;
  }
  const insnOff = func.insnOff[first] ?? 0;
  if (insnOff !== start) {
    const insn = (insnOff - start) / SLOT_SIZE;
    issues.add('ext.function-start', () => ({
      message: `${label(at)}: function record ${first} is not at its first instruction`,
      span: field(func, first, 0),
      expected: `${start}`,
      found: `${insnOff}`,
      advice: rejected(
        isProgram
          ? `nonzero insn_off ${insn} for the first func info record`
          : "func_info BTF section doesn't match subprog layout in BPF program",
      ),
    }));
  }
  // Two records at one place are reported by `checkOrder`.
  if (second === undefined || (func.insnOff[second] ?? 0) === insnOff) return;
  issues.add('ext.function-count', () => ({
    message: `${label(at)}: function record ${second} is inside it`,
    span: field(func, second, 0),
    expected: 'one record for each function',
    found: counted(rows.length, 'record'),
    advice: rejected("number of funcs in func_info doesn't match number of subprogs"),
  }));
}

/** Checks that the first instruction has a record, and that no record is inside a 64-bit load. */
function checkLineInfo(
  at: AtFunction,
  index: PlaceIndex,
  line: ExtTables['line'],
  halves: Uint8Array | null,
): void {
  const { range, issues } = at;
  const { section, start, end } = range;
  const rows = rowsBetween(index, section, start, end);
  const first = firstInFile(rows);
  if (first === undefined) {
    if (line.count > 0) missing(at, 'line');
    return;
  }
  const insnOff = line.insnOff[first] ?? 0;
  if (insnOff !== start) {
    issues.add('ext.line-start', () => ({
      message: `${label(at)}: its first instruction has no line record`,
      span: field(line, first, 0),
      expected: `${start}`,
      found: `${insnOff}`,
      advice: rejected('missing bpf_line_info for func#'),
    }));
  }
  for (const row of rows) {
    const offset = line.insnOff[row] ?? 0;
    if (halves?.[Math.floor(offset / SLOT_SIZE)] !== 1) continue;
    issues.add('ext.line-half', () => ({
      message: `${label(at)}: line record ${row} is at the second half of a 64-bit load`,
      span: field(line, row, 0),
      found: `${offset}`,
      advice: rejected('Invalid insn code at line_info.insn_off'),
    }));
  }
}

/** Reports a function without records. libbpf still loads programs, but not subprograms. */
function missing(at: AtFunction, what: What): void {
  const { isProgram, symbol } = at.range;
  const { symbols } = at.model;
  const words = what === 'function' ? 'function info' : 'line info';
  at.issues.add(`ext.${what}-missing`, () => ({
    severity: isProgram ? 'note' : 'warning',
    message: `${label(at)}: no ${what} record`,
    span: null,
    expected: `a ${TABLE[what]} record at its first instruction, as others of the file have`,
    found:
      symbol === null ? 'none' : `none for ${counted(Number(symbols.size[symbol] ?? 0n), 'byte')}`,
    advice: isProgram
      ? `libbpf loads it without ${TABLE[what]}`
      : `libbpf does not load a program that has ${TABLE[what]} and calls it: missing .BTF.ext ${words}`,
  }));
}

const LEGACY_LOADS: ReadonlySet<number> = new Set(
  [MODE.abs, MODE.ind].flatMap((mode) => [SIZE.w, SIZE.h, SIZE.b].map((size) => mode | size)),
);
const TAIL_CALL = 12;

/** Checks that a subprogram with LD_ABS or a tail call returns a number of at most 8 bytes. */
function checkReturn(at: AtFunction, types: TypeTable, bytes: Uint8Array): void {
  const { range, issues, model } = at;
  if (range.typeId === null || kindOf(types, range.typeId) !== BtfKind.FUNC) return;
  if (returnsScalar(types, range.typeId)) return;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const end = Math.min(range.end, bytes.length - SLOT_SIZE + 1);
  for (let offset = range.start; offset < end; offset += SLOT_SIZE) {
    const opcode = view.getUint8(offset);
    const isLegacy = LEGACY_LOADS.has(opcode);
    const isTailCall =
      opcode === OPCODE.call &&
      view.getUint8(offset + 1) === 0 &&
      view.getInt32(offset + 4, model.endian === 'little') === TAIL_CALL;
    if (opcode === OPCODE.ldImm64) offset += SLOT_SIZE;
    if (!isLegacy && !isTailCall) continue;
    const what = isLegacy ? 'LD_ABS' : 'tail_call';
    const section = model.sections.fileOffset[range.section] ?? 0;
    issues.add('ext.function-return', () => ({
      message: `${label(at)}: has ${what} and does not return a number`,
      span: spanOf(section + offset, SLOT_SIZE),
      expected: 'a return type that is an integer of at most 8 bytes or an enum',
      advice: rejected(`${what} is only allowed in functions that return 'int'.`),
    }));
    return;
  }
}

function returnsScalar(types: TypeTable, func: ReturnType<typeof typeId>): boolean {
  const proto = typeId(sizeOrTypeOf(types, func));
  if (kindOf(types, proto) !== BtfKind.FUNC_PROTO) return true;
  let id = typeId(sizeOrTypeOf(types, proto));
  // 64 steps are enough: the kernel accepts at most 32 modifiers.
  for (let steps = 0; steps < 64 && isModifier(kindOf(types, id)); steps++) {
    id = typeId(sizeOrTypeOf(types, id));
  }
  const kind = kindOf(types, id);
  return isEnum(kind) || (kind === BtfKind.INT && sizeOrTypeOf(types, id) <= 8);
}

/** Records longer than the kernel's, with all bytes from the first record to the last one. */
type Tail = {
  readonly what: What;
  readonly records: Records;
  readonly bytes: Uint8Array;
  /** File offset of the first byte of `bytes`. */
  readonly fileOffset: number;
};

/** Reads the records that have more fields than the kernel knows. Rejects if `source` rejects. */
export async function readTails(model: ObjectModel, source: ByteSource): Promise<readonly Tail[]> {
  const tails: Tail[] = [];
  const ahead = readAhead(source);
  for (const what of ['function', 'line'] as const) {
    const records = what === 'function' ? model.ext.func : model.ext.line;
    const { count, recordSize, recordOffset } = records;
    const [start, last] = [recordOffset[0] ?? 0, recordOffset[count - 1] ?? 0];
    if (recordSize <= EXT_RECORD_SIZE[TABLE[what]] || !isInExt(model, start)) continue;
    const end = Math.min(last + recordSize, start + MAX_TAIL_BYTES);
    tails.push({ what, records, bytes: await ahead.read(start, end), fileOffset: start });
  }
  return tails;
}

/** Returns true if the file offset is in a `.BTF.ext` that is not compressed. */
function isInExt({ sections }: ObjectModel, fileOffset: number): boolean {
  for (let i = 1; i < sections.count; i++) {
    const section = sectionIndex(i);
    const start = sections.fileOffset[i] ?? 0;
    if (fileOffset < start || fileOffset >= start + (sections.byteLength[i] ?? 0)) continue;
    if (sectionName(sections, section) === '.BTF.ext') return !isCompressed(sections, section);
  }
  return false;
}

/** Checks that bytes after the known fields are 0, and that a record has at most 252 bytes. */
function checkTail({ what, records, bytes, fileOffset }: Tail, issues: IssueCollector): void {
  const { count, recordSize, recordOffset } = records;
  const known = EXT_RECORD_SIZE[TABLE[what]];
  if (recordSize > MAX_RECORD_SIZE) {
    issues.add(`ext.${what}-record-size`, () => ({
      message: `${TABLE[what]} records have ${recordSize} bytes`,
      span: spanOf(fileOffset, recordSize),
      expected: `${known} to ${MAX_RECORD_SIZE}`,
      found: `${recordSize}`,
      advice: rejected(
        what === 'function' ? `invalid func info rec size ${recordSize}` : 'nothing is logged',
      ),
    }));
    return;
  }
  for (let row = 0; row < count; row++) {
    const start = (recordOffset[row] ?? 0) - fileOffset + known;
    const tail = bytes.subarray(start, start + recordSize - known);
    if (tail.every((byte) => byte === 0)) continue;
    issues.add(`ext.${what}-tail`, () => ({
      message: `${what} record ${row}: bytes behind the first ${known} are not zero`,
      span: spanOf(fileOffset + start, tail.length),
      expected: 'zeros',
      advice: `BPF_PROG_LOAD fails with E2BIG: nonzero tailing record in ${what === 'function' ? 'func info' : 'line_info'}`,
    }));
  }
}

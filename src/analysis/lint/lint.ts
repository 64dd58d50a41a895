/**
 * What a closer look at the records finds, after the file was opened: types,
 * `.BTF.ext`, CO-RE records, instructions.
 *
 * Linear in the size of the file. Runs in small steps and lets others have their
 * turn about every 20 ms, so that a request can be cancelled meanwhile.
 */
import { formatModule } from '#analysis/formats/registry.ts';
import type { Issue } from '#bytes/issue.ts';
import { type ByteSource, readAhead } from '#bytes/source.ts';
import { type Span, spanOf } from '#bytes/span.ts';
import { BtfKind, kindName } from '#formats/btf/kinds.ts';
import type { ExtTables } from '#model/ext.ts';
import { sectionIndex, typeId } from '#model/ids.ts';
import { isBpf, type ObjectModel } from '#model/object-model.ts';
import { hasType, kindOf, type TypeTable } from '#model/type-table.ts';
import { codeFindings } from './code.ts';
import { Collected } from './collected.ts';
import { coreFindings } from './core.ts';
import { hasReadableCode, readCode, type SectionCode } from './section-code.ts';
import { typeFindings } from './types.ts';

const TURN_MS = 20;

/** All findings, those of types first. Throws `AbortError` when `signal` says so, and what the source throws. */
export async function lintModel(
  model: ObjectModel,
  source: ByteSource,
  signal?: AbortSignal,
): Promise<readonly Issue[]> {
  const { types } = model;
  const run = <T>(work: Generator<void, T>) => inTurns(work, signal);
  const issues: Issue[] = [];
  const own = formatModule(model);
  if (own !== null) issues.push(...(await run(own.lint(model))));
  if (types !== null) {
    issues.push(...(await run(typeFindings(types, model.format === 'elf' ? '.BTF' : model.name))));
    issues.push(...(await run(extFindings(model, types))));
  }
  const code = isBpf(model) ? await readAll(model, source, signal) : [];
  if (types !== null) issues.push(...(await run(coreFindings(model, types, code))));
  for (const section of code) issues.push(...(await run(codeFindings(model, section))));
  return issues;
}

/** Code sections overlap only in damaged files; all of them together are then no larger than this. */
const MAX_CODE_BYTES = 256 * 1024 * 1024;

async function readAll(
  model: ObjectModel,
  source: ByteSource,
  signal: AbortSignal | undefined,
): Promise<SectionCode[]> {
  const sections: SectionCode[] = [];
  const ahead = readAhead(source);
  let total = 0;
  for (let i = 1; i < model.sections.count; i++) {
    const section = sectionIndex(i);
    if (!hasReadableCode(model.sections, section)) continue;
    signal?.throwIfAborted();
    const code = await readCode(model, ahead, section);
    total += code.bytes.length;
    if (total > MAX_CODE_BYTES) break;
    sections.push(code);
  }
  return sections;
}

async function inTurns<T>(work: Generator<void, T>, signal: AbortSignal | undefined): Promise<T> {
  let started = performance.now();
  for (;;) {
    const step = work.next();
    if (step.done) return step.value;
    if (performance.now() - started < TURN_MS) continue;
    await new Promise<void>((resolve) => {
      setTimeout(resolve);
    });
    signal?.throwIfAborted();
    started = performance.now();
  }
}

/** A closer look at func_info and line_info. Source: "BTF Type Format", section 4.2. */

const SLOT = 8;
const ROWS_PER_STEP = 16_384;

type Records = ExtTables['func'] | ExtTables['line'];

/** Yields between small pieces of work and gives the issues at the end. */
function* extFindings(model: ObjectModel, types: TypeTable): Generator<void, Issue[]> {
  const { func, line } = model.ext;
  const found = new Collected('.BTF.ext');
  for (let row = 0; row < func.count; row++) {
    checkFunction(types, func, row, found);
    checkPlace(model, func, row, 'function', found);
    if (row % ROWS_PER_STEP === 0) yield;
  }
  checkOrder(func, 'function', found);
  const limit = types.strBase + types.strEnd - types.strStart;
  for (let row = 0; row < line.count; row++) {
    checkPlace(model, line, row, 'line', found);
    checkStrings(line, row, limit, found);
    if (row % ROWS_PER_STEP === 0) yield;
  }
  checkOrder(line, 'line', found);
  return found.issues();
}

function field(records: Records, row: number, offset: number): Span {
  return spanOf((records.recordOffset[row] ?? 0) + offset, 4);
}

function checkFunction(
  types: TypeTable,
  func: ExtTables['func'],
  row: number,
  found: Collected,
): void {
  const id = typeId(func.typeId[row] ?? 0);
  const kind = kindOf(types, id);
  if (kind === BtfKind.FUNC) return;
  // A base that is not loaded may have it.
  if (id !== 0 && id < types.firstId && types.base === null) return;
  const exists = hasType(types, id);
  found.add(exists ? 'ext.function-kind' : 'ext.function-type', () => ({
    message: `function record ${row}: ${exists ? 'type is not a FUNC' : 'no such type'}`,
    span: field(func, row, 4),
    expected: 'the id of a FUNC',
    found: exists ? `[${id}], ${kindName(kind)}` : `${id}`,
  }));
}

function checkPlace(
  model: ObjectModel,
  records: Records,
  row: number,
  what: string,
  found: Collected,
): void {
  const section = records.section[row] ?? -1;
  if (section < 0) return;
  const insnOff = records.insnOff[row] ?? 0;
  const length = model.sections.byteLength[section] ?? 0;
  if (insnOff % SLOT === 0 && insnOff + SLOT <= length) return;
  found.add(`ext.${what}-place`, () => ({
    message: `${what} record ${row}: no such instruction`,
    span: field(records, row, 0),
    expected: `a multiple of 8, at most ${Math.max(0, length - SLOT)}`,
    found: `${insnOff}`,
  }));
}

function checkStrings(line: ExtTables['line'], row: number, limit: number, found: Collected): void {
  const columns = [
    { offsets: line.fileNameOff, at: 4, what: 'file name' },
    { offsets: line.lineOff, at: 8, what: 'source text' },
  ];
  for (const { offsets, at, what } of columns) {
    const offset = offsets[row] ?? 0;
    if (offset < limit) continue;
    found.add('ext.line-string', () => ({
      message: `line record ${row}: ${what} outside the strings`,
      span: field(line, row, at),
      expected: `below ${limit}`,
      found: `${offset}`,
    }));
  }
}

/** In one block records go up: the kernel refuses others. */
function checkOrder(records: Records, what: string, found: Collected): void {
  let falling = 0;
  let first = -1;
  for (let row = 1; row < records.count; row++) {
    const inBlock = (records.indexInSection[row] ?? 0) > 0;
    if (!inBlock || (records.insnOff[row] ?? 0) >= (records.insnOff[row - 1] ?? 0)) continue;
    if (falling++ === 0) first = row;
  }
  if (falling === 0) return;
  found.add(`ext.${what}-order`, () => ({
    message: `${what} records not sorted: record ${first} has a lower offset than the one before it`,
    span: field(records, first, 0),
    expected: `${records.insnOff[first - 1] ?? 0} or more`,
    found: `${records.insnOff[first] ?? 0}${falling > 1 ? `, and ${falling - 1} more like it` : ''}`,
  }));
}

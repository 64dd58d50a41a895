/** Fuzz steps for a whole file: its sections, code, relocations and data. */

import { codeListing } from '#analysis/code/code-listing.ts';
import { lineAt } from '#analysis/code/source-lines.ts';
import { ecoffReport } from '#analysis/ecoff/report.ts';
import { reportJson } from '#analysis/ecoff/report-value.ts';
import { sectionTypeText, symbolText } from '#analysis/formats/section-text.ts';
import { definedMaps } from '#analysis/libbpf/defined-maps.ts';
import { checkElf, checkProgramRelocations } from '#analysis/libbpf/elf-rules.ts';
import { checkFile } from '#analysis/libbpf/file-check.ts';
import { objectMaps } from '#analysis/libbpf/object-maps.ts';
import { licenseOf, loadFacts, ProgramRows } from '#analysis/libbpf/programs.ts';
import { lintModel } from '#analysis/lint/lint.ts';
import { functionsOf } from '#analysis/objects/functions.ts';
import { symbolAt } from '#analysis/objects/symbol-places.ts';
import { relocationsInRange } from '#analysis/relocations/by-place.ts';
import { exampleLayout, layoutOf, storedLayout } from '#analysis/relocations/layout.ts';
import { listCells, listColumns } from '#analysis/relocations/list.ts';
import { relocationDetail, relocationMeaning } from '#analysis/relocations/meaning.ts';
import { relocatedBytes } from '#analysis/relocations/relocated-bytes.ts';
import { fieldsAt, fileField } from '#analysis/structure/structure.ts';
import { stringSections, stringsOf } from '#analysis/values/object-data.ts';
import { variablesOf, variableValue } from '#analysis/values/variables.ts';
import { Malformed } from '#bytes/issue.ts';
import { ecoffFile } from '#formats/ecoff/ecoff-file.ts';
import { storedBtf } from '#ingest/blob.ts';
import { ingest } from '#ingest/ingest.ts';
import { memberSource } from '#ingest/members.ts';
import { relocIndex, symbolIndex } from '#model/ids.ts';
import { isCode } from '#model/sections.ts';
import { alphaInsnText } from '#print/alpha-insn.ts';
import { disassembly } from '#print/disassembly.ts';
import { insnText } from '#print/insn.ts';
import { type ReadelfPart, readelf } from '#print/readelf.ts';
import { valueJson } from '#print/value-json.ts';
import { valueLines } from '#print/value-text.ts';
import { ecoffListing, relocationSections } from '#testing/all-at-once.ts';
import { membersOf } from '#testing/member-contents.ts';
import { walkStructure } from '#testing/walk-structure.ts';
import {
  allBytes,
  NEVER,
  type Opened,
  orMalformed,
  type ReportStep,
  readParts,
  sampledRows,
  sampledSections,
  sectionReader,
} from './opened.ts';

/** Compares the fields of the structure with the file's bytes; takes samples of long lists. */
export async function walkFields(file: Opened, reportStep: ReportStep): Promise<void> {
  reportStep('anatomy');
  const bytes = await allBytes(file);
  const { model } = file;
  const read = (start: number, end: number) => bytes.subarray(start, end);
  walkStructure(fileField(model, read), bytes, model.endian, 8);
  reportStep('owners of a byte');
  for (const offset of sampledRows(model.size, 40)) {
    if (fieldsAt(model, offset, read).length === 0) throw new Error(`nobody owns byte ${offset}`);
  }
  reportStep('anatomy without bytes');
  for (const offset of sampledRows(model.size, 20)) fieldsAt(model, offset, () => null);
}

/** Runs lint, and computes the verdicts of the kernel and libbpf. */
export async function judge(file: Opened, reportStep: ReportStep): Promise<void> {
  await lint(file, reportStep);
  await computeVerdicts(file, reportStep);
}

export async function lint({ model, source }: Opened, reportStep: ReportStep): Promise<void> {
  reportStep('findings');
  for (const { message, code } of await lintModel(model, source, NEVER)) {
    if (message === '' || code === 'bug') throw new Error(`a finding says "${message}" (${code})`);
  }
}

/** Computes the verdicts of the kernel and libbpf. */
export async function computeVerdicts(
  { model, source }: Opened,
  reportStep: ReportStep,
): Promise<void> {
  reportStep('stored BTF');
  const stored = await storedBtf(model, source);
  reportStep('check');
  if (stored !== null) checkFile(stored, model);
}

/** Writes relocations as text: columns, sentences and layouts. */
export async function writeRelocations(file: Opened, reportStep: ReportStep): Promise<void> {
  const { model } = file;
  const bytes = await allBytes(file);
  reportStep('relocation sections');
  relocationSections(model);
  listColumns(model);
  reportStep('layouts');
  const layouts = [null, storedLayout(model), layoutOf(model, exampleLayout(model))];
  for (const row of sampledRows(model.relocations.count)) {
    const reloc = relocIndex(row);
    reportStep('relocation meaning');
    if (relocationMeaning(model, reloc).words === '') throw new Error(`entry ${row} says nothing`);
    for (const layout of layouts) {
      reportStep('relocation detail');
      relocationDetail(model, reloc, layout);
      listCells(model, reloc, layout);
    }
  }
  const read = sectionReader(model, bytes);
  for (const section of sampledSections(model)) {
    const content = read(section)?.subarray(0, 4096);
    if (content === undefined) continue;
    reportStep('relocated bytes');
    for (const layout of layouts) relocatedBytes(model, section, 0, content, layout);
  }
  reportStep('symbols');
  for (const row of sampledRows(model.symbols.count)) symbolText(model, symbolIndex(row));
  for (const section of sampledSections(model)) {
    sectionTypeText(model, section);
    symbolAt(model, section, 8);
    relocationsInRange(model, section, 0, 64);
  }
}

/** Lists the code in the formats of other tools and of the code view. */
export async function listCode(file: Opened, reportStep: ReportStep): Promise<void> {
  const { model, source } = file;
  const bytes = await allBytes(file);
  const read = sectionReader(model, bytes);
  for (const func of functionsOf(model)) {
    if (!(func.end >= func.start)) throw new Error(`function ${func.name} ends before it begins`);
  }
  for (const options of [
    { path: 'input', raw: true, lines: true, decimal: true },
    { path: 'input', raw: false, lines: false, decimal: false },
  ]) {
    reportStep('disassembly');
    await readLines(disassembly(model, source, options));
  }
  if (model.format === 'elf') await listElf(file, reportStep);
  for (const section of sampledSections(model)) {
    if (!isCode(model.sections, section)) continue;
    reportStep('code listing');
    const listing = codeListing(model, section, read(section) ?? new Uint8Array(0));
    for (const row of sampledRows(listing.count, 400)) {
      const listedRow = listing.rowAt(row);
      if (listedRow === null) throw new Error(`row ${row} of ${listing.count} is not there`);
      if (listedRow.kind === 'word') alphaInsnText(listedRow.word, BigInt(listedRow.insnOff));
      if (listedRow.kind !== 'insn') continue;
      insnText(listedRow.insn);
      if (listing.rowOfInsn(listedRow.insn.offset) !== row) throw new Error(`row ${row} is lost`);
      lineAt(model, section, listedRow.insn.offset);
    }
  }
}

const READELF_PARTS = new Set<ReadelfPart>(['file-header', 'sections', 'relocations', 'symbols']);

/** Lists an ELF file as llvm-readelf does, and checks libbpf's rules for its headers and tables. */
async function listElf({ model, source }: Opened, reportStep: ReportStep): Promise<void> {
  reportStep('readelf');
  try {
    await readLines(readelf(model, source, READELF_PARTS));
  } catch (error) {
    if (!(error instanceof Malformed)) throw error;
  }
  reportStep('elf rules');
  checkElf(model);
  checkProgramRelocations(model);
}

/** Reads up to a limit of lines. */
async function readLines(batches: AsyncIterable<readonly string[]>): Promise<void> {
  let lines = 0;
  for await (const batch of batches) {
    lines += batch.length;
    if (lines > 200_000) break;
  }
}

/** Reads programs, maps and variables, and decodes the variables' values. */
export async function readData(file: Opened, reportStep: ReportStep): Promise<void> {
  const { model } = file;
  const read = sectionReader(model, await allBytes(file));
  reportStep('programs');
  const programs = new ProgramRows(model);
  for (let row = 0; row < programs.length; row++) programs.at(row);
  licenseOf(model, new Uint8Array(4));
  reportStep('maps');
  definedMaps(model, read);
  objectMaps(model);
  loadFacts(model, read);
  reportStep('strings');
  for (const section of stringSections(model)) {
    for (const { bytes } of stringsOf(read(section) ?? new Uint8Array(0))) {
      if (bytes.length === 0) throw new Error('an empty string in a section of strings');
    }
  }
  reportStep('variables');
  const variables = variablesOf(model);
  for (const row of sampledRows(variables.length)) {
    const variable = variables[row];
    if (variable === undefined) continue;
    reportStep('variable');
    const value = variableValue(model, read, variable);
    if (value === null) continue;
    readParts(valueLines('v = ', value, { maxElements: 64, foldZeros: true }));
    valueJson(value, { isPlain: false, isResolved: true, limit: 5_000 });
  }
}

/** Writes the listing and the report of an Alpha eCOFF object. */
export function reportEcoff({ model }: Opened, reportStep: ReportStep): void {
  const ecoff = ecoffFile(model);
  if (ecoff === null) return;
  reportStep('eCOFF listing');
  ecoffListing(ecoff);
  reportStep('eCOFF report');
  reportJson(ecoffReport(ecoff));
}

/** Limit of members that are opened; an input may list thousands. */
const MAX_MEMBERS = 20;

/** Opens the members of a file, and one of the members inside each member. */
export async function readMembers(bytes: Uint8Array, reportStep: ReportStep): Promise<void> {
  reportStep('members');
  const outer = await orMalformed(() => membersOf(bytes));
  if (outer === null) return;
  for (const row of sampledRows(outer.members.length, MAX_MEMBERS)) {
    const member = outer.members[row];
    if (member === undefined) continue;
    reportStep('a member');
    const source = await orMalformed(() => memberSource(outer.source, member));
    if (source === null) continue;
    if (source.size > member.size) throw new Error(`${member.name} is larger than it is listed`);
    reportStep('a member as a file');
    const inner = await orMalformed(() => ingest(source));
    const next = inner?.kind === 'archive' ? inner.members[0] : undefined;
    if (inner?.kind !== 'archive' || next === undefined) continue;
    reportStep('a member of a member');
    const { source: within } = inner;
    await orMalformed(async () => ingest(await memberSource(within, next)));
  }
}

/** Fuzz target for DWARF: every entry, value, list and line table, then types in their languages. */

import { sourceDeclaration } from '#analysis/source/source-declaration.ts';
import { sourcedTypes } from '#analysis/source/source-types.ts';
import { hasHugeNames } from '#analysis/types/wide-types.ts';
import { Malformed } from '#bytes/issue.ts';
import { DW_AT } from '#formats/dwarf/constants.ts';
import { operationsOf } from '#formats/dwarf/expressions.ts';
import { lineTableOf } from '#formats/dwarf/line.ts';
import { locationsOf, rangesOf } from '#formats/dwarf/lists.ts';
import { type Die, DwarfReader, type DwarfUnit } from '#formats/dwarf/reader.ts';
import { readDwarfSections } from '#ingest/dwarf-sections.ts';
import { typeId } from '#model/ids.ts';
import type { ObjectModel } from '#model/object-model.ts';
import { type Opened, orMalformed, type ReportStep, sampledRows } from './opened.ts';

/** Maximum number of entries whose values are read, by unit. */
const MAX_ENTRIES = 300;
/** Maximum number of types that are declared in their languages. */
const MAX_DECLARED = 40;
const ATTRIBUTES = Object.values(DW_AT);

/** Reads the DWARF of a file that is open. */
export async function readDwarf({ model, source }: Opened, reportStep: ReportStep): Promise<void> {
  if (model.format !== 'elf') return;
  reportStep('sections of DWARF');
  const loaded = await orMalformed(() => readDwarfSections(source, model, []));
  if (loaded === null) return;
  const reader = new DwarfReader(loaded.sections);
  for (const unit of reader.units) {
    reportStep(`unit at ${unit.offset}`);
    attempt(() => readEntries(unit));
    attempt(() => readLines(unit));
  }
  printSources(model, reportStep);
}

/** Longest declaration in characters: the limits of work and names, with marks around each name. */
const MAX_DECLARATION = 1 << 24;

/** Declares some types as the languages of their units do. */
function printSources(model: ObjectModel, reportStep: ReportStep): void {
  const sourced = sourcedTypes(model);
  if (sourced === null) return;
  const { types } = sourced;
  for (const row of sampledRows(types.count, MAX_DECLARED)) {
    const id = typeId(types.firstId + row);
    if (hasHugeNames(types, id)) continue;
    reportStep(`declaration of [${id}]`);
    const { text = '' } = sourceDeclaration(sourced, id) ?? {};
    if (text.length > MAX_DECLARATION) throw new Error(`[${id}] has ${text.length} characters`);
  }
}

function readEntries(unit: DwarfUnit): void {
  const { count, offset } = unit.tree();
  const step = Math.max(1, Math.floor(count / MAX_ENTRIES));
  for (let row = 0; row < count; row += step) {
    const die = unit.dieAt(unit.offset + (offset[row] ?? 0));
    attempt(() => die.attributes());
    for (const attribute of ATTRIBUTES) {
      if (die.has(attribute)) attempt(() => readValue(die, attribute));
    }
    attempt(() => rangesOf(die));
  }
}

function readValue(die: Die, attribute: number): void {
  attempt(() => die.number(attribute));
  attempt(() => die.signed(attribute));
  attempt(() => die.string(attribute));
  attempt(() => die.address(attribute));
  attempt(() => {
    const target = die.reference(attribute);
    if (target !== null) die.unit.reader.dieAt(target);
  });
  attempt(() => {
    const expression = die.block(attribute);
    if (expression !== null) operationsOf(expression, die.unit.header);
  });
  attempt(() => locationsOf(die, attribute));
}

function readLines(unit: DwarfUnit): void {
  const table = lineTableOf(unit);
  if (table === null) return;
  const { rows } = table;
  table.rowAt(rows.address[0] ?? 0n);
  table.file(rows.file[0] ?? 0);
}

function attempt(read: () => unknown): void {
  try {
    read();
  } catch (error) {
    if (!(error instanceof Malformed)) throw error;
  }
}

/** Fuzz target for DWARF: every entry, value, list and line table, then the types. */
import { Malformed } from '#bytes/issue.ts';
import { DW_AT } from '#formats/dwarf/constants.ts';
import { operationsOf } from '#formats/dwarf/expressions.ts';
import { lineTableOf } from '#formats/dwarf/line.ts';
import { locationsOf, rangesOf } from '#formats/dwarf/lists.ts';
import { type Die, DwarfReader, type DwarfUnit } from '#formats/dwarf/reader.ts';
import { readDwarfSections } from '#ingest/dwarf-sections.ts';
import { type Opened, orMalformed, type ReportStep } from './opened.ts';

/** Maximum number of entries whose values are read, by unit. */
const MAX_ENTRIES = 300;
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

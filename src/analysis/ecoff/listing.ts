/** Relocation list, and the listing as printed in Tru64 UNIX Object File Specification. */

import {
  type ListCells,
  type ListColumn,
  NO_CELLS,
  type RelocationLayout,
} from '#analysis/objects/relocation-facts.ts';
import type { EcoffFile } from '#formats/ecoff/ecoff-file.ts';
import {
  R,
  type Relocation,
  relocationAt,
  relocationTypeName,
} from '#formats/ecoff/relocations.ts';
import type { RelocIndex } from '#model/ids.ts';
import type { ObjectModel } from '#model/object-model.ts';
import { symbolText, symndxValue } from './entry-text.ts';
import { outcomeAt } from './relocate.ts';
import { resultText } from './relocation-formulas.ts';
import { compactRow, entryRow } from './rows.ts';

const HEADING = `                        ***RELOCATION INFORMATION***
          Vaddr         Symndx   Type  Off Size Extern  Name
`;

/** Yields the lines of the relocation listing, without line ends. */
export function* ecoffListingLines(file: EcoffFile): Generator<string> {
  yield* HEADING.trimEnd().split('\n');
  for (const table of file.relocations) {
    yield '';
    yield `${file.sections[table.section]?.name ?? ''}:`;
    for (let n = 0; n < table.count; n++) {
      yield listingLine(file, relocationAt(table, n)).trimEnd();
    }
  }
}

/** Type names that the listing abbreviates. */
const SHORT_NAMES = new Map<number, string>([
  [R.opPush, 'PUSH'],
  [R.opStore, 'STORE'],
  [R.opPsub, 'PSUB'],
  [R.opPrshift, 'PRSHIFT'],
  [R.gprelhigh, 'GPHIGH'],
  [R.gprellow, 'GPLOW'],
  [R.tlsLiteral, 'TLSLITE'],
  [R.tlsHigh, 'TLSHIGH'],
  [R.tlsLow, 'TLSLOW'],
]);

/** Returns an entry's line. A missing name is blank; only STORE entries have Off and Size. */
export function listingLine(file: EcoffFile, entry: Relocation): string {
  const vaddr = `0x${entry.rVaddr.toString(16).padStart(16, '0')}`;
  const symndx = entry.rSymndx.toString().padStart(7);
  const name = SHORT_NAMES.get(entry.rType) ?? relocationTypeName(entry.rType) ?? `${entry.rType}`;
  const type = name.padStart(7);
  const isStore = entry.rType === R.opStore;
  const offset = (isStore ? entry.rOffset.toString() : '').padStart(3);
  const size = (isStore ? entry.rSize.toString() : '').padStart(4);
  const where = (entry.rExtern ? 'extern' : 'local').padEnd(8);
  return `    ${vaddr} ${symndx} ${type} ${offset} ${size} ${where}${symbolText(file, entry)}`;
}

export const LIST_COLUMNS: readonly ListColumn[] = [
  ...(['address', 'section', 'symndx', 'type', 'bits', 'extern', 'symbol', 'result'] as const),
];

/** Returns the cells for the columns that only eCOFF files have. */
export function ecoffCells(
  model: ObjectModel,
  file: EcoffFile,
  reloc: RelocIndex,
  layout: RelocationLayout,
): ListCells {
  const row = entryRow(model, file, reloc);
  if (row === null) return compactCells(model, file, reloc);
  const { table, n, entry } = row;
  const value = outcomeAt(file, table, layout, n)?.results?.meant ?? null;
  const isStore = entry.rType === R.opStore;
  const result = value === null ? null : fieldValue(entry, value);
  return {
    symndx: `${symndxValue(entry)}`,
    bits: isStore ? `${entry.rOffset}:${entry.rSize}` : '',
    extern: entry.rExtern ? 'extern' : 'local',
    result: result === null ? '' : resultText(entry.rType, result),
  };
}

/** Width of a jump hint in bits; higher bits of the value are dropped. */
const HINT_BITS = 14;

/** Returns the stored part of a value, for types that cut a large value without an error. */
function fieldValue({ rType, rSize }: Relocation, value: bigint): bigint {
  if (rType === R.hint) return BigInt.asIntN(HINT_BITS, value);
  return rType === R.opStore ? BigInt.asUintN(rSize === 0 ? 64 : rSize, value) : value;
}

function compactCells(model: ObjectModel, file: EcoffFile, reloc: RelocIndex): ListCells {
  const meaning = compactRow(model, file, reloc)?.record.meaning;
  const isRun = meaning?.kind === 'address' && meaning.count !== 1;
  return { ...NO_CELLS, bits: isRun ? `×${meaning.count}` : '', extern: 'compact' };
}

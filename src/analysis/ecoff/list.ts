/**
 * Rows of the relocation list for eCOFF files, as the listing in section 4.3.4 of the Tru64 UNIX
 * Object File and Symbol Table Format Specification.
 */
import {
  type ListCells,
  type ListColumn,
  NO_CELLS,
  type RelocationLayout,
} from '#analysis/objects/relocation-facts.ts';
import type { EcoffFile } from '#formats/ecoff/ecoff-file.ts';
import { R, type Relocation } from '#formats/ecoff/relocations.ts';
import type { RelocIndex } from '#model/ids.ts';
import type { ObjectModel } from '#model/object-model.ts';
import { outcomeAt } from './relocate.ts';
import { resultText } from './relocation-formulas.ts';
import { compactRow, entryRow } from './rows.ts';

export const LIST_COLUMNS: readonly ListColumn[] = [
  ...(['address', 'section', 'symndx', 'type', 'bits', 'extern', 'symbol', 'result'] as const),
];

/** Returns the cells of the columns that only eCOFF has. */
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
    symndx: `${entry.rSymndx}`,
    bits: isStore ? `${entry.rOffset}:${entry.rSize}` : '',
    extern: entry.rExtern ? 'extern' : 'local',
    result: result === null ? '' : resultText(entry.rType, result),
  };
}

/** Bits of a jump's hint; the field keeps the lowest bits of the value. */
const HINT_BITS = 14;

/** Returns the part of the value that the field keeps, for types that cut the value without an error. */
function fieldValue({ rType, rSize }: Relocation, value: bigint): bigint {
  if (rType === R.hint) return BigInt.asIntN(HINT_BITS, value);
  return rType === R.opStore ? BigInt.asUintN(rSize === 0 ? 64 : rSize, value) : value;
}

function compactCells(model: ObjectModel, file: EcoffFile, reloc: RelocIndex): ListCells {
  const meaning = compactRow(model, file, reloc)?.record.meaning;
  const isRun = meaning?.kind === 'address' && meaning.count !== 1;
  return { ...NO_CELLS, bits: isRun ? `×${meaning.count}` : '', extern: 'compact' };
}

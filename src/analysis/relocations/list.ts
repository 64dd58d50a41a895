/**
 * How the entries of a file are listed: which columns, and what stands in them.
 * Each format as its own document or tool lists them.
 *
 * Source: `llvm-readelf -r`; for eCOFF the listing in section 4.3.4 of the Tru64
 * UNIX Object File and Symbol Table Format Specification (Vaddr, Symndx, Type,
 * Off, Size, Extern, Name).
 */

import { resultText } from '#analysis/ecoff/numbers-text.ts';
import { outcomeAt } from '#analysis/ecoff/outcomes.ts';
import { compactRow, entryRow } from '#analysis/ecoff/rows.ts';
import type { EcoffFile } from '#formats/ecoff/ecoff-file.ts';
import { R } from '#formats/ecoff/relocation-types.ts';
import type { Relocation } from '#formats/ecoff/relocations.ts';
import type { RelocIndex } from '#model/ids.ts';
import { formatName, isBpf, type ObjectModel } from '#model/object-model.ts';
import type { RelocationLayout } from './layout.ts';

export type ListColumn =
  | 'offset'
  | 'insn'
  | 'section'
  | 'type'
  | 'symbol'
  | 's'
  | 'a'
  | 'result'
  | 'address'
  | 'symndx'
  | 'bits'
  | 'extern';

const ECOFF: readonly ListColumn[] = [
  ...(['address', 'section', 'symndx', 'type', 'bits', 'extern', 'symbol', 'result'] as const),
];
const BPF: readonly ListColumn[] = [
  ...(['offset', 'insn', 'section', 'type', 'symbol', 's', 'a', 'result'] as const),
];
const ELF: readonly ListColumn[] = ['offset', 'section', 'type', 'symbol', 's', 'a'];

/** The columns in their order. `section` is of use only where entries of several are listed. */
export function listColumns(model: ObjectModel): readonly ListColumn[] {
  if (model.ecoff !== null) return ECOFF;
  return isBpf(model) ? BPF : ELF;
}

/** What of an entry stands in columns that only some formats have; texts, empty where there is nothing. */
export type ListCells = {
  readonly symndx: string;
  /** `0:32`: bit offset and size of what an expression stores. */
  readonly bits: string;
  readonly extern: string;
  /** What it comes to under the layout. */
  readonly result: string;
};

const NO_CELLS: ListCells = { symndx: '', bits: '', extern: '', result: '' };

/** The cells of one entry under `layout`. */
export function listCells(
  model: ObjectModel,
  reloc: RelocIndex,
  layout: RelocationLayout | null,
): ListCells {
  return model.ecoff === null || layout === null
    ? NO_CELLS
    : ecoffCells(model, model.ecoff, reloc, layout);
}

function ecoffCells(
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

/** The bits of a jump's hint, which holds what there is room for. */
const HINT_BITS = 14;

/** What of it goes into the field, of types that cut it without a word. */
function fieldValue({ rType, rSize }: Relocation, value: bigint): bigint {
  if (rType === R.hint) return BigInt.asIntN(HINT_BITS, value);
  return rType === R.opStore ? BigInt.asUintN(rSize === 0 ? 64 : rSize, value) : value;
}

function compactCells(model: ObjectModel, file: EcoffFile, reloc: RelocIndex): ListCells {
  const meaning = compactRow(model, file, reloc)?.record.meaning;
  const isRun = meaning?.kind === 'address' && meaning.count !== 1;
  return { ...NO_CELLS, bits: isRun ? `×${meaning.count}` : '', extern: 'compact' };
}

/** What entries are about that patch neither code nor data. */
export function otherWord(model: ObjectModel): string {
  return model.ecoff === null ? 'BTF and debug' : 'compact';
}

/** What entries of this file are called, to tell them from CO-RE records: `ELF relocation`. A BTF blob has none that would be of another kind. */
export function relocationWord(model: ObjectModel): string {
  return `${model.format === 'btf' ? 'ELF' : formatName(model)} relocation`;
}

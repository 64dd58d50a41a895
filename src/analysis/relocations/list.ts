/**
 * Columns and cells of the relocation list, by format.
 * Source: `llvm-readelf -r`; for eCOFF the listing in section 4.3.4 of the Tru64 UNIX Object File
 * and Symbol Table Format Specification (Vaddr, Symndx, Type, Off, Size, Extern, Name).
 */
import { formatModule } from '#analysis/formats/registry.ts';
import {
  type ListCells,
  type ListColumn,
  NO_CELLS,
  type RelocationLayout,
} from '#analysis/objects/relocation-facts.ts';
import type { RelocIndex } from '#model/ids.ts';
import { formatName, isBpf, type ObjectModel } from '#model/object-model.ts';

const BPF: readonly ListColumn[] = [
  ...(['offset', 'info', 'insn', 'section', 'type', 'symbol', 's', 'a', 'result'] as const),
];
const ELF: readonly ListColumn[] = ['offset', 'info', 'section', 'type', 'symbol', 's', 'a'];

/** Returns the columns in order. `section` is useful only for entries of several sections. */
export function listColumns(model: ObjectModel): readonly ListColumn[] {
  return formatModule(model)?.relocations.columns ?? (isBpf(model) ? BPF : ELF);
}

/** Returns the cells of an entry under `layout`. */
export function listCells(
  model: ObjectModel,
  reloc: RelocIndex,
  layout: RelocationLayout | null,
): ListCells {
  const cells = layout && formatModule(model)?.relocations.cells(model, reloc, layout);
  return cells ?? NO_CELLS;
}

/** Returns the term for the target of entries that patch neither code nor data. */
export function otherWord(model: ObjectModel): string {
  return formatModule(model)?.relocations.otherWord ?? 'BTF and debug';
}

/** Returns the term for entries of this file, distinct from CO-RE records: `ELF relocation`. */
export function relocationWord(model: ObjectModel): string {
  return `${model.format === 'btf' ? 'ELF' : formatName(model)} relocation`;
}

/**
 * How the entries of a file are listed: which columns, and what stands in them.
 * Each format as its own document or tool lists them.
 *
 * Source: `llvm-readelf -r`; for eCOFF the listing in section 4.3.4 of the Tru64
 * UNIX Object File and Symbol Table Format Specification (Vaddr, Symndx, Type,
 * Off, Size, Extern, Name).
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

/** The columns in their order. `section` is of use only where entries of several are listed. */
export function listColumns(model: ObjectModel): readonly ListColumn[] {
  return formatModule(model)?.relocations.columns ?? (isBpf(model) ? BPF : ELF);
}

/** The cells of one entry under `layout`. */
export function listCells(
  model: ObjectModel,
  reloc: RelocIndex,
  layout: RelocationLayout | null,
): ListCells {
  const cells = layout && formatModule(model)?.relocations.cells(model, reloc, layout);
  return cells ?? NO_CELLS;
}

/** What entries are about that patch neither code nor data. */
export function otherWord(model: ObjectModel): string {
  return formatModule(model)?.relocations.otherWord ?? 'BTF and debug';
}

/** What entries of this file are called, to tell them from CO-RE records: `ELF relocation`. A BTF blob has none that would be of another kind. */
export function relocationWord(model: ObjectModel): string {
  return `${model.format === 'btf' ? 'ELF' : formatName(model)} relocation`;
}

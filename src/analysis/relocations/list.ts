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

/** Returns the columns in order. The caller may omit `section` in a list of one section. */
export function listColumns(model: ObjectModel): readonly ListColumn[] {
  return formatModule(model)?.relocations.columns ?? (isBpf(model) ? BPF : ELF);
}

/** Returns the cells of an entry. The cell for the result uses the addresses in `layout`. */
export function listCells(
  model: ObjectModel,
  reloc: RelocIndex,
  layout: RelocationLayout | null,
): ListCells {
  const cells = layout && formatModule(model)?.relocations.cells(model, reloc, layout);
  return cells ?? NO_CELLS;
}

/** Returns the format's term for the target of an entry that patches neither code nor data. */
export function otherWord(model: ObjectModel): string {
  return formatModule(model)?.relocations.otherWord ?? 'BTF and debug';
}

/** Returns the term for the file's relocation entries, without CO-RE: `ELF relocation`. */
export function relocationWord(model: ObjectModel): string {
  return `${model.format === 'btf' ? 'ELF' : formatName(model)} relocation`;
}

/**
 * The parts of a file beside its sections, where no section header speaks of
 * them: headers, tables of relocation entries, symbols and their names. Empty for
 * ELF and BTF, whose own parts are in `structure/regions.ts`.
 */
import type { FileTable } from '#analysis/objects/format-module.ts';
import type { ObjectModel } from '#model/object-model.ts';
import { formatModule } from './registry.ts';

/** The tables that have bytes, headers first. They may lie over each other in damaged files. */
export function fileTables(model: ObjectModel): readonly FileTable[] {
  const tables = formatModule(model)?.fileTables(model) ?? [];
  return Array.from(tables).filter(({ start, end }) => start < end);
}

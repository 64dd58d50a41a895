/**
 * Parts of a file outside its sections: headers, tables of relocation entries, symbols and their
 * names. Empty for ELF and BTF; `structure/regions.ts` has their parts.
 */
import type { FileTable } from '#analysis/objects/format-module.ts';
import type { ObjectModel } from '#model/object-model.ts';
import { formatModule } from './registry.ts';

/** Returns the tables with bytes, headers first. They may overlap in damaged files. */
export function fileTables(model: ObjectModel): readonly FileTable[] {
  const tables = formatModule(model)?.fileTables(model) ?? [];
  return Array.from(tables).filter(({ start, end }) => start < end);
}

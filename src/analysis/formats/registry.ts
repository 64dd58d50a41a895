/** Selects the module for the format of a file. */
import type { FileTable, FormatModule } from '#analysis/objects/format-module.ts';
import type { ObjectModel } from '#model/object-model.ts';
import * as modules from './modules.ts';

const MODULES: readonly FormatModule[] = Object.values(modules);

/** Returns the module of the file's format; null for ELF and BTF. */
export function formatModule({ format }: ObjectModel): FormatModule | null {
  return MODULES.find((module) => module.format === format) ?? null;
}

/** Returns the tables with bytes, headers first. They may overlap in damaged files. */
export function fileTables(model: ObjectModel): readonly FileTable[] {
  const tables = formatModule(model)?.fileTables(model) ?? [];
  return Array.from(tables).filter(({ start, end }) => start < end);
}

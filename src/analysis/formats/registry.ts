/** Selects the module that supports a file's format. */
import type { FileTable, FormatModule } from '#analysis/objects/format-module.ts';
import type { ObjectModel } from '#model/object-model.ts';
import * as modules from './modules.ts';

const MODULES: readonly FormatModule[] = Object.values(modules);

/** Returns the module for the file's format; null for ELF and BTF. */
export function formatModule({ format }: ObjectModel): FormatModule | null {
  return MODULES.find((module) => module.format === format) ?? null;
}

/** Returns the headers and tables with bytes in the file. In damaged files they may overlap. */
export function fileTables(model: ObjectModel): readonly FileTable[] {
  const tables = formatModule(model)?.fileTables(model) ?? [];
  return Array.from(tables).filter(({ start, end }) => start < end);
}

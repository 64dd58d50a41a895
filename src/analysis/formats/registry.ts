/** Selects the module for the format of a file. */
import type { FormatModule } from '#analysis/objects/format-module.ts';
import type { ObjectModel } from '#model/object-model.ts';
import * as modules from './modules.ts';

const MODULES: readonly FormatModule[] = Object.values(modules);

/** Returns the module of the file's format; null for ELF and BTF. */
export function formatModule({ format }: ObjectModel): FormatModule | null {
  return MODULES.find((module) => module.format === format) ?? null;
}

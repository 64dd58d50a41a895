/** The modules of a kernel: split BTF that fits it, in files and in archives. */
import type { ByteSource } from '#bytes/source.ts';
import type { ArchiveMember } from '#model/object-model.ts';
import type { TypeTable } from '#model/type-table.ts';
import { type Ingested, ingest } from './ingest.ts';
import type { IngestOptions } from './ingest-options.ts';
import { memberSource } from './members.ts';

/** `types` of a module stand on those of its kernel. */
export type NamedTypes = { readonly name: string; readonly types: TypeTable };

/** The name of a module by that of its file, as the kernel has it: without the ending, and with no dash. */
export function moduleName(fileName: string): string {
  return fileName
    .replace(/^.*\//, '')
    .replace(/\.(?:btf|ko)(?:\.[a-z0-9]+)?$/, '')
    .replaceAll('-', '_');
}

/** The members of an archive that are split BTF and fit the kernel, in their order. Rejects as `ingest` does. */
export async function modulesAmong(
  members: readonly ArchiveMember[],
  source: ByteSource,
  kernel: NamedTypes,
  options: IngestOptions = {},
): Promise<readonly NamedTypes[]> {
  const modules: NamedTypes[] = [];
  for (const member of members) {
    const on = { ...options, base: kernel.types, baseName: kernel.name };
    const opened = await ingest(await memberSource(source, member, on), on);
    const module = fittingModule(opened);
    if (module !== null) modules.push(module);
  }
  return modules;
}

/** The module in a file that was read on a kernel; null where it is none, or one of another kernel. */
export function fittingModule(opened: Ingested): NamedTypes | null {
  if (opened.kind !== 'object') return null;
  const { name, types, splitBase } = opened.model;
  const fits = (splitBase?.refusal ?? null) === null;
  return types?.split === true && fits ? { name: moduleName(name), types } : null;
}

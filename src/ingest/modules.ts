/** The kernels in files and in archives, and their modules: split BTF that fits a kernel. */
import { Malformed } from '#bytes/issue.ts';
import type { ByteSource } from '#bytes/source.ts';
import { type ArchiveMember, isBpf } from '#model/object-model.ts';
import type { TypeTable } from '#model/type-table.ts';
import { type Ingested, ingest } from './ingest.ts';
import type { IngestOptions } from './ingest-options.ts';
import { memberSource } from './members.ts';

/** The types of a module, based on those of its kernel. */
export type NamedTypes = { readonly name: string; readonly types: TypeTable };

/** Returns the kernel's name of a module by its file name: without the ending, and with underscores for dashes. */
export function moduleName(fileName: string): string {
  return fileName
    .replace(/^.*\//, '')
    .replace(/\.(?:btf|ko)(?:\.[a-z0-9]+)?$/, '')
    .replaceAll('-', '_');
}

/** Returns the members of an archive that are split BTF and fit the kernel, in order. Rejects as `ingest` does. */
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

/** Returns the module in a file that was read on a kernel; null if it is not a module, or one of another kernel. */
export function fittingModule(opened: Ingested): NamedTypes | null {
  if (opened.kind !== 'object') return null;
  const { name, types, splitBase } = opened.model;
  const fits = (splitBase?.refusal ?? null) === null;
  return types?.split === true && fits ? { name: moduleName(name), types } : null;
}

/** A kernel, and the path of its file or archive member. */
export type KernelInside = { readonly path: string; readonly types: TypeTable };

/** A module; `types` are based on the last kernel found. */
export type ModuleInside = { readonly module: string; readonly types: TypeTable };

/** Kernel name and version of a path; both empty if the path has none. */
export type NamedByPath = { readonly name: string; readonly version: string };

/** Limit of nested archives: an archive of packages has two. */
const MAX_DEPTH = 3;

/** Searches files in order; modules come after their kernel. */
export class KernelFinder {
  /** Number of modules that fit no kernel before them. */
  strays = 0;
  readonly #named: (path: string) => NamedByPath;
  #kernel: (KernelInside & { readonly name: string }) | null = null;

  constructor(named: (path: string) => NamedByPath) {
    this.#named = named;
  }

  /** Yields the kernels and modules in a file, without unreadable members. Rejects with `Malformed`. */
  async *inside(
    source: ByteSource,
    path: string,
    depth = 0,
  ): AsyncGenerator<KernelInside | ModuleInside, void, undefined> {
    const kernel = this.#kernel;
    const opened = await ingest(
      source,
      kernel === null ? {} : { base: kernel.types, baseName: kernel.name },
    );
    if (opened.kind === 'object') {
      const { model } = opened;
      const { types } = model;
      const isObject = model.format !== 'btf' && isBpf(model);
      if (types === null || types.count === 0 || isObject) return;
      if (!types.split) {
        this.#kernel = { path, types, name: this.#named(path).name };
        yield { path, types };
        return;
      }
      const module = kernel === null ? null : fittingModule(opened);
      if (module === null || kernel === null) this.strays++;
      else yield { module: withoutKernel(module.name, kernel.name), types: module.types };
      return;
    }
    if (opened.kind === 'atlas' || depth === MAX_DEPTH) return;
    // The path of an archive of one kernel may be a better name than the member's.
    const only = opened.members.length === 1;
    for (const member of opened.members) {
      const isUnnamed = this.#named(member.name).version === '';
      const place = only && isUnnamed ? path : `${folderOf(path)}${member.name}`;
      try {
        yield* this.inside(await memberSource(opened.source, member), place, depth + 1);
      } catch (error) {
        if (!(error instanceof Malformed)) throw error;
      }
    }
  }
}

/** Returns the name of a module without the name of its kernel, which some file names have as a prefix. */
function withoutKernel(module: string, kernel: string): string {
  const before = moduleName(`${kernel}-`);
  return module.startsWith(before) ? module.slice(before.length) : module;
}

/** Returns the folder of `path` with the slash at its end; empty if there is none. */
function folderOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/') + 1);
}

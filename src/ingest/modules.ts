/** Finds kernels in files and archives, and their modules: split BTF that fits a kernel. */
import { Malformed } from '#bytes/issue.ts';
import type { ByteSource } from '#bytes/source.ts';
import { type ArchiveMember, isBpf } from '#model/object-model.ts';
import type { TypeTable } from '#model/type-table.ts';
import { type Ingested, ingest } from './ingest.ts';
import type { IngestOptions } from './ingest-options.ts';
import { memberSource } from './members.ts';

/** A module: its name, and its types with those of the kernel as base. */
export type NamedTypes = { readonly name: string; readonly types: TypeTable };

/** Returns the module name for a file name, without the ending and with `_` for `-`. */
export function moduleName(fileName: string): string {
  return fileName
    .replace(/^.*\//, '')
    .replace(/\.(?:btf|ko)(?:\.[a-z0-9]+)?$/, '')
    .replaceAll('-', '_');
}

/** Returns the modules of `kernel` among `members`, in order. Rejects like `ingest`. */
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

/** Returns the module in a file that was read on a kernel; null if the kernel is not its base. */
export function fittingModule(opened: Ingested): NamedTypes | null {
  if (opened.kind !== 'object') return null;
  const { name, types, splitBase } = opened.model;
  const fits = (splitBase?.refusal ?? null) === null;
  return types?.split === true && fits ? { name: moduleName(name), types } : null;
}

/** A kernel, and the path of its file or archive member. */
export type KernelInside = { readonly path: string; readonly types: TypeTable };

/** A module whose base is the kernel that was found most recently. */
export type ModuleInside = { readonly module: string; readonly types: TypeTable };

/** Name and version of a kernel from a path; both are empty if the path has none. */
export type NamedByPath = { readonly name: string; readonly version: string };

/** Largest depth of nested archives. An archive of packages has a depth of two. */
const MAX_DEPTH = 3;

/** Searches files for kernels and modules. A kernel must come before its modules. */
export class KernelFinder {
  /** Number of modules that fit none of the kernels found before. */
  strays = 0;
  readonly #named: (path: string) => NamedByPath;
  #kernel: (KernelInside & { readonly name: string }) | null = null;

  constructor(named: (path: string) => NamedByPath) {
    this.#named = named;
  }

  /** Yields the readable kernels and modules in a file. Rejects with `Malformed`. */
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
    if (opened.kind !== 'archive' || depth === MAX_DEPTH) return;
    // With a single kernel, the path of the archive may be a better name than that of the member.
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

/** Returns the module name without the kernel name, which some file names have as a prefix. */
function withoutKernel(module: string, kernel: string): string {
  const before = moduleName(`${kernel}-`);
  return module.startsWith(before) ? module.slice(before.length) : module;
}

/** Returns the folder of `path` with a slash at the end; empty if there is none. */
function folderOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/') + 1);
}

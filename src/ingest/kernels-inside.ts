/** The kernels in files and in archives of files, and the modules that fit them. */
import { Malformed } from '#bytes/issue.ts';
import type { ByteSource } from '#bytes/source.ts';
import { isBpf } from '#model/object-model.ts';
import type { TypeTable } from '#model/type-table.ts';
import { ingest } from './ingest.ts';
import { memberSource } from './members.ts';
import { fittingModule, moduleName } from './modules.ts';

/** A kernel, and the path of its file or of the member of an archive that it was found in. */
export type KernelInside = { readonly path: string; readonly types: TypeTable };

/** A module; `types` stand on the kernel that was found last. */
export type ModuleInside = { readonly module: string; readonly types: TypeTable };

/** What a path says of the kernel in it: both empty where it says nothing. */
export type NamedByPath = { readonly name: string; readonly version: string };

/** Archives inside each other: an archive of packages has two. */
const MAX_DEPTH = 3;

/** Looks through files one after the other; modules come behind their kernel. */
export class KernelFinder {
  /** Modules that fit no kernel that came before. */
  strays = 0;
  readonly #named: (path: string) => NamedByPath;
  #kernel: (KernelInside & { readonly name: string }) | null = null;

  constructor(named: (path: string) => NamedByPath) {
    this.#named = named;
  }

  /** What is in a file. Rejects with `Malformed` where it cannot be read; members of archives that cannot are passed over. */
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
    // The archive of one kernel may be named better than what is in it.
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

/** The name of a module whose file is named for its kernel as well. */
function withoutKernel(module: string, kernel: string): string {
  const before = moduleName(`${kernel}-`);
  return module.startsWith(before) ? module.slice(before.length) : module;
}

/** With the slash at its end; empty where there is none. */
function folderOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/') + 1);
}

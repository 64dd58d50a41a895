/** Whether an object loads on the kernel that a worker holds, with what is known of it beside its BTF. */
import type { TargetTable } from '#analysis/core/target.ts';
import { kernelTextKind, type LoadKernel } from '#analysis/load/kernel.ts';
import { judgeLoad, type LoadVerdict } from '#analysis/load/load.ts';
import { type LoadData, openedObject } from '#analysis/load/load-object.ts';
import { Malformed } from '#bytes/issue.ts';
import { type ByteSource, blobSource, bufferSource } from '#bytes/source.ts';
import { ingest } from '#ingest/ingest.ts';
import { moduleName, modulesAmong, type NamedTypes } from '#ingest/modules.ts';
import { readText } from '#ingest/unpack.ts';
import type { TypeTable } from '#model/type-table.ts';
import { coreTargetOf } from './core-answers.ts';
import type { Context } from './in-slices.ts';

/** What a person says of a kernel. Files cross by reference, nothing is copied. */
export type KernelFacts = {
  /** Of equal keys the worker reads the files once. */
  readonly key: number;
  /** Modules in the order in which they are loaded, a configuration, symbols. */
  readonly files: readonly { readonly name: string; readonly file: Blob | ArrayBuffer }[];
  /** Is no module loaded beside those of `files`? */
  readonly isComplete: boolean;
  /** What `uname -r` and `uname -v` print; null: not known. */
  readonly release: string | null;
  readonly unameVersion: string | null;
};

/** What a file of `KernelFacts` was taken for; `reason` is raw text. */
export type FactNote =
  | { readonly kind: 'modules'; readonly names: readonly string[] }
  | { readonly kind: 'config' }
  | { readonly kind: 'kallsyms' }
  | { readonly kind: 'refused'; readonly reason: string };

export type LoadAnswer = {
  readonly verdict: LoadVerdict;
  /** One for each of the facts' files. */
  readonly notes: readonly FactNote[];
};

type ReadFacts = Pick<LoadKernel, 'config' | 'kallsyms'> & {
  readonly modules: readonly TargetTable[];
  readonly notes: readonly FactNote[];
};

const NOTHING: ReadFacts = { modules: [], config: null, kallsyms: null, notes: [] };

/** The kernel of one worker; keeps what it has read of the files last given. */
export class KernelAnswers {
  #read: { readonly key: number; readonly of: TypeTable; readonly value: ReadFacts } | null = null;

  async judge(
    data: LoadData,
    kernel: NamedTypes,
    facts: KernelFacts,
    context: Context,
  ): Promise<LoadAnswer> {
    const { modules, config, kallsyms, notes } = await this.#facts(kernel, facts, context);
    const [vmlinux, ...own] = coreTargetOf(kernel.name, kernel.types).tables;
    const loaded = [...own, ...modules];
    const verdict = judgeLoad(openedObject(data), {
      name: kernel.name,
      vmlinux: vmlinux?.types ?? null,
      modules: loaded.length > 0 || facts.isComplete ? loaded : null,
      config,
      kallsyms,
      release: facts.release,
      unameVersion: facts.unameVersion,
    });
    return { verdict, notes };
  }

  /** The modules of the facts' files. */
  async modules(
    kernel: NamedTypes,
    facts: KernelFacts,
    context: Context,
  ): Promise<readonly TargetTable[]> {
    return (await this.#facts(kernel, facts, context)).modules;
  }

  async #facts(kernel: NamedTypes, { key, files }: KernelFacts, context: Context) {
    if (files.length === 0) return NOTHING;
    if (this.#read?.key === key && this.#read.of === kernel.types) return this.#read.value;
    let value = NOTHING;
    for (const { name, file } of files) {
      const source =
        file instanceof Blob ? blobSource(name, file) : bufferSource(name, new Uint8Array(file));
      value = await withFile(value, source, kernel, context);
    }
    this.#read = { key, of: kernel.types, value };
    return value;
  }
}

/** Of two configurations or lists of symbols the last counts. */
async function withFile(
  before: ReadFacts,
  source: ByteSource,
  kernel: NamedTypes,
  context: Context,
): Promise<ReadFacts> {
  const noted = (note: FactNote) => ({ ...before, notes: [...before.notes, note] });
  try {
    const modules = await modulesOf(source, kernel, context);
    const names = modules.map(({ name }) => name);
    return { ...noted({ kind: 'modules', names }), modules: [...before.modules, ...modules] };
  } catch (error) {
    if (!(error instanceof Malformed)) throw error;
    const text = await readText(source).catch(() => '');
    switch (kernelTextKind(text)) {
      case 'config':
        return { ...noted({ kind: 'config' }), config: { text } };
      case 'kallsyms':
        return { ...noted({ kind: 'kallsyms' }), kallsyms: text };
      case null:
        return noted({ kind: 'refused', reason: error.issue.message });
    }
  }
}

/** Throws `Malformed` where the file has no module that fits. */
async function modulesOf(
  source: ByteSource,
  kernel: NamedTypes,
  context: Context,
): Promise<readonly NamedTypes[]> {
  const opened = await ingest(source, { ...context, base: kernel.types, baseName: kernel.name });
  if (opened.kind === 'archive') {
    const found = await modulesAmong(opened.members, opened.source, kernel, context);
    if (found.length > 0) return found;
    throw noModule(source.name, 'no member is a module of this kernel');
  }
  const { name, types, splitBase } = opened.model;
  if (splitBase?.refusal != null) throw new Malformed(splitBase.refusal);
  if (types === null) throw noModule(source.name, 'it has no readable BTF');
  if (!types.split) throw noModule(source.name, 'its BTF is not split: it is a kernel of its own');
  return [{ name: moduleName(name), types }];
}

function noModule(name: string, why: string): Malformed {
  return new Malformed({
    code: 'btf.no-module',
    region: name,
    message: `${name} is no module, config or kallsyms: ${why}`,
    span: null,
    expected: 'split BTF on the types of this kernel',
    found: why,
  });
}

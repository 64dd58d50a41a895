/** Judges whether an object loads on the worker's kernel, with facts that its BTF does not have. */
import type { CoreTarget, TargetTable } from '#analysis/core/candidates.ts';
import { kernelTextKind, type LoadKernel } from '#analysis/kernel/kernel.ts';
import { versionRange } from '#analysis/kernel/version.ts';
import { judgeLoad, type LoadVerdict } from '#analysis/libbpf/load.ts';
import { type LoadData, openedObject } from '#analysis/libbpf/open.ts';
import { type Remedy, type RemedyReason, remedies } from '#analysis/load/remedies.ts';
import type { Needs } from '#analysis/needs/needs.ts';
import { type NeedsOnKernel, needsOnKernel } from '#analysis/needs/on-kernel.ts';
import { Malformed } from '#bytes/issue.ts';
import type { Context } from '#bytes/long-work.ts';
import { type ByteSource, blobSource, bufferSource } from '#bytes/source.ts';
import { ingest } from '#ingest/ingest.ts';
import { moduleName, modulesAmong, type NamedTypes } from '#ingest/modules.ts';
import { readText } from '#ingest/unpack.ts';
import { UnpackedSum } from '#ingest/unpacked-sum.ts';
import type { TypeTable } from '#model/type-table.ts';
import { coreTargetOf } from './core-answers.ts';

/** File with modules, a configuration or symbols. The worker reads each `key` only once. */
export type FactFile = {
  readonly key: number;
  readonly name: string;
  /** File content. A `Blob` is passed by reference; bytes are copied. */
  readonly file: Blob | ArrayBuffer;
};

/** Facts about a kernel that the user provides. */
export type KernelFacts = {
  /** Files with modules, in the order in which the modules are loaded. */
  readonly files: readonly FactFile[];
  /** True if no modules other than those in `files` are loaded. */
  readonly isComplete: boolean;
  /** Output of `uname -r`; `unameVersion` is that of `uname -v`. Null if unknown. */
  readonly release: string | null;
  readonly unameVersion: string | null;
};

/** Recognized content of a file in `KernelFacts`; `reason` is not escaped. */
export type FactNote =
  | { readonly kind: 'modules'; readonly names: readonly string[] }
  | { readonly kind: 'config' }
  | { readonly kind: 'kallsyms' }
  | { readonly kind: 'refused'; readonly reason: string };

export type LoadAnswer = {
  readonly verdict: LoadVerdict;
  /** Lowest version that the kernel's release or BTF allows; null if unknown. */
  readonly from: string | null;
  readonly notes: readonly FactNote[];
};

type Fact = {
  readonly note: FactNote;
  readonly modules?: readonly TargetTable[];
  readonly config?: string;
  readonly kallsyms?: string;
};

/** The worker's kernel as a place to load objects. Caches the contents of the files used last. */
export class KernelAnswers {
  #read: { readonly of: TypeTable; readonly facts: ReadonlyMap<number, Fact> } | null = null;

  async judge(
    data: LoadData,
    kernel: NamedTypes,
    facts: KernelFacts,
    context: Context,
  ): Promise<LoadAnswer> {
    const known = await this.#facts(kernel, facts, context);
    const place = loadKernel(kernel, facts, known);
    const verdict = judgeLoad(openedObject(data), place);
    const from = versionRange(place)?.from ?? null;
    return { verdict, from, notes: known.map(({ note }) => note) };
  }

  /** Returns changes with which the object no longer depends on a property of this kernel. */
  async remedies(
    data: LoadData,
    kernel: NamedTypes,
    facts: KernelFacts,
    reason: RemedyReason,
    context: Context,
  ): Promise<readonly Remedy[]> {
    const known = await this.#facts(kernel, facts, context);
    return remedies(openedObject(data), [loadKernel(kernel, facts, known)], reason, true);
  }

  /** Returns which needs of an object the kernel lacks. */
  async needs(
    data: LoadData,
    needs: Needs,
    kernel: NamedTypes,
    facts: KernelFacts,
    context: Context,
  ): Promise<NeedsOnKernel> {
    const known = await this.#facts(kernel, facts, context);
    return needsOnKernel(openedObject(data), needs, loadKernel(kernel, facts, known));
  }

  /** Returns `target` with the modules in the files of `facts` added. */
  async withModules(
    target: CoreTarget,
    types: TypeTable,
    facts: KernelFacts | undefined,
    context: Context,
  ): Promise<CoreTarget> {
    if (facts === undefined) return target;
    const known = await this.#facts({ name: target.name, types }, facts, context);
    return { ...target, tables: [...target.tables, ...modulesIn(known)] };
  }

  async #facts(
    kernel: NamedTypes,
    { files }: KernelFacts,
    context: Context,
  ): Promise<readonly Fact[]> {
    const before = this.#read?.of === kernel.types ? this.#read.facts : new Map<number, Fact>();
    const facts = new Map<number, Fact>();
    const sum = new UnpackedSum();
    for (const { key, name, file } of files) {
      const source =
        file instanceof Blob ? blobSource(name, file) : bufferSource(name, new Uint8Array(file));
      facts.set(key, before.get(key) ?? (await readFact(sum.open(source), kernel, context)));
    }
    this.#read = { of: kernel.types, facts };
    return [...facts.values()];
  }
}

function loadKernel(
  { name, types }: NamedTypes,
  facts: KernelFacts,
  known: readonly Fact[],
): LoadKernel {
  const [vmlinux, ...own] = coreTargetOf(name, types).tables;
  const loaded = [...own, ...modulesIn(known)];
  // If several files contain a configuration or symbols, the last file is used.
  const config = known.findLast((fact) => fact.config !== undefined)?.config;
  const kallsyms = known.findLast((fact) => fact.kallsyms !== undefined)?.kallsyms;
  return {
    name,
    vmlinux: vmlinux?.types ?? null,
    modules: loaded.length > 0 || facts.isComplete ? loaded : null,
    config: config === undefined ? null : { text: config },
    kallsyms: kallsyms ?? null,
    release: facts.release,
    unameVersion: facts.unameVersion,
  };
}

function modulesIn(facts: readonly Fact[]): readonly TargetTable[] {
  return facts.flatMap(({ modules }) => modules ?? []);
}

async function readFact(source: ByteSource, kernel: NamedTypes, context: Context): Promise<Fact> {
  try {
    const modules = await modulesOf(source, kernel, context);
    return { note: { kind: 'modules', names: modules.map(({ name }) => name) }, modules };
  } catch (error) {
    if (!(error instanceof Malformed)) throw error;
    const text = await readText(source).catch(() => '');
    const kind = kernelTextKind(text);
    return kind === null
      ? { note: { kind: 'refused', reason: error.issue.message } }
      : { note: { kind }, [kind]: text };
  }
}

/** Returns the modules in a file. Throws `Malformed` if none of them fits the kernel. */
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
  if (opened.kind === 'atlas') throw noModule(source.name, 'it is an atlas of kernels');
  if (opened.kind === 'log') throw noModule(source.name, 'it is a log');
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

/** Answers requests about an atlas: kernels, names, the history of a name, the BTF of a kernel. */
import {
  type AtlasNames,
  type AtlasSummary,
  readNames,
  searchNames,
  summaryOf,
} from '#analysis/atlas/atlas-names.ts';
import { attachHistory } from '#analysis/atlas/attach-history.ts';
import { RecordArchive } from '#analysis/atlas/extract.ts';
import { nameHistory } from '#analysis/atlas/history.ts';
import { memberAccess } from '#analysis/atlas/member-access.ts';
import { type Context, Slices } from '#bytes/long-work.ts';
import { type Ingested, kernelTypes } from '#ingest/ingest.ts';
import type { NamedTypes } from '#ingest/modules.ts';
import type { TypeTable } from '#model/type-table.ts';
import type { Methods } from './protocol.ts';

type AtlasFile = Extract<Ingested, { readonly kind: 'atlas' }>['atlas'];

const SLICE_MS = 20;
/** Limit of kernels whose types stay in memory: some 10 MB per kernel. */
const MAX_KERNELS = 3;
const NEVER_ABORTED = new AbortController().signal;

export class AtlasAnswers {
  readonly #atlas: AtlasFile;
  #names: Promise<AtlasNames> | null = null;
  #archive: Promise<RecordArchive> | null = null;
  readonly #waiting: { readonly kernel: number; readonly run: () => Promise<void> }[] = [];
  #isWorking = false;
  readonly #types = new Map<number, Promise<TypeTable>>();

  constructor(atlas: AtlasFile) {
    this.#atlas = atlas;
  }

  summary(): AtlasSummary {
    return summaryOf(this.#atlas);
  }

  async names(
    query: Methods['atlasNames']['params'],
    { signal, onProgress }: Context,
  ): Promise<Methods['atlasNames']['result']> {
    // All callers share one reading, which continues even if the first caller cancels.
    this.#names ??= readNames(this.#atlas, new Slices(SLICE_MS, NEVER_ABORTED), onProgress);
    const names = await this.#names;
    signal.throwIfAborted();
    return searchNames(names, this.#atlas.directory.kernels.length, query);
  }

  history({
    kind,
    name,
  }: Methods['atlasHistory']['params']): Promise<Methods['atlasHistory']['result']> {
    return nameHistory(this.#atlas, name, kind === null ? undefined : [kind]);
  }

  attach({ name }: Methods['atlasAttach']['params']): Promise<Methods['atlasAttach']['result']> {
    return attachHistory(this.#atlas, name);
  }

  /** Returns for each kernel if a program can read a member; null if no kernel has the member. */
  async access(
    { kind, name, item }: Methods['atlasAccess']['params'],
    { signal, onProgress }: Context,
  ): Promise<Methods['atlasAccess']['result']> {
    const found = await this.history({ kind, name });
    if (found === null) return null;
    const names = this.#atlas.directory.kernels.map((kernel) => kernel.name);
    const slices = new Slices(SLICE_MS, signal);
    return await memberAccess(
      found,
      item,
      names,
      (kernel) => this.types(kernel),
      async (progress) => {
        onProgress(progress);
        await slices.rest();
      },
    );
  }

  /** Returns the BTF of a kernel, byte for byte. Throws `Malformed` if the BTF is damaged. */
  async btf(kernel: number): Promise<Uint8Array> {
    this.#archive ??= RecordArchive.open(this.#atlas);
    return (await this.#archive).btf(kernel);
  }

  /** Returns the types of a kernel; keeps the last `MAX_KERNELS` in memory. Throws like `btf`. */
  async types(kernel: number): Promise<TypeTable> {
    const known = this.#types.get(kernel);
    const types = known ?? this.#read(kernel);
    // Moves the kernel to the end of the map: the first kernel is the least recently used.
    this.#types.delete(kernel);
    this.#types.set(kernel, types);
    const [oldest] = this.#types.keys();
    if (this.#types.size > MAX_KERNELS && oldest !== undefined) this.#types.delete(oldest);
    return await types;
  }

  /** Queues `work` on a kernel. Only one task runs at a time, so that few kernels are in memory. */
  use<T>(kernel: number, signal: AbortSignal, work: (named: NamedTypes) => Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      const run = async () => {
        signal.throwIfAborted();
        return await work({ name: this.#nameOf(kernel), types: await this.types(kernel) });
      };
      this.#waiting.push({ kernel, run: () => run().then(resolve, reject) });
      if (!this.#isWorking) void this.#workOff();
    });
  }

  /** Runs queued tasks. Tasks on kernels in memory go first, since loading types takes longest. */
  async #workOff(): Promise<void> {
    this.#isWorking = true;
    while (this.#waiting.length > 0) {
      const known = this.#waiting.findIndex(({ kernel }) => this.#types.has(kernel));
      const [next] = this.#waiting.splice(Math.max(0, known), 1);
      await next?.run();
    }
    this.#isWorking = false;
  }

  #nameOf(kernel: number): string {
    return this.#atlas.directory.kernels[kernel]?.name ?? '';
  }

  async #read(kernel: number): Promise<TypeTable> {
    return await kernelTypes(this.#nameOf(kernel), await this.btf(kernel));
  }
}

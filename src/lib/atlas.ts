/** Atlases, the types of many kernels in one file: `openAtlas` and the requests to an atlas. */
import { RecordArchive } from '#analysis/atlas/extract.ts';
import { historyOf } from '#analysis/atlas/history.ts';
import { answerOf, type KernelAnswer, type Question } from '#analysis/atlas/questions.ts';
import { Malformed } from '#bytes/issue.ts';
import type { AtlasFile } from '#formats/atlas/atlas-file.ts';
import { ingest } from '#ingest/ingest.ts';
import { type Input, type ObjectFile, type OpenOptions, open, sourceOf } from './open.ts';

/** A kernel of an atlas. */
export type AtlasKernel = {
  /** Unique in the atlas: `6.1.0-56-amd64`. */
  readonly name: string;
  /** `6.1.0`; empty if unknown, as are the other fields. */
  readonly version: string;
  readonly arch: string;
  readonly flavour: string;
};

/** An answer by kernel, for the kernels that have the type, member or enumerator. */
export type AtlasAnswer<T> = {
  /** By kernel name, oldest first. */
  readonly kernels: ReadonlyMap<string, T & AtlasModules>;
  /** Kernels without the type, member or enumerator, oldest first. */
  readonly missing: readonly string[];
};

/** The modules of a kernel that have a name. */
export type AtlasModules = {
  /** The module with the answer, if the kernel itself does not have the name; else null. */
  readonly module: string | null;
  /** All modules of the kernel that have the name. */
  readonly modules: readonly string[];
};

export type AtlasType = {
  /** In bytes. */
  readonly size: number;
  readonly memberCount: number;
  /** Equal for kernels whose members all have the same names, types and places. */
  readonly layout: string;
};

export type AtlasMember = {
  /** From the start of the struct. */
  readonly bitOffset: number;
  readonly bitSize: number;
  /** In C notation. */
  readonly type: string;
};

/** The forms of one name, in the order in which kernels first have them. */
export type AtlasHistory = {
  readonly kind: 'struct' | 'union' | 'enum' | 'typedef' | 'func';
  readonly name: string;
  readonly forms: readonly {
    /** The form in one line. */
    readonly title: string;
    /** Kernels with this form; a module is in parentheses if its kernel does not have the form. */
    readonly kernels: readonly string[];
    /** Differences to the previous form: `+` added, `-` removed, `~` changed. */
    readonly changes: readonly { readonly sign: '+' | '-' | '~'; readonly text: string }[];
  }[];
};

/** Types of many kernels. Every method rejects with `Malformed` for a damaged part. */
export class Atlas {
  readonly #file: AtlasFile;
  #records: Promise<RecordArchive> | undefined;

  /** @internal */
  constructor(file: AtlasFile) {
    this.#file = file;
  }

  get name(): string {
    return this.#file.name;
  }

  /** Kernels, oldest first. */
  get kernels(): readonly AtlasKernel[] {
    return this.#file.directory.kernels.map(({ name, version, arch, flavour }) => {
      return { name, version, arch, flavour };
    });
  }

  /** Returns the struct called `name` by kernel, or the union if no kernel has such a struct. */
  async type(name: string): Promise<AtlasAnswer<AtlasType>> {
    const as = (found: KernelAnswer) => ({
      size: Number(found.size),
      memberCount: Number(found.members),
      layout: `${found.layout}`,
    });
    const struct = await this.#ask({ ask: 'struct', name, item: '' }, as);
    return struct.kernels.size > 0 ? struct : this.#ask({ ask: 'union', name, item: '' }, as);
  }

  /** Returns a member of `type` by kernel, also a member of an anonymous member. */
  member(type: string, name: string): Promise<AtlasAnswer<AtlasMember>> {
    return this.#ask({ ask: 'member', name: type, item: name }, (found) => ({
      bitOffset: Number(found.bit_offset),
      bitSize: Number(found.bits),
      type: `${found.type}`,
    }));
  }

  func(name: string): Promise<AtlasAnswer<{ readonly prototype: string }>> {
    return this.#ask({ ask: 'func', name, item: '' }, (found) => ({
      prototype: `${found.prototype}`,
    }));
  }

  /** Returns an enumerator of the enum `type` by kernel. */
  enumerator(type: string, name: string): Promise<AtlasAnswer<{ readonly value: bigint }>> {
    return this.#ask({ ask: 'enumerator', name: type, item: name }, (found) => ({
      value: BigInt(`${found.value}`),
    }));
  }

  /** Returns the type that a typedef refers to, and its size in bytes, by kernel. */
  typedef(name: string): Promise<AtlasAnswer<{ readonly type: string; readonly size: number }>> {
    return this.#ask({ ask: 'typedef', name, item: '' }, (found) => ({
      type: `${found.type}`,
      size: Number(found.size),
    }));
  }

  /** Returns the forms of a type, else of a function, by kernel; null if no kernel has it. */
  history(name: string): Promise<AtlasHistory | null> {
    return historyOf(this.#file, name);
  }

  /** Opens a kernel as a file. Rejects with `Malformed` if the atlas has no extractable kernels. */
  async open(kernel: string): Promise<ObjectFile> {
    const number = this.#file.directory.kernels.findIndex(({ name }) => name === kernel);
    if (number < 0) {
      const message = `${this.name} has no kernel ${kernel}`;
      throw new Malformed({ code: 'atlas.no-kernel', region: this.name, message, span: null });
    }
    this.#records ??= RecordArchive.open(this.#file);
    return open(await (await this.#records).btf(number), { name: kernel });
  }

  async #ask<T>(question: Question, as: (found: KernelAnswer) => T): Promise<AtlasAnswer<T>> {
    const found = new Map(Object.entries((await answerOf(this.#file, question)).kernels));
    const kernels = new Map<string, T & AtlasModules>();
    const missing: string[] = [];
    for (const { name } of this.#file.directory.kernels) {
      const answer = found.get(name);
      if (answer === undefined) {
        missing.push(name);
        continue;
      }
      const { module, modules } = answer;
      const where = {
        module: module === undefined ? null : `${module}`,
        modules: Array.isArray(modules) ? modules : [],
      };
      kernels.set(name, { ...as(answer), ...where });
    }
    return { kernels, missing };
  }
}

/** Opens an atlas of `btfscope atlas build`, also compressed. Rejects with `Malformed`. */
export async function openAtlas(
  input: Input,
  { name, ...follow }: Pick<OpenOptions, 'name' | 'signal' | 'onProgress'> = {},
): Promise<Atlas> {
  const source = sourceOf(input, name);
  const opened = await ingest(source, follow);
  if (opened.kind === 'atlas') return new Atlas(opened.atlas);
  const message = `${source.name} is not an atlas`;
  const advice = 'Open it with open.';
  throw new Malformed({ code: 'atlas.magic', region: source.name, message, span: null, advice });
}

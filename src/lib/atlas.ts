/** An atlas, the types of many kernels in one file: `openAtlas`, and the questions to it. */
import { RecordArchive } from '#analysis/atlas/extract.ts';
import { historyOf } from '#analysis/atlas/history.ts';
import { answerOf, type KernelAnswer, type Question } from '#analysis/atlas/questions.ts';
import { Malformed } from '#bytes/issue.ts';
import type { AtlasFile } from '#formats/atlas/atlas-file.ts';
import { ingest } from '#ingest/ingest.ts';
import { type Input, type ObjectFile, type OpenOptions, open, sourceOf } from './open.ts';

/** What an atlas says of a kernel. */
export type AtlasKernel = {
  /** Unique in the atlas: `6.1.0-56-amd64`. */
  readonly name: string;
  /** `6.1.0`; empty where it is not known, as are the others. */
  readonly version: string;
  readonly arch: string;
  readonly flavour: string;
};

/** What kernels have, where there is something. */
export type AtlasAnswer<T> = {
  /** By name of the kernel, oldest first. */
  readonly kernels: ReadonlyMap<string, T & AtlasModules>;
  /** The kernels that have no such thing, oldest first. */
  readonly missing: readonly string[];
};

/** The modules of a kernel that have a name. */
export type AtlasModules = {
  /** The module that answers, where the kernel itself has not the name; else null. */
  readonly module: string | null;
  /** All modules of the kernel that have the name. */
  readonly modules: readonly string[];
};

export type AtlasType = {
  /** In bytes. */
  readonly size: number;
  readonly memberCount: number;
  /** Equal on kernels where all members have the same names, types and places. */
  readonly layout: string;
};

export type AtlasMember = {
  /** From the start of the struct. */
  readonly bitOffset: number;
  readonly bitSize: number;
  /** As C refers to it. */
  readonly type: string;
};

/** The forms of one name, in the order in which kernels first have them. */
export type AtlasHistory = {
  readonly kind: 'struct' | 'union' | 'enum' | 'typedef' | 'func';
  readonly name: string;
  readonly forms: readonly {
    /** The form in a line. */
    readonly title: string;
    /** The kernels that have it; with a module in parentheses where the kernel itself has it not. */
    readonly kernels: readonly string[];
    /** What differs from the form before: `+` added, `-` removed, `~` changed. */
    readonly changes: readonly { readonly sign: '+' | '-' | '~'; readonly text: string }[];
  }[];
};

/** The types of many kernels. Every question rejects with `Malformed` where its part of the file is damaged. */
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

  /** Oldest first. */
  get kernels(): readonly AtlasKernel[] {
    return this.#file.directory.kernels.map(({ name, version, arch, flavour }) => {
      return { name, version, arch, flavour };
    });
  }

  /** The struct of that name, or the union where no kernel has such a struct. */
  async type(name: string): Promise<AtlasAnswer<AtlasType>> {
    const as = (found: KernelAnswer) => ({
      size: Number(found.size),
      memberCount: Number(found.members),
      layout: `${found.layout}`,
    });
    const struct = await this.#ask({ ask: 'struct', name, item: '' }, as);
    return struct.kernels.size > 0 ? struct : this.#ask({ ask: 'union', name, item: '' }, as);
  }

  /** A member of the struct or union `type`; one of an anonymous member counts as its own. */
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

  /** An enumerator of the enum `type`. */
  enumerator(type: string, name: string): Promise<AtlasAnswer<{ readonly value: bigint }>> {
    return this.#ask({ ask: 'enumerator', name: type, item: name }, (found) => ({
      value: BigInt(`${found.value}`),
    }));
  }

  /** What a typedef stands for, and its size in bytes. */
  typedef(name: string): Promise<AtlasAnswer<{ readonly type: string; readonly size: number }>> {
    return this.#ask({ ask: 'typedef', name, item: '' }, (found) => ({
      type: `${found.type}`,
      size: Number(found.size),
    }));
  }

  /** How a type or function differs between kernels; types before functions. null where no kernel has the name. */
  history(name: string): Promise<AtlasHistory | null> {
    return historyOf(this.#file, name);
  }

  /** A kernel as a file, for all else that can be asked. Rejects with `Malformed` where the atlas only answers questions. */
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

/** Opens an atlas, as `btfscope atlas build` writes it, also compressed. Rejects with `Malformed` where it is none. */
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

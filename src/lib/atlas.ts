/** Atlases (the types of many kernels in one file): `openAtlas` and the requests to an atlas. */
import { RecordArchive } from '#analysis/atlas/extract.ts';
import { historyOf } from '#analysis/atlas/history.ts';
import { answerOf, type KernelAnswer, type Question } from '#analysis/atlas/questions.ts';
import { Malformed } from '#bytes/issue.ts';
import type { AtlasFile } from '#formats/atlas/atlas-file.ts';
import { ingest } from '#ingest/ingest.ts';
import { type Input, type ObjectFile, type OpenOptions, open, sourceOf } from './open.ts';

/** Name and version of a kernel of an atlas. */
export type AtlasKernel = {
  /** Name of the kernel, unique in the atlas: `6.1.0-56-amd64`. */
  readonly name: string;
  /** Version of the kernel, `6.1.0`. Unknown fields are empty. */
  readonly version: string;
  readonly arch: string;
  readonly flavour: string;
};

/** The answer to a request: a value per kernel that has the type, member or enumerator. */
export type AtlasAnswer<T> = {
  /** Values by kernel name, oldest kernel first. */
  readonly kernels: ReadonlyMap<string, T & AtlasModules>;
  /** Names of the kernels without the type, member or enumerator, oldest kernel first. */
  readonly missing: readonly string[];
};

/** The modules that have the requested name. */
export type AtlasModules = {
  /** The module with the value if the kernel itself lacks the name; null if the kernel has it. */
  readonly module: string | null;
  /** All modules of the kernel that have the requested name. */
  readonly modules: readonly string[];
};

export type AtlasType = {
  /** Size of the type in bytes. */
  readonly size: number;
  readonly memberCount: number;
  /** Id of the layout: equal for kernels whose members have equal names, types and places. */
  readonly layout: string;
};

export type AtlasMember = {
  /** Bits from the start of the struct. */
  readonly bitOffset: number;
  readonly bitSize: number;
  /** Type of the member in C notation. */
  readonly type: string;
};

/** The forms that a type or function has had, in the order of the oldest kernel of each form. */
export type AtlasHistory = {
  readonly kind: 'struct' | 'union' | 'enum' | 'typedef' | 'func';
  readonly name: string;
  readonly forms: readonly {
    /** Description of the form in one line. */
    readonly title: string;
    /** Kernels with the form. `KERNEL (MODULE)` if only the module of a kernel has the form. */
    readonly kernels: readonly string[];
    /** Differences from the previous form: `+` added, `-` removed, `~` changed. */
    readonly changes: readonly { readonly sign: '+' | '-' | '~'; readonly text: string }[];
  }[];
};

/** The types of many kernels. Every method rejects with `Malformed` if a needed part is damaged. */
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

  /** The kernels of the atlas, oldest first. */
  get kernels(): readonly AtlasKernel[] {
    return this.#file.directory.kernels.map(({ name, version, arch, flavour }) => {
      return { name, version, arch, flavour };
    });
  }

  /** Returns the struct `name` of each kernel; the union if no kernel has a struct of this name. */
  async type(name: string): Promise<AtlasAnswer<AtlasType>> {
    const as = (found: KernelAnswer) => ({
      size: Number(found.size),
      memberCount: Number(found.members),
      layout: `${found.layout}`,
    });
    const struct = await this.#ask({ ask: 'struct', name, item: '' }, as);
    return struct.kernels.size > 0 ? struct : this.#ask({ ask: 'union', name, item: '' }, as);
  }

  /** Returns the member `name` of `type` on each kernel. Includes members of anonymous members. */
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

  /** Returns an enumerator of the enum `type` on each kernel. */
  enumerator(type: string, name: string): Promise<AtlasAnswer<{ readonly value: bigint }>> {
    return this.#ask({ ask: 'enumerator', name: type, item: name }, (found) => ({
      value: BigInt(`${found.value}`),
    }));
  }

  /** Returns the target of a typedef, and its size in bytes, on each kernel. */
  typedef(name: string): Promise<AtlasAnswer<{ readonly type: string; readonly size: number }>> {
    return this.#ask({ ask: 'typedef', name, item: '' }, (found) => ({
      type: `${found.type}`,
      size: Number(found.size),
    }));
  }

  /** Returns the forms of a type, or else of a function; null if no kernel has the name. */
  history(name: string): Promise<AtlasHistory | null> {
    return historyOf(this.#file, name);
  }

  /** Returns a kernel as a file. Rejects with `Malformed` if the atlas lacks its full BTF. */
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

/** Opens an atlas of `btfscope atlas build`, perhaps compressed. Rejects with `Malformed`. */
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

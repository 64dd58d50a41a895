/** Opens files: `open`, `listMembers`, and the types of their results. */
import { sectionTypeText } from '#analysis/formats/section-text.ts';
import { issuesOf } from '#analysis/lint/all-issues.ts';
import { embeddedObjects } from '#analysis/objects/embedded-objects.ts';
import { Malformed as MalformedFile } from '#bytes/issue.ts';
import { blobSource, bufferSource } from '#bytes/source.ts';
import { type IngestedObjects, ingest } from '#ingest/ingest.ts';
import type { IngestOptions } from '#ingest/ingest-options.ts';
import { memberSource } from '#ingest/members.ts';
import { sectionIndex } from '#model/ids.ts';
import { formatName, type ObjectModel } from '#model/object-model.ts';
import { sectionCount, sectionName } from '#model/sections.ts';
import { Types, typesOf } from './types.ts';

/** A source of bytes that is read by ranges, such as a file on disk or on an HTTP server. */
export type ByteSource = {
  readonly name: string;
  /** Length in bytes. */
  readonly size: number;
  /** Returns the bytes from `start` to `end` (exclusive); fewer if the file ends before `end`. */
  read(start: number, end: number): Promise<Uint8Array>;
};

/** A `Blob` or `File`, declared here so that the library needs no DOM types. */
export type BlobLike = {
  readonly size: number;
  slice(start: number, end: number): { arrayBuffer(): Promise<ArrayBuffer> };
};

/** The bytes of a file, in any form that `open` and `openAtlas` accept. */
export type Input = Uint8Array | ArrayBuffer | BlobLike | ByteSource;

export type OpenOptions = {
  /** Name of the file, kernel or module in messages. Default: the name of a `File`. */
  readonly name?: string;
  /** For split BTF: the file with the base types. For a module: its kernel. */
  readonly base?: ObjectFile;
  /** Archive member, or BPF object in a program; for nested members a list, outermost first. */
  readonly member?: string | readonly string[];
  /** Signal that aborts opening: `open` then rejects with the signal's reason. */
  readonly signal?: SignalLike | undefined;
  /** Receives progress a few times per second if opening takes long. */
  readonly onProgress?: ((progress: Progress) => void) | undefined;
};

/** An `AbortSignal`, declared here so that the library needs no DOM types. */
export type SignalLike = { throwIfAborted(): void };

/** Progress of a step: `done` of `total` bytes or rows; `total` is 0 if unknown. */
export type Progress = { readonly step: string; readonly done: number; readonly total: number };

/** A problem in a file, or an unusual part of it, with its place. */
export type Issue = {
  /** `error`: a part is unreadable. `warning`: an unusual part was read. `note`: information. */
  readonly severity: 'error' | 'warning' | 'note';
  /** Id of the problem, such as `btf.header-too-short`. Does not change between versions. */
  readonly code: string;
  /** Description in one sentence. Names are not escaped: use `visible` before you show it. */
  readonly message: string;
  /** Byte range in the file, `end` exclusive; null if the issue concerns the whole file. */
  readonly span: { readonly start: number; readonly end: number } | null;
  /** Name of the part of the file: `.BTF`, `ELF header`. */
  readonly region: string;
  readonly expected?: string;
  readonly found?: string;
  /** What the user can do. */
  readonly advice?: string;
};

/** The error for a file, or a part, that cannot be read. Its contents cause no other error. */
export type Malformed = Error & { readonly issue: Issue };

/** The class of `Malformed`, for `error instanceof Malformed`. */
export const Malformed: abstract new (...args: never) => Malformed = MalformedFile;

/** A file inside of another file. */
export type ArchiveMember = {
  /** Name as in the file, not escaped: use `visible` before you show it. */
  readonly name: string;
  /** Kind of file: `BPF object`, `BTF`, `kernel module` … */
  readonly kind: string;
  /** Unpacked size in bytes. */
  readonly size: number;
};

export type Section = {
  readonly index: number;
  readonly name: string;
  /** Type of the section as the format names it: `PROGBITS`. */
  readonly type: string;
  readonly fileOffset: number;
  readonly byteSize: number;
};

/** @internal */
export type Opened = { readonly model: ObjectModel; readonly source: ByteSource };

/** An opened file: a BPF object, a kernel, a module, or raw BTF. */
export class ObjectFile {
  readonly #opened: Opened;

  /** @internal */
  constructor(opened: Opened) {
    this.#opened = opened;
  }

  /** @internal */
  static openedOf(file: ObjectFile): Opened {
    return file.#opened;
  }

  get name(): string {
    return this.#opened.model.name;
  }

  /** Format of the file: `ELF`, `BTF` or `eCOFF`. */
  get format(): string {
    return formatName(this.#opened.model);
  }

  /** Size of the unpacked file in bytes; all offsets refer to the unpacked file. */
  get size(): number {
    return this.#opened.model.size;
  }

  /** Compression formats that were unpacked, outermost first: `['gzip']`. */
  get containers(): readonly string[] {
    return this.#opened.model.containers;
  }

  get endian(): 'little' | 'big' {
    return this.#opened.model.endian;
  }

  /** Machine of an ELF file, `EM_BPF`, `EM_X86_64` …; null for raw BTF. */
  get machine(): string | null {
    return this.#opened.model.machine?.name ?? null;
  }

  /** Parts of the file that could not be read. `lint` returns all issues, these among them. */
  get issues(): readonly Issue[] {
    return this.#opened.model.issues;
  }

  get sections(): readonly Section[] {
    const { sections } = this.#opened.model;
    const count = sectionCount(sections);
    return Array.from({ length: count }, (_, i) => {
      const index = sectionIndex(sections.count - count + i);
      return {
        index,
        name: sectionName(sections, index),
        type: sectionTypeText(this.#opened.model, index).type,
        fileOffset: sections.fileOffset[index] ?? 0,
        byteSize: sections.byteLength[index] ?? 0,
      };
    });
  }

  /** True if the file has readable BTF. */
  get hasTypes(): boolean {
    return this.#opened.model.types !== null;
  }

  /** The types of the file. Throws `Malformed` if the file has no readable BTF. */
  get types(): Types {
    const { types, issues, name } = this.#opened.model;
    if (types !== null) return typesOf(types);
    const why = issues.find(({ severity, region }) => severity === 'error' && /BTF/.test(region));
    throw new MalformedFile({
      code: 'btf.none',
      region: name,
      message: `${name} has no readable BTF${why === undefined ? '' : `: ${why.message}`}`,
      span: why?.span ?? null,
    });
  }

  /** Returns the bytes `start` to `end` (exclusive) of the unpacked file. */
  read(start: number, end: number): Promise<Uint8Array> {
    return this.#opened.source.read(start, end);
  }
}

/**
 * Opens a file of any supported type. It may be compressed, or in an archive. A damaged part
 * becomes an issue. Rejects with `Malformed` for an unreadable file, an atlas, an archive without
 * `member`, or a `base` that does not fit.
 */
export async function open(input: Input, options: OpenOptions = {}): Promise<ObjectFile> {
  const { base, member = [], signal, onProgress } = options;
  const follow = { signal, onProgress };
  const on =
    base === undefined
      ? follow
      : { ...follow, base: Types.tableOf(base.types), baseName: base.name };
  let opened = await ingestPlain(sourceOf(input, options.name), on);
  for (const name of typeof member === 'string' ? [member] : member) {
    opened = await openMember(opened, name, on);
  }
  if (opened.kind === 'archive') {
    const { name } = opened;
    throw archiveFault('archive.no-member-chosen', name, `${name} is an archive`);
  }
  const refusal = opened.model.splitBase?.refusal ?? null;
  if (refusal !== null) throw new MalformedFile(refusal);
  return new ObjectFile(opened);
}

/** Lists the members of an archive, or the BPF objects inside a program. Rejects as `open` does. */
export async function listMembers(
  input: Input,
  { name, ...follow }: Pick<OpenOptions, 'name' | 'signal' | 'onProgress'> = {},
): Promise<readonly ArchiveMember[]> {
  const { members } = await inside(await ingestPlain(sourceOf(input, name), follow));
  return members.map(({ name, kind, size }) => ({ name, kind, size }));
}

/**
 * Checks headers, types, records, relocations and instructions of a file. Returns all issues,
 * also those of `file.issues`: errors first, then by offset.
 */
export async function lint(file: ObjectFile): Promise<readonly Issue[]> {
  const { model, source } = ObjectFile.openedOf(file);
  const { issues, origin } = await issuesOf(model, source);
  return [...issues, ...origin];
}

/** Ingests a file. Rejects a log, and an atlas, because it contains the types of many kernels. */
async function ingestPlain(source: ByteSource, on: IngestOptions = {}): Promise<IngestedObjects> {
  const opened = await ingest(source, on);
  if (opened.kind !== 'atlas' && opened.kind !== 'log') return opened;
  const [what, advice] =
    opened.kind === 'atlas'
      ? ['an atlas', 'Open it with openAtlas.']
      : ['a log', 'The command btfscope explain explains it.'];
  const code = `file.${opened.kind}`;
  const message = `${source.name} is ${what}`;
  throw new MalformedFile({ code, region: source.name, message, span: null, advice });
}

async function openMember(
  outer: IngestedObjects,
  name: string,
  on: IngestOptions,
): Promise<IngestedObjects> {
  const { members, source } = await inside(outer);
  const found = members.find((member) => member.name === name);
  const outerName = outer.kind === 'archive' ? outer.name : outer.model.name;
  if (found === undefined) {
    throw archiveFault('archive.no-such-member', outerName, `${outerName} has no member ${name}`);
  }
  return ingestPlain(await memberSource(source, found, on), on);
}

async function inside(opened: IngestedObjects) {
  if (opened.kind === 'archive') return opened;
  const { members } = await embeddedObjects(opened.model, opened.source);
  return { members, source: opened.source };
}

function archiveFault(code: string, region: string, message: string): MalformedFile {
  const advice = 'Name one in the option member; listMembers lists them.';
  return new MalformedFile({ code, region, message, span: null, advice });
}

/** @internal */
export function sourceOf(input: Input, given?: string): ByteSource {
  const name = given ?? ('name' in input && typeof input.name === 'string' ? input.name : 'file');
  if (input instanceof Uint8Array) return bufferSource(name, plain(input));
  if (input instanceof ArrayBuffer) return bufferSource(name, new Uint8Array(input));
  if ('slice' in input) return blobSource(name, input);
  const read = async (start: number, end: number) => plain(await input.read(start, end));
  return { name, size: input.size, read };
}

/** Returns a `Uint8Array` of the same bytes: `slice` of Node's `Buffer` does not copy. */
function plain({ buffer, byteOffset, byteLength }: Uint8Array): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength);
}

/** Handles the messages of a file's worker. A class, so that tests can use it without a worker. */
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex } from '@noble/hashes/utils.js';
import { compareTables } from '#analysis/compare/compare-tables.ts';
import { duplicateTypes } from '#analysis/compare/duplicates.ts';
import type { CoreTarget } from '#analysis/core/candidates.ts';
import { searchTypes } from '#analysis/find/type-search.ts';
import { typeUses } from '#analysis/find/type-uses.ts';
import { groupedReferrers } from '#analysis/graph/referrers.ts';
import { layoutGraph } from '#analysis/graph/scene.ts';
import { loadCalls } from '#analysis/libbpf/calls.ts';
import { libbpfVerdictOn } from '#analysis/libbpf/check-btf.ts';
import { checkFile, type FileCheck } from '#analysis/libbpf/file-check.ts';
import { loadObject } from '#analysis/libbpf/open.ts';
import { fileLink, typesLink } from '#analysis/links/carried-link.ts';
import { lintModel, originOf } from '#analysis/lint/lint.ts';
import { pathsIn } from '#analysis/log/ask-target.ts';
import { needsOf } from '#analysis/needs/needs.ts';
import { type EmbeddedObjects, embeddedObjects } from '#analysis/objects/embedded-objects.ts';
import { MAX_ROWS, runQuery } from '#analysis/query/run-query.ts';
import type { QueryFile } from '#analysis/query/table.ts';
import { referrersOf } from '#analysis/types/references.ts';
import { typeCensus } from '#analysis/types/type-census.ts';
import { matchPrograms } from '#analysis/verifier/log-evidence.ts';
import { codeOf, programCodes } from '#analysis/verifier/program-codes.ts';
import type { Kernel } from '#analysis/workbench/kernel-types.ts';
import { type Issue, Malformed } from '#bytes/issue.ts';
import { type Context, inSlices, type Progress } from '#bytes/long-work.ts';
import { type ByteSource, blobSource, bufferSource, inMemoryIfSmall } from '#bytes/source.ts';
import { storedBtf } from '#ingest/blob.ts';
import { ingest } from '#ingest/ingest.ts';
import { memberSource } from '#ingest/members.ts';
import type { NamedTypes } from '#ingest/modules.ts';
import { UnpackedSum } from '#ingest/unpacked-sum.ts';
import { typeId } from '#model/ids.ts';
import { isBpf } from '#model/object-model.ts';
import type { TypeTable } from '#model/type-table.ts';
import { AtlasAnswers } from './atlas-answers.ts';
import { buildAtlas } from './build-atlas.ts';
import { coreTargetOf, explainRecord, minBtfFor, resolveInSlices } from './core-answers.ts';
import { KernelAnswers } from './load-answers.ts';
import type { LogAnswers } from './log-answers.ts';
import {
  type AskedFile,
  CANCELLED,
  type FromWorker,
  type Method,
  type Methods,
  type RemoteSize,
  type RequestOf,
  type ToWorker,
} from './protocol.ts';
import { type Opened, readOnBase, readWithDebugFile } from './read-again.ts';
import type { RelocationAnswers } from './relocation-answers.ts';
import { RemoteReads } from './remote-reads.ts';
import { FindAnswers, fieldsAnswer, pathsAnswer } from './search-answers.ts';
import { holdLivenessLock } from './stall-watchdog.ts';
import { prepareC, wholeText } from './text-answers.ts';
import { packCopy, packOwn } from './transfer.ts';

/** Methods whose answers are transferred, not copied: the worker does not keep them. */
const IS_OWN: ReadonlySet<Method> = new Set(['text']);

type Post = (message: FromWorker, transfer?: Transferable[]) => void;

/** Loads what knows loaders' lines, which only a text without the forms of a log needs. */
const loadForms = async () => (await import('#analysis/log/failures.ts')).isLogLine;

export class FileServer {
  readonly #post: Post;
  readonly #remote: RemoteReads;
  readonly #running = new Map<number, AbortController>();
  readonly #find = new FindAnswers();
  readonly #kernel = new KernelAnswers();
  /** Bytes that the latest request unpacks of the file. */
  readonly #unpacked = new UnpackedSum();
  #file: ByteSource | null = null;
  #opened: Opened | null = null;
  /** Source to which the member offsets of an archive refer; null for other files. */
  #archive: ByteSource | null = null;
  /** Kernel that declarations can include as `vmlinux.h`; null for none. */
  #included: Kernel | null = null;
  #atlas: AtlasAnswers | null = null;
  #log: LogAnswers | null = null;
  #relocations: RelocationAnswers | null = null;
  #embedded: { readonly of: ByteSource; readonly value: EmbeddedObjects } | null = null;
  /** Files that the last SQL query read. */
  #asked: readonly QueryFile[] = [];
  #check: { readonly of: Opened; readonly value: FileCheck | null } | null = null;

  constructor(post: Post) {
    this.#post = post;
    this.#remote = new RemoteReads(post);
  }

  /** Handles one message and answers through `post`. Does not reject for bad input. */
  async handle(message: ToWorker): Promise<void> {
    switch (message.method) {
      case 'cancel':
        this.#running.get(message.id)?.abort();
        return;
      case 'range':
        this.#remote.take(message);
        return;
      case 'ping':
        this.#post({ kind: 'alive' });
        return;
      case 'hold':
        if (await holdLivenessLock(message.lock)) this.#post({ kind: 'held', lock: message.lock });
        return;
      default:
        await this.#serve(message);
    }
  }

  async #serve<M extends Method>({ id, method, params }: RequestOf<M>): Promise<void> {
    this.#post({ id, kind: 'begun' });
    const controller = new AbortController();
    this.#running.set(id, controller);
    this.#unpacked.restart();
    try {
      const value = await this.#answers[method](params, {
        signal: controller.signal,
        onProgress: rareProgress((progress) => this.#post({ id, kind: 'progress', progress })),
      });
      controller.signal.throwIfAborted();
      const packed = IS_OWN.has(method) ? packOwn(value as object) : packCopy(value);
      this.#post({ id, kind: 'ok', value: packed.value }, packed.transfer);
    } catch (error) {
      this.#post({ id, kind: 'failed', issue: issueOf(error, controller.signal, method) });
      if (!(error instanceof Malformed) && !controller.signal.aborted) throw error;
    } finally {
      this.#running.delete(id);
    }
  }

  readonly #answers: {
    readonly [M in Method]: (
      params: Methods[M]['params'],
      context: Context,
    ) => Methods[M]['result'] | Promise<Methods[M]['result']>;
  } = {
    open: async ({ name, file }, context) => {
      this.#file = this.#unpacked.open(await this.#sourceOf(name, file));
      const result = await ingest(this.#file, { ...context, loadForms });
      if (result.kind === 'archive') {
        this.#archive = result.source;
        return { kind: 'archive', members: result.members, issues: result.issues };
      }
      if (result.kind === 'atlas') {
        this.#atlas = new AtlasAnswers(result.atlas);
        return { kind: 'atlas', atlas: this.#atlas.summary() };
      }
      if (result.kind === 'log') {
        const { LogAnswers } = await import('./log-answers.ts');
        this.#log = await LogAnswers.open(result.source, context);
        return { kind: 'log', log: this.#log.overview, issues: result.issues };
      }
      this.#opened = result;
      return { kind: 'object', model: result.model };
    },
    tryBase: async (base, context) => {
      const { model } = await readOnBase(this.#source(), base, context);
      return model.splitBase?.refusal ?? null;
    },
    setBase: async ({ base }, context) => {
      const opened = await readOnBase(this.#source(), base, context);
      const { model } = opened;
      const { types, splitBase } = model;
      if (splitBase !== null && splitBase.refusal !== null) {
        return { kind: 'refused', issue: splitBase.refusal, matches: splitBase.matches };
      }
      this.#replace(opened, context.signal);
      // Leaves out the types of the chosen base: 5 MB that the page already has.
      const isChosen = base !== null && types !== null && types.base === base.types;
      return {
        kind: 'read',
        model: isChosen ? { ...model, types: { ...types, base: null } } : model,
      };
    },
    setDebugFile: async ({ files }, context) => {
      const sources = files.map(({ name, file }) => this.#sourceOf(name, file));
      const given = await Promise.all(sources);
      const read = await readWithDebugFile(this.#source(), this.#object(), given, context);
      if (read.kind === 'refused') return { kind: 'refused', issue: read.issue };
      this.#replace(read, context.signal);
      return { kind: 'read', model: read.model };
    },
    useKernel: (kernel) => {
      this.#included = kernel;
      return null;
    },
    declare: async (declarations, context) => {
      // Most workers compile nothing, and the compiler knows the headers of Linux.
      const { compiledFile } = await import('./declarations-answer.ts');
      const { file, ...told } = compiledFile(this.#source().name, declarations, this.#included);
      const read = file && (await ingest(file, context));
      if (file === null || read?.kind !== 'object') return { ...told, model: null };
      this.#replace(read, context.signal);
      this.#file = file;
      return { ...told, model: read.model };
    },
    embedded: async (_, context) => {
      const opened = this.#object();
      if (this.#embedded?.of === opened.source) return this.#embedded.value;
      const value = await embeddedObjects(opened.model, opened.source, context);
      this.#embedded = { of: opened.source, value };
      return value;
    },
    member: async (member, context) => {
      const source = this.#archive ?? this.#object().source;
      if (source === this.#file && member.packing === null) return null;
      const inner = await memberSource(source, member, context);
      return inner.read(0, inner.size);
    },
    bytes: ({ start, end }) => this.#object().source.read(start, end),
    find: (params, { signal, onProgress }) =>
      this.#find.answer(params, this.#object().model, signal, onProgress),
    searchTypes: (query) => {
      const { model } = this.#object();
      return this.#ofTypes(
        (types) => searchTypes(types, query, () => this.#find.typeNames(model)),
        new Uint32Array(0),
      );
    },
    census: ({ structs, referred }) =>
      this.#ofTypes((types) => typeCensus(types, structs, referred), null),
    referrers: ({ type, limit }) => {
      const all = this.#ofTypes((types) => referrersOf(types, typeId(type)), new Uint32Array(0));
      return { total: all.length, ids: all.subarray(0, limit) };
    },
    typeUses: ({ type }) => {
      const { model } = this.#object();
      return this.#ofTypes((types) => typeUses(model, types, typeId(type)), null);
    },
    graph: (request) => this.#ofTypes((types) => layoutGraph(types, request), null),
    graphReferrers: ({ type, limit }) =>
      this.#ofTypes((types) => groupedReferrers(types, typeId(type), limit), []),
    paths: (question, { signal }) =>
      this.#ofTypes((types) => pathsAnswer(types, question, signal), null),
    fieldNames: (params, { signal }) =>
      this.#ofTypes((types) => fieldsAnswer(types, params, signal), []),
    findings: async (_, { signal }) => {
      const { model, source } = this.#object();
      // Builds the search index first: users search before they open the issues.
      await this.#find.warm(model);
      const findings = await lintModel(model, source, signal);
      const types = this.#types();
      if (types !== null) await prepareC(types, signal);
      return findings;
    },
    check: async () => {
      const opened = this.#object();
      if (this.#check?.of === opened) return this.#check.value;
      const stored = await storedBtf(opened.model, opened.source);
      const value = stored && checkFile(stored, opened.model);
      this.#check = { of: opened, value };
      return value;
    },
    btfOrigin: (_, { signal }) => originOf(this.#object().model, signal),
    libbpfVerdict: () =>
      this.#ofTypes((types) => (types.split ? null : libbpfVerdictOn(types.blob)), null),
    loadCalls: () => {
      const { model, source } = this.#object();
      return loadCalls(model, source);
    },
    loadObject: async () => {
      const { model, source } = this.#object();
      if (!isBpf(model)) return null;
      const { model: _, core: __, sectionBytes: ___, ...opened } = await loadObject(model, source);
      return opened;
    },
    needs: async () => {
      const { model, source } = this.#object();
      return isBpf(model) ? needsOf(await loadObject(model, source)) : null;
    },
    needsOnKernel: ({ object, needs, facts, kernel }, context) =>
      this.#onKernel(kernel, context, (named) =>
        this.#kernel.needs(object, needs, named, facts, context),
      ),
    judgeLoad: ({ object, facts, kernel }, context) =>
      this.#onKernel(kernel, context, (named) => this.#kernel.judge(object, named, facts, context)),
    remedies: ({ object, facts, reason, kernel }, context) =>
      this.#onKernel(kernel, context, (named) =>
        this.#kernel.remedies(object, named, facts, reason, context),
      ),
    resolveCore: async (params, context) =>
      (await this.#onTarget(params, context, (target) =>
        resolveInSlices(params, target, context),
      )) ?? [],
    explainCore: (params, context) =>
      this.#onTarget(params, context, (target) => explainRecord(params, params.row, target)),
    followLog: (asked) => this.#ofTypes((types) => pathsIn(types, asked), []),
    minBtf: (params, context) =>
      this.#ofTarget((target, types) => minBtfFor(params, target, types, context), null),
    text: async ({ format, ...options }, { signal, onProgress }) => {
      const types = this.#types();
      if (types === null) throw new Error('text requested for a file without types');
      const isPahole = format === 'pahole' && (options.pahole ?? '1.31') === '1.31';
      const ofDwarf =
        isPahole && this.#object().model.dwarf !== null
          ? await (await import('./pahole-of-dwarf.ts')).paholeOfDwarf(this.#object())
          : null;
      return await wholeText(types, format, signal, onProgress, {}, options, ofDwarf);
    },
    typesLink: ({ type, maxLength }, { signal }) =>
      this.#ofTypes((types) => typesLink(types, typeId(type), maxLength, signal), null),
    fileLink: () => linkToFile(this.#source()),
    computeRelocation: async (params, context) => {
      const opened = this.#object();
      if (this.#relocations?.opened !== opened) {
        const { RelocationAnswers } = await import('./relocation-answers.ts');
        this.#relocations = new RelocationAnswers(opened);
      }
      return await this.#relocations.answer(params, context, (name, file) =>
        this.#sourceOf(name, file),
      );
    },
    decisions: async (params) =>
      (await import('./encode-answers.ts')).decisionsOf(this.#object(), params),
    compare: ({ other }, context) =>
      this.#ofTypes((types) => inSlices(compareTables(types, other), context), null),
    duplicates: (_, context) =>
      this.#ofTypes((types) => inSlices(duplicateTypes(types), context), []),
    buildAtlas: ({ name, files }, context) => buildAtlas(name, files, context),
    atlasNames: (query, context) => this.#atlasAnswers().names(query, context),
    atlasHistory: (question) => this.#atlasAnswers().history(question),
    atlasAttach: (question) => this.#atlasAnswers().attach(question),
    atlasAccess: (question, context) => this.#atlasAnswers().access(question, context),
    atlasBtf: ({ kernel }) => this.#atlasAnswers().btf(kernel),
    logLines: (range) => this.#logAnswers().lines(range),
    loaderLines: () => this.#logAnswers().loaderLines(),
    logText: (params) => this.#logAnswers().text(params),
    findInLog: (params, context) => this.#logAnswers().find(params, context),
    answerLog: (params) => this.#logAnswers().answer(params),
    ruleCard: (params) => this.#logAnswers().ruleCard(params),
    replayLog: (params) => this.#logAnswers().replay(params),
    logStep: (params) => this.#logAnswers().step(params),
    logWrite: (params) => this.#logAnswers().write(params),
    logFlow: (params) => this.#logAnswers().flow(params),
    compareLog: (params, context) => this.#logAnswers().compare(params, context),
    programCode: async ({ program }) => {
      const { model, source } = this.#object();
      return isBpf(model) ? codeOf(await programCodes({ model, source }), program) : null;
    },
    matchLog: ({ parts }) => {
      const { model, source } = this.#object();
      return isBpf(model) ? matchPrograms(model, source, parts) : parts.map(() => null);
    },
    query: async ({ sql, files }, context) => {
      if (files !== null) this.#asked = await Promise.all(files.map((file) => this.#asksOf(file)));
      return await runQuery(sql, this.#asked, { ...context, maxRows: MAX_ROWS });
    },
    sha256: (_, context) => sha256Of(this.#source(), context),
  };

  async #sourceOf(name: string, file: Blob | ArrayBuffer | RemoteSize): Promise<ByteSource> {
    if (file instanceof Blob) return await inMemoryIfSmall(blobSource(name, file));
    if (file instanceof ArrayBuffer) return bufferSource(name, new Uint8Array(file));
    return this.#remote.source(name, file);
  }

  async #asksOf(file: AskedFile): Promise<QueryFile> {
    if ('model' in file) return file;
    const { name, atlas } = file;
    const opened = await ingest(await this.#sourceOf(name, atlas));
    if (opened.kind !== 'atlas') throw new Error('an atlas was read as another file');
    return { name, atlas: opened.atlas };
  }

  /** Returns `answer` of the file's types; returns `none` if the file has no types. */
  #ofTypes<T, N>(answer: (types: TypeTable) => T, none: N): T | N {
    const types = this.#types();
    return types === null ? none : answer(types);
  }

  /** Returns the result of `work` on the types of the file or an atlas's kernel; null if none. */
  async #onKernel<T>(
    kernel: number | undefined,
    { signal }: Context,
    work: (named: NamedTypes) => Promise<T>,
  ): Promise<T | null> {
    if (kernel !== undefined) return await this.#atlasAnswers().use(kernel, signal, work);
    const { name, types } = this.#object().model;
    return types === null ? null : await work({ name, types });
  }

  /** Calls `work` with a kernel's types, and the modules in the files of `facts`, as the target. */
  #onTarget<T>(
    { kernel, facts }: Pick<Methods['resolveCore']['params'], 'kernel' | 'facts'>,
    context: Context,
    work: (target: CoreTarget) => T | Promise<T>,
  ): Promise<T | null> {
    return this.#onKernel(kernel, context, async ({ name, types }) => {
      const target = coreTargetOf(name, types);
      return await work(await this.#kernel.withModules(target, types, facts, context));
    });
  }

  /** Returns `answer` of the file's types as a CO-RE target; returns `none` without types. */
  #ofTarget<T, N>(answer: (target: CoreTarget, types: TypeTable) => T, none: N): T | N {
    const { model } = this.#object();
    return this.#ofTypes((types) => answer(coreTargetOf(model.name, types), types), none);
  }

  /** Replaces the open file by a new reading, unless the request was cancelled. */
  #replace(opened: Opened, signal: AbortSignal): void {
    signal.throwIfAborted();
    this.#opened = opened;
  }

  /** Reads the file again with `base`, or without a base for null. */
  #types(): TypeTable | null {
    return this.#log === null ? this.#object().model.types : null;
  }

  #source(): ByteSource {
    if (this.#file === null) throw new Error('request before a file was opened');
    return this.#file;
  }

  #atlasAnswers(): AtlasAnswers {
    if (this.#atlas === null) throw new Error('request before an atlas was opened');
    return this.#atlas;
  }

  #logAnswers(): LogAnswers {
    if (this.#log === null) throw new Error('request before a log was opened');
    return this.#log;
  }

  #object(): Opened {
    if (this.#opened === null) throw new Error('request before an object was opened');
    return this.#opened;
  }
}

/** Limit in bytes: a larger file does not fit into a link even if deflated to a tenth. */
const MAX_FILE_BYTES = 640_000;

/** Returns a link key that contains the dropped file; null if it is too large. */
async function linkToFile(source: ByteSource): Promise<string | null> {
  if (source.size > MAX_FILE_BYTES) return null;
  return await fileLink((await source.read(0, source.size)).slice());
}

function issueOf(error: unknown, signal: AbortSignal, method: string): Issue {
  if (error instanceof Malformed) return error.issue;
  if (signal.aborted) return CANCELLED;
  return {
    severity: 'error',
    code: 'bug',
    message: `btfscope has a bug: ${method} failed with "${error instanceof Error ? error.message : String(error)}"`,
    span: null,
    region: '',
    advice: 'Please report it, with the file if you can share it.',
  };
}

/** Minimum time in ms between two progress reports, because each makes the page redraw. */
const PAUSE_MS = 50;

/** Returns a function that passes a step's first progress to `tell`, then one per pause. */
export function rareProgress(
  tell: (progress: Progress) => void,
  now: () => number = () => performance.now(),
): (progress: Progress) => void {
  let step = '';
  let lastReport = Number.NEGATIVE_INFINITY;
  return (progress) => {
    const at = now();
    if (progress.step === step && at - lastReport < PAUSE_MS) return;
    step = progress.step;
    lastReport = at;
    tell(progress);
  };
}

/** Limit in bytes for the platform's digest, which is faster but needs all bytes in memory. */
const MAX_WHOLE_BYTES = 64 * 1024 * 1024;
/** Bytes hashed in one go: some ten milliseconds, after which the worker handles messages. */
const PIECE = 512 * 1024;

/** Returns the SHA-256 of a file in hex, computed in pieces. Throws `AbortError` if aborted. */
async function sha256Of(source: ByteSource, { signal, onProgress }: Context): Promise<string> {
  if (source.size <= MAX_WHOLE_BYTES && globalThis.isSecureContext !== false) {
    const { buffer, byteOffset, byteLength } = await source.read(0, source.size);
    // Cast without a copy: sources never read into shared memory.
    const bytes = new Uint8Array(buffer as ArrayBuffer, byteOffset, byteLength);
    return bytesToHex(new Uint8Array(await crypto.subtle.digest('SHA-256', bytes)));
  }
  const hash = sha256.create();
  for (let start = 0; start < source.size; start += PIECE) {
    signal.throwIfAborted();
    hash.update(await source.read(start, start + PIECE));
    const done = Math.min(start + PIECE, source.size);
    onProgress({ step: 'hashing', done, total: source.size });
  }
  return bytesToHex(hash.digest());
}

/**
 * The work behind a file's worker, as a plain object: tests call it without a
 * worker. It keeps the model and builds indexes when they are first asked for.
 */
import { checkFile, type FileCheck } from '#analysis/check/file-check.ts';
import type { CoreTarget } from '#analysis/core/target.ts';
import {
  allTypes,
  buildNameIndex,
  type NameIndex,
  searchTypes,
} from '#analysis/find/type-search.ts';
import { lintModel } from '#analysis/lint/lint.ts';
import { waysIn } from '#analysis/log/ask-target.ts';
import { buildReferrers, type ReferrerIndex, referrersOf } from '#analysis/types/references.ts';
import { type Issue, Malformed } from '#bytes/issue.ts';
import type { Progress } from '#bytes/slices.ts';
import { type ByteSource, blobSource } from '#bytes/source.ts';
import { storedBtf } from '#ingest/btf-bytes.ts';
import { ingest } from '#ingest/ingest.ts';
import type { IngestOptions } from '#ingest/ingest-options.ts';
import { typeId } from '#model/ids.ts';
import type { ObjectModel } from '#model/object-model.ts';
import type { TypeTable } from '#model/type-table.ts';
import { duplicatesOf, wholeComparison } from './compare-answer.ts';
import { coreTargetOf, explainRecord, resolveInSlices } from './core-answers.ts';
import { compiledFile, type DeclaredAnswer } from './declarations-answer.ts';
import { FindAnswers } from './find-answer.ts';
import { graphAnswer, graphReferrers } from './graph-answer.ts';
import { sha256Of } from './hash.ts';
import { linkToFile, linkToType } from './link-answers.ts';
import { holdLivenessLock } from './liveness-lock.ts';
import { minBtfFor } from './min-btf-answer.ts';
import { fieldsAnswer, pathsAnswer } from './paths-answer.ts';
import {
  type BaseParams,
  CANCELLED,
  type FromWorker,
  type Method,
  type Methods,
  type Request,
  type ToWorker,
} from './protocol.ts';
import { wholeText } from './text-answers.ts';
import { packCopy } from './transfer.ts';

type Post = (message: FromWorker, transfer?: Transferable[]) => void;

type Context = { readonly signal: AbortSignal; readonly onProgress: (p: Progress) => void };

type Opened = { readonly model: ObjectModel; readonly source: ByteSource };

export class FileServer {
  readonly #post: Post;
  readonly #running = new Map<number, AbortController>();
  readonly #find = new FindAnswers();
  #file: ByteSource | null = null;
  #opened: Opened | null = null;
  #names: NameIndex | null = null;
  #referrers: ReferrerIndex | null = null;
  #check: { readonly of: Opened; readonly value: FileCheck | null } | null = null;

  constructor(post: Post) {
    this.#post = post;
  }

  /** Takes one message. Answers through `post`; never rejects on bad input. */
  async handle(message: ToWorker): Promise<void> {
    switch (message.method) {
      case 'cancel':
        this.#running.get(message.id)?.abort();
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

  async #serve(message: Request): Promise<void> {
    const { id } = message;
    this.#post({ id, kind: 'begun' });
    const controller = new AbortController();
    this.#running.set(id, controller);
    try {
      const value = await this.#answer(message, {
        signal: controller.signal,
        onProgress: rareProgress((progress) => this.#post({ id, kind: 'progress', progress })),
      });
      controller.signal.throwIfAborted();
      const packed = packCopy(value);
      this.#post({ id, kind: 'ok', value: packed.value }, packed.transfer);
    } catch (error) {
      this.#post({ id, kind: 'failed', issue: issueOf(error, controller.signal, message.method) });
      if (!(error instanceof Malformed) && !controller.signal.aborted) throw error;
    } finally {
      this.#running.delete(id);
    }
  }

  #answer(request: Request, context: Context): Promise<Methods[Method]['result']> {
    switch (request.method) {
      case 'open':
        return this.#open(request.params, context);
      case 'tryBase':
        return this.#tryBase(request.params, context);
      case 'setBase':
        return this.#setBase(request.params, context);
      case 'declare':
        return this.#declare(request.params, context);
      case 'bytes':
        return this.#object().source.read(request.params.start, request.params.end);
      case 'find':
        return this.#found(request.params, context);
      case 'searchTypes':
        return Promise.resolve(this.#search(request.params));
      case 'referrers':
        return Promise.resolve(this.#referrersOf(request.params));
      case 'graph':
        return Promise.resolve(graphAnswer(this.#types(), request.params));
      case 'graphReferrers':
        return Promise.resolve(
          graphReferrers(this.#types(), request.params, (types) => this.#referrerIndex(types)),
        );
      case 'paths':
        return pathsAnswer(this.#types(), request.params, context.signal);
      case 'fieldNames':
        return fieldsAnswer(this.#types(), request.params, context.signal);
      case 'findings':
        return this.#findings(context.signal);
      case 'check':
        return this.#checked();
      case 'resolveCore':
        return this.#resolveCore(request.params, context);
      case 'explainCore':
        return Promise.resolve(this.#explainCore(request.params));
      case 'followLog':
        return Promise.resolve(this.#followLog(request.params));
      case 'minBtf':
        return this.#minBtf(request.params, context);
      case 'text':
        return this.#text(request.params, context);
      case 'typesLink':
        return this.#typesLink(request.params, context.signal);
      case 'fileLink':
        return linkToFile(this.#source());
      case 'compare':
        return this.#compare(request.params, context);
      case 'duplicates':
        return this.#duplicates(context);
      case 'sha256':
        return sha256Of(this.#source(), context);
    }
  }

  async #open(
    params: Methods['open']['params'],
    context: Context,
  ): Promise<Methods['open']['result']> {
    this.#file = blobSource(params.name, params.file);
    const result = await ingest(this.#file, context);
    if (result.kind === 'archive') {
      return { kind: 'archive', members: result.members, issues: result.issues };
    }
    this.#opened = result;
    return { kind: 'object', model: result.model };
  }

  async #tryBase(base: BaseParams, context: Context): Promise<Issue | null> {
    const { model } = await this.#readAgain(base, context);
    return model.splitBase?.refusal ?? null;
  }

  async #setBase(
    { base }: Methods['setBase']['params'],
    context: Context,
  ): Promise<Methods['setBase']['result']> {
    const opened = await this.#readAgain(base, context);
    const { model } = opened;
    const { types, splitBase } = model;
    if (splitBase !== null && splitBase.refusal !== null) {
      return { kind: 'refused', issue: splitBase.refusal, matches: splitBase.matches };
    }
    context.signal.throwIfAborted();
    this.#opened = opened;
    this.#names = null;
    this.#referrers = null;
    // The page has the chosen base already: 5 MB that need not go back.
    const isChosen = base !== null && types !== null && types.base === base.types;
    return {
      kind: 'read',
      model: isChosen ? { ...model, types: { ...types, base: null } } : model,
    };
  }

  async #declare(
    declarations: Methods['declare']['params'],
    context: Context,
  ): Promise<DeclaredAnswer> {
    const { file, ...told } = compiledFile(this.#source().name, declarations);
    const read = file && (await ingest(file, context));
    if (file === null || read?.kind !== 'object') return { ...told, model: null };
    context.signal.throwIfAborted();
    this.#file = file;
    this.#opened = read;
    this.#names = null;
    this.#referrers = null;
    return { ...told, model: read.model };
  }

  /** Reads the file once more, on `base`. */
  async #readAgain(base: BaseParams | null, context: Context): Promise<Opened> {
    const options: IngestOptions =
      base === null ? context : { ...context, base: base.types, baseName: base.name };
    const read = await ingest(this.#source(), options);
    if (read.kind === 'archive') throw new Error('an object was read as an archive');
    return read;
  }

  #found(params: Methods['find']['params'], { signal, onProgress }: Context) {
    return this.#find.answer(params, this.#object().model, signal, onProgress);
  }

  #search(query: Methods['searchTypes']['params']): Uint32Array {
    const types = this.#types();
    if (types === null) return new Uint32Array(0);
    return allTypes(types, query) ?? searchTypes(types, this.#nameIndex(types), query);
  }

  #nameIndex(types: TypeTable): NameIndex {
    this.#names ??= buildNameIndex(types);
    return this.#names;
  }

  async #findings(signal: AbortSignal): Promise<readonly Issue[]> {
    const { model, source } = this.#object();
    const found = await lintModel(model, source, signal);
    // Whoever opened a file will search it: the index is there before the first key.
    if (model.types !== null) this.#nameIndex(model.types);
    this.#find.warm(model);
    return found;
  }

  async #checked(): Promise<FileCheck | null> {
    const opened = this.#object();
    if (this.#check?.of === opened) return this.#check.value;
    const stored = await storedBtf(opened.model, opened.source);
    const value = stored && checkFile(stored, opened.model);
    this.#check = { of: opened, value };
    return value;
  }

  #referrersOf({ type, limit }: Methods['referrers']['params']): Methods['referrers']['result'] {
    const types = this.#types();
    if (types === null) return { total: 0, ids: new Uint32Array(0) };
    const all = referrersOf(this.#referrerIndex(types), typeId(type));
    return { total: all.length, ids: all.subarray(0, limit) };
  }

  #referrerIndex(types: TypeTable): ReferrerIndex {
    this.#referrers ??= buildReferrers(types);
    return this.#referrers;
  }

  #coreTarget(): CoreTarget | null {
    const { model } = this.#object();
    return model.types === null ? null : coreTargetOf(model.name, model.types);
  }

  async #resolveCore(
    params: Methods['resolveCore']['params'],
    { signal, onProgress }: Context,
  ): Promise<Methods['resolveCore']['result']> {
    const target = this.#coreTarget();
    return target === null ? [] : await resolveInSlices(params, target, signal, onProgress);
  }

  #followLog(asked: Methods['followLog']['params']): Methods['followLog']['result'] {
    const types = this.#types();
    return types === null ? [] : waysIn(types, asked);
  }

  async #minBtf(
    params: Methods['minBtf']['params'],
    { signal, onProgress }: Context,
  ): Promise<Methods['minBtf']['result']> {
    const { model } = this.#object();
    if (model.types === null) return null;
    return await minBtfFor(params, model.name, model.types, signal, onProgress);
  }

  #explainCore(params: Methods['explainCore']['params']): Methods['explainCore']['result'] {
    const target = this.#coreTarget();
    return target === null ? null : explainRecord(params, params.row, target);
  }

  async #text(
    { format }: Methods['text']['params'],
    { signal, onProgress }: Context,
  ): Promise<Methods['text']['result']> {
    const types = this.#types();
    if (types === null) throw new Error('text requested for a file without types');
    return await wholeText(types, format, signal, onProgress);
  }

  async #typesLink(
    params: Methods['typesLink']['params'],
    signal: AbortSignal,
  ): Promise<Methods['typesLink']['result']> {
    const types = this.#types();
    return types === null ? null : await linkToType(types, params, signal);
  }

  async #compare(
    params: Methods['compare']['params'],
    context: Context,
  ): Promise<Methods['compare']['result']> {
    const types = this.#types();
    return types === null ? null : await wholeComparison(types, params, context);
  }

  async #duplicates(context: Context): Promise<Methods['duplicates']['result']> {
    const types = this.#types();
    return types === null ? [] : await duplicatesOf(types, context);
  }

  #types(): TypeTable | null {
    return this.#object().model.types;
  }

  #source(): ByteSource {
    if (this.#file === null) throw new Error('request before a file was opened');
    return this.#file;
  }

  #object(): Opened {
    if (this.#opened === null) throw new Error('request before an object was opened');
    return this.#opened;
  }
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

/** Progress in the measure in which a person sees it: work in small pieces tells of each, and each would draw the page anew. */

/** Twenty times a second tells as much as a bar can. */
const PAUSE_MS = 50;

/** Hands `tell` the first progress of each step, and of later ones those that come `PAUSE_MS` after the last. */
export function rareProgress(
  tell: (progress: Progress) => void,
  now: () => number = () => performance.now(),
): (progress: Progress) => void {
  let step = '';
  let told = Number.NEGATIVE_INFINITY;
  return (progress) => {
    const at = now();
    if (progress.step === step && at - told < PAUSE_MS) return;
    step = progress.step;
    told = at;
    tell(progress);
  };
}

/**
 * The work behind a file's worker, as a plain object: tests call it without a
 * worker. It keeps the model and builds indexes when they are first asked for.
 */
import { findingsOf } from '#analysis/findings/findings.ts';
import { buildReferrers, type ReferrerIndex, referrersOf } from '#analysis/references.ts';
import { allTypes, buildNameIndex, type NameIndex, searchTypes } from '#analysis/type-search.ts';
import { type Issue, Malformed } from '#bytes/issue.ts';
import type { Progress } from '#bytes/progress.ts';
import { type ByteSource, blobSource } from '#bytes/source.ts';
import { ingest } from '#ingest/ingest.ts';
import { typeId } from '#model/ids.ts';
import type { ObjectModel } from '#model/object-model.ts';
import type { TypeTable } from '#model/type-table.ts';
import { sha256Of } from './hash.ts';
import type { FromWorker, Method, Methods, Request, ToWorker } from './protocol.ts';
import { CANCELLED } from './protocol.ts';
import { packCopy } from './transfer.ts';

type Post = (message: FromWorker, transfer?: Transferable[]) => void;

type Context = { readonly signal: AbortSignal; readonly onProgress: (p: Progress) => void };

type Opened = { readonly model: ObjectModel; readonly source: ByteSource };

export class FileServer {
  readonly #post: Post;
  readonly #running = new Map<number, AbortController>();
  #file: ByteSource | null = null;
  #opened: Opened | null = null;
  #names: NameIndex | null = null;
  #referrers: ReferrerIndex | null = null;

  constructor(post: Post) {
    this.#post = post;
  }

  /** Takes one message. Answers through `post`; never rejects on bad input. */
  async handle(message: ToWorker): Promise<void> {
    if (message.method === 'cancel') {
      this.#running.get(message.id)?.abort();
      return;
    }
    const { id } = message;
    const controller = new AbortController();
    this.#running.set(id, controller);
    try {
      const value = await this.#answer(message, {
        signal: controller.signal,
        onProgress: (progress) => this.#post({ id, kind: 'progress', progress }),
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
      case 'bytes':
        return this.#object().source.read(request.params.start, request.params.end);
      case 'searchTypes':
        return Promise.resolve(this.#search(request.params));
      case 'referrers':
        return Promise.resolve(this.#referrersOf(request.params));
      case 'findings':
        return this.#findings(context.signal);
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
    const found = await findingsOf(model, source, signal);
    // Whoever opened a file will search it: the index is there before the first key.
    if (model.types !== null) this.#nameIndex(model.types);
    return found;
  }

  #referrersOf({ type, limit }: Methods['referrers']['params']): Methods['referrers']['result'] {
    const types = this.#types();
    if (types === null) return { total: 0, ids: new Uint32Array(0) };
    this.#referrers ??= buildReferrers(types);
    const all = referrersOf(this.#referrers, typeId(type));
    return { total: all.length, ids: all.subarray(0, limit) };
  }

  #types(): TypeTable | null {
    return this.#object().model.types;
  }

  #source(): ByteSource {
    if (this.#file === null) throw new Error('asked before a file was opened');
    return this.#file;
  }

  #object(): Opened {
    if (this.#opened === null) throw new Error('asked before an object was opened');
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

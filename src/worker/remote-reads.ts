/** Reads a file on the page's server by asking the page, since the worker has no network. */
import { Malformed } from '#bytes/issue.ts';
import type { ByteSource } from '#bytes/source.ts';
import type { FromWorker, Range, RemoteSize } from './protocol.ts';

type Waiting = {
  readonly resolve: (bytes: Uint8Array) => void;
  readonly fail: (why: string) => void;
};

export class RemoteReads {
  readonly #post: (message: FromWorker) => void;
  readonly #waiting = new Map<number, Waiting>();
  #nextId = 1;

  constructor(post: (message: FromWorker) => void) {
    this.#post = post;
  }

  /** Returns a source for the file. Only the page knows the file's URL. */
  source(name: string, { remoteSize: size }: RemoteSize): ByteSource {
    const clip = (offset: number) => Math.max(0, Math.min(offset, size));
    return {
      name,
      size,
      read: (from, to) => {
        const [start, end] = [clip(from), clip(to)];
        if (end <= start) return Promise.resolve(new Uint8Array(0));
        const id = this.#nextId++;
        return new Promise((resolve, reject) => {
          const fail = (found: string) => reject(unreadable(name, { start, end }, found));
          this.#waiting.set(id, { resolve, fail });
          this.#post({ kind: 'range', id, start, end });
        });
      },
    };
  }

  /** Receives the page's answer to a request for bytes. */
  take({ id, bytes, why }: Range): void {
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    if (bytes === null) waiting?.fail(why);
    else waiting?.resolve(bytes);
  }
}

function unreadable(
  name: string,
  span: { readonly start: number; readonly end: number },
  found: string,
): Malformed {
  return new Malformed({
    code: 'source.unreadable',
    region: name,
    message: `${name} can no longer be read from the server`,
    span,
    found,
    advice: 'Open it again once the server has it.',
  });
}

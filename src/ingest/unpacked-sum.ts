/** Limits the sum of all bytes that are unpacked from some files, over all members and layers. */
import { Malformed } from '#bytes/issue.ts';
import type { ByteSource } from '#bytes/source.ts';

const SMALL = 1 << 28;
/** Limit of unpacked bytes per byte of the opened files. Kernels and packages have less than 20. */
const PER_BYTE = 64;

export class UnpackedSum {
  readonly #error: (message: string) => Error;
  readonly #onUnpacked: (bytes: number) => void;
  #most = SMALL;
  #sum = 0;

  /** `error` makes the error past the limit. `onUnpacked` is called with each size in bytes. */
  constructor(
    error: (message: string) => Error = tooMuch,
    onUnpacked: (bytes: number) => void = () => undefined,
  ) {
    this.#error = error;
    this.#onUnpacked = onUnpacked;
  }

  /** Returns the source of an opened file, which raises the limit by its size. */
  open(source: ByteSource): ByteSource {
    this.#most += PER_BYTE * source.size;
    return { ...source, onUnpacked: (bytes) => this.#unpack(bytes) };
  }

  /** Begins a new sum, for another request about the same files. */
  restart(): void {
    this.#sum = 0;
  }

  #unpack(bytes: number): void {
    this.#sum += bytes;
    if (this.#sum > this.#most) {
      throw this.#error(
        `the files unpack to more than ${SMALL >> 20} MiB and ${PER_BYTE} times their size`,
      );
    }
    this.#onUnpacked(bytes);
  }
}

function tooMuch(message: string): Malformed {
  return new Malformed({ code: 'container.sum-too-large', region: '', message, span: null });
}

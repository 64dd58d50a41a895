/** Limits the sum of all bytes that one command unpacks, over all files, members and layers. */
import { CommandFailure } from './command.ts';

const SMALL = 1 << 28;
/** Limit of unpacked bytes per byte of the opened files. Kernels and packages have less than 20. */
const PER_BYTE = 64;

export class UnpackedSum {
  #most = SMALL;
  #sum = 0;

  /** Adds the size of an opened file in bytes, which raises the limit. */
  open(bytes: number): void {
    this.#most += PER_BYTE * bytes;
  }

  /** Adds unpacked bytes. Throws `CommandFailure` past the limit. */
  unpack(bytes: number): void {
    this.#sum += bytes;
    if (this.#sum <= this.#most) return;
    throw new CommandFailure(
      `the files unpack to more than ${SMALL >> 20} MiB and ${PER_BYTE} times their size`,
    );
  }
}

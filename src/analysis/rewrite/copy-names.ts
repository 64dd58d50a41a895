/** Names on their way from a table to a writer, byte for byte. */

import type { BtfWriter } from '#formats/btf/write.ts';
import { nameBytes } from '#model/names.ts';
import type { TypeTable } from '#model/type-table.ts';

/**
 * Bytes of all names together. Names may share their bytes in a file, each one
 * being the tail of the next, and are written apart: a megabyte could become
 * half a terabyte.
 */
const MAX_NAME_BYTES = 1 << 28;

export class NameCopier {
  readonly #table: TypeTable;
  readonly #writer: BtfWriter;
  readonly #keptBelow: number;
  readonly #offsets = new Map<number, number>();
  #bytes = 0;
  #lost = 0;

  /** Offsets below `keptBelow` are the base's, and stay as they are. */
  constructor(table: TypeTable, writer: BtfWriter, keptBelow: number) {
    this.#table = table;
    this.#writer = writer;
    this.#keptBelow = keptBelow;
  }

  /** Names that were left out, since the limit was reached. */
  get lost(): number {
    return this.#lost;
  }

  /** The new `name_off` for an old one; 0 for an empty name and for one outside of all strings. */
  offsetOf(nameOff: number): number {
    if (nameOff < this.#keptBelow) return nameOff;
    let offset = this.#offsets.get(nameOff);
    if (offset === undefined) {
      offset = this.#copy(nameBytes(this.#table, nameOff));
      this.#offsets.set(nameOff, offset);
    }
    return offset;
  }

  #copy(name: Uint8Array): number {
    if (this.#bytes + name.length > MAX_NAME_BYTES) {
      this.#lost += 1;
      return 0;
    }
    this.#bytes += name.length;
    return this.#writer.addString(name);
  }
}

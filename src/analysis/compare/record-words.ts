/**
 * The words that follow a `struct btf_type`, read where they stand: two kernels have
 * half a million items, too many to make an object of each.
 */
import { BTF_TYPE_SIZE } from '#formats/btf/kinds.ts';
import type { TypeId } from '#model/ids.ts';
import { ownerOf, recordBytes, type TypeTable } from '#model/type-table.ts';

export class RecordWords {
  readonly #bytes: Uint8Array;
  readonly #isLittle: boolean;

  constructor(t: TypeTable, id: TypeId) {
    this.#bytes = recordBytes(t, id);
    this.#isLittle = (ownerOf(t, id) ?? t).endian === 'little';
  }

  /** Word `index` behind the common 12 bytes; 0 where the record ends before it. */
  item(index: number): number {
    const bytes = this.#bytes;
    const at = BTF_TYPE_SIZE + 4 * index;
    if (at + 4 > bytes.length) return 0;
    const first = bytes[at] ?? 0;
    const second = bytes[at + 1] ?? 0;
    const third = bytes[at + 2] ?? 0;
    const fourth = bytes[at + 3] ?? 0;
    return this.#isLittle
      ? (first | (second << 8) | (third << 16) | (fourth << 24)) >>> 0
      : (fourth | (third << 8) | (second << 16) | (first << 24)) >>> 0;
  }
}

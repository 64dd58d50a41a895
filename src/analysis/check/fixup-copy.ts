/** A copy of a BTF blob on which the loader's rewrites are made, each noted down. */
import { BTF_TYPE_SIZE } from '#formats/btf/kinds.ts';
import type { TypeId } from '#model/ids.ts';
import type { VarSecinfo } from '#model/type-items.ts';
import { nameOf, type TypeTable } from '#model/type-table.ts';

export type Rewrite = {
  /** null where it is the header or the strings that change. */
  readonly typeId: number | null;
  /** Bytes from the start of the rewritten blob. */
  readonly blobOffset: number;
  readonly length: number;
  /** As a person would write it: a number, or names in their order. */
  readonly before: string;
  readonly after: string;
  /** What libbpf does here and why. Names in it are raw text: escape them when drawn. */
  readonly sentence: string;
};

/** A file can ask for a million rewrites; nobody reads so many. */
const CAP = 1000;
/** Names in sentences are cut here; they may have a megabyte. */
const SHOWN_NAME_LENGTH = 60;
const SHOWN_NAMES = 20;

export class LoadedCopy {
  /** Reads the copy: what was rewritten is seen at once. */
  readonly table: TypeTable;
  /** The first thousand. */
  readonly rewrites: Rewrite[] = [];
  /** How many there were beyond those. */
  more = 0;
  readonly #view: DataView;

  /** `table` is over bytes that may be changed. */
  constructor(table: TypeTable) {
    this.table = table;
    const { blob } = table;
    this.#view = new DataView(blob.buffer, blob.byteOffset, blob.length);
  }

  /** Offset in the blob of `offset` bytes into a record. */
  offsetIn(id: TypeId, offset: number): number {
    return (this.table.recordOff[id - this.table.firstId] ?? 0) + offset;
  }

  /** Offset in the blob of word `word` of item `index`, where items have `itemSize` bytes. */
  itemOffset(id: TypeId, itemSize: number, index: number, word: number): number {
    return this.offsetIn(id, BTF_TYPE_SIZE + itemSize * index + 4 * word);
  }

  wordAt(blobOffset: number): number {
    return this.#view.getUint32(blobOffset, this.#little);
  }

  /** Writes 32 bits; a word that stays as it was is no rewrite. `sentence` is asked for only if it changes. */
  setWord(typeId: number | null, blobOffset: number, value: number, sentence: () => string): void {
    const before = this.wordAt(blobOffset);
    if (before === value) return;
    this.#view.setUint32(blobOffset, value, this.#little);
    this.note(() => ({
      typeId,
      blobOffset,
      length: 4,
      before: `${before}`,
      after: `${value}`,
      sentence: sentence(),
    }));
  }

  /** Puts the 12-byte items of a DATASEC in another order, given by the items as they stand. */
  reorderItems(id: TypeId, sorted: readonly VarSecinfo[]): void {
    const start = this.offsetIn(id, BTF_TYPE_SIZE);
    const { blob } = this.table;
    const old = blob.slice(start, start + 12 * sorted.length);
    const inOrder = [...sorted].sort((a, b) => a.index - b.index);
    for (const [to, { index }] of sorted.entries()) {
      blob.set(old.subarray(12 * index, 12 * index + 12), start + 12 * to);
    }
    this.note(() => ({
      typeId: id,
      blobOffset: start,
      length: old.length,
      before: this.#names(inOrder),
      after: this.#names(sorted),
      sentence: 'libbpf sorts the variables of a section by their offsets.',
    }));
  }

  /** Notes down what was rewritten, as long as there is room. */
  note(rewrite: () => Rewrite): void {
    if (this.rewrites.length < CAP) this.rewrites.push(rewrite());
    else this.more += 1;
  }

  /** The name of a type for a sentence, cut short. */
  nameFor(id: TypeId): string {
    return shortName(nameOf(this.table, id));
  }

  #names(items: readonly VarSecinfo[]): string {
    const names = items.slice(0, SHOWN_NAMES).map(({ type }) => this.nameFor(type));
    return names.join(', ') + (items.length > SHOWN_NAMES ? ', …' : '');
  }

  get #little(): boolean {
    return this.table.endian === 'little';
  }
}

/** A name for a sentence, cut short. */
export function shortName(name: string): string {
  return name.length > SHOWN_NAME_LENGTH ? `${name.slice(0, SHOWN_NAME_LENGTH)}…` : name;
}

/** Reproduces the BTF of a kernel from an atlas, byte for byte. */
import { Malformed } from '#bytes/issue.ts';
import type { Endian } from '#bytes/span.ts';
import type { AtlasFile } from '#formats/atlas/atlas-file.ts';
import { type KernelBlock, maxWords, readKernelBlock } from '#formats/atlas/kernel-block.ts';
import { RecordBlockReader } from '#formats/atlas/record-block.ts';
import {
  kindOfRecord,
  nextName,
  refToRecord,
  refToSymbol,
  roleOf,
  WordRole,
} from '#formats/atlas/record-words.ts';
import { BtfKind } from '#formats/btf/kinds.ts';

/** The records and names of an atlas, read once for all extracted kernels. */
export class RecordArchive {
  readonly #atlas: AtlasFile;
  readonly #records: RecordBlockReader;
  readonly #names: readonly Uint8Array[];
  /** Symbol numbers by a key made of kind and name. */
  readonly #symbols: ReadonlyMap<number, number>;
  /** Blocks read most recently; other blocks are stored as differences to them. */
  readonly #blocks = new Map<number, KernelBlock | Uint8Array>();

  private constructor(atlas: AtlasFile, records: RecordBlockReader, names: readonly Uint8Array[]) {
    this.#atlas = atlas;
    this.#records = records;
    this.#names = names;
    this.#symbols = new Map(records.symbols.map(([kind, name], i) => [128 * name + kind, i]));
  }

  /** Reads all record and name blocks. Throws `Malformed` if a block is damaged or none exists. */
  static async open(atlas: AtlasFile): Promise<RecordArchive> {
    if (atlas.directory.records.length === 0) throw questionsOnly(atlas.name);
    const records = new RecordBlockReader();
    for (const place of atlas.directory.records) {
      const what = `the block of records at ${place.offset}`;
      records.read(await atlas.block(place, what), `${atlas.name}: ${what}`);
    }
    const names: Uint8Array[] = [];
    for (const place of atlas.directory.names) {
      const bytes = await atlas.block(place, `the block of names at ${place.offset}`);
      for (let start = 0; start < bytes.length; ) {
        const end = bytes.indexOf(0, start);
        names.push(bytes.subarray(start, end < 0 ? bytes.length : end));
        start = end < 0 ? bytes.length : end + 1;
      }
    }
    if (names.length < records.nameCount)
      throw wrong(atlas.name, `it has ${names.length} names of ${records.nameCount}`);
    return new RecordArchive(atlas, records, names);
  }

  get records(): readonly Int32Array[] {
    return this.#records.records;
  }

  /** Kind and name of each symbol. */
  get symbols(): RecordBlockReader['symbols'] {
    return this.#records.symbols;
  }

  name(number: number): Uint8Array {
    return this.#names[number] ?? new Uint8Array(0);
  }

  /** Returns the BTF of kernel number `kernel`. Throws `Malformed` for missing or damaged data. */
  async btf(kernel: number): Promise<Uint8Array> {
    const { name, kernels } = { name: this.#atlas.name, kernels: this.#atlas.directory.kernels };
    const wanted = kernels[kernel];
    if (wanted === undefined) throw wrong(name, `it has no kernel ${kernel}`);
    const block = await this.block(kernel);
    if (block instanceof Uint8Array) return block;
    return assembled(this, wanted, block, this.#atlas.name);
  }

  /** Returns a kernel's block or BTF, reading its bases first. Throws `Malformed` for damage. */
  async block(kernel: number): Promise<KernelBlock | Uint8Array> {
    const { kernels } = this.#atlas.directory;
    const chain = new Set<number>();
    let block: KernelBlock | Uint8Array = new Uint8Array(0);
    for (let at = kernel; at >= 0; at = kernels[at]?.base ?? -1) {
      const known = this.#blocks.get(at);
      if (known !== undefined) {
        block = known;
        break;
      }
      if (chain.has(at) || at >= kernels.length) {
        throw wrong(this.#atlas.name, 'its kernels are compared in a circle');
      }
      chain.add(at);
    }
    const has = { records: this.#records.records.length, names: this.#names.length };
    for (const at of [...chain].reverse()) {
      const { name = '', block: place = null } = kernels[at] ?? {};
      if (place === null) {
        throw questionsOnly(this.#atlas.name);
      }
      const what = `the types of ${name}`;
      const base = block instanceof Uint8Array ? NO_LIST : block.records;
      block = readKernelBlock(
        await this.#atlas.block(place, what),
        has,
        base,
        `${this.#atlas.name}: ${what}`,
      );
      this.#cache(at, block);
    }
    return block;
  }

  #cache(kernel: number, block: KernelBlock | Uint8Array): void {
    this.#blocks.set(kernel, block);
    const [oldest] = this.#blocks.keys();
    if (this.#blocks.size > MAX_BLOCKS && oldest !== undefined) this.#blocks.delete(oldest);
  }

  /** Maximum number of words of a kernel's records: a small file must not exhaust the memory. */
  get maxWords(): number {
    return maxWords(this.#records.records.reduce((sum, words) => sum + words.length, 0));
  }

  /** Returns the key by which other records refer to the type of `record`. */
  keyOf(record: number): number {
    const words = this.#records.records[record] ?? NO_LIST;
    const kind = kindOfRecord(words);
    const symbol =
      kind === BtfKind.TYPE_TAG || kind === BtfKind.DECL_TAG
        ? undefined
        : this.#symbols.get(128 * (words[0] ?? 0) + kind);
    return words[0] === 0 || symbol === undefined ? refToRecord(record) : refToSymbol(symbol);
  }
}

const NO_LIST = new Int32Array(0);
/** Maximum number of cached blocks; a builder uses fewer bases. */
const MAX_BLOCKS = 16;

function assembled(
  archive: RecordArchive,
  { endian }: { readonly endian: Endian },
  block: KernelBlock,
  region: string,
): Uint8Array {
  const { header, records: list, strings, unnamed, exceptions } = block;
  const { records } = archive;
  const offsets = new Map<number, number>([[0, 0]]);
  const firstNames: number[] = [];
  const seen = new Set<number>([0]);
  const ids = new Map<number, number>([[0, 0]]);
  let words = 0;
  for (const [row, record] of list.entries()) {
    const recordWords = records[record];
    if (recordWords === undefined) throw wrong(region, `there is no record ${record}`);
    words += recordWords.length;
    const key = archive.keyOf(record);
    if (!ids.has(key)) ids.set(key, row + 1);
    const kind = kindOfRecord(recordWords);
    for (let i = nextName(kind, -1); i < recordWords.length; i = nextName(kind, i)) {
      const name = recordWords[i] ?? 0;
      if (seen.has(name)) continue;
      seen.add(name);
      firstNames.push(name);
    }
  }
  if (words > archive.maxWords) throw wrong(region, `a kernel has more types than there are`);
  // Strings of the string section, without the empty string at its start.
  const parts: Uint8Array[] = [];
  let end = 1;
  for (const place of strings) {
    const name = place < 0 ? null : firstNames[place];
    const bytes =
      name === null ? unnamed[-1 - place] : name === undefined ? undefined : archive.name(name);
    if (bytes === undefined) throw wrong(region, `there is no string ${place}`);
    if (name !== null && name !== undefined) offsets.set(name, end);
    parts.push(bytes);
    end += bytes.length + 1;
  }
  const btf = new Uint8Array(header.length + 4 * words + end);
  btf.set(header);
  const view = new DataView(btf.buffer);
  const isLittle = endian === 'little';
  const starts = new Int32Array(list.length);
  let at = header.length;
  for (const [row, record] of list.entries()) {
    const recordWords = records[record] ?? NO_LIST;
    const kind = kindOfRecord(recordWords);
    starts[row] = at;
    for (const [i, word] of recordWords.entries()) {
      const role = roleOf(kind, i);
      const value =
        role === WordRole.number ? word : (role === WordRole.name ? offsets : ids).get(word);
      if (value === undefined)
        throw wrong(region, `record ${record} refers to what this kernel has not`);
      view.setInt32(at, value, isLittle);
      at += 4;
    }
  }
  for (const { row, word, target } of exceptions) {
    const place = (starts[row] ?? 0) + 4 * word;
    const length = records[list[row] ?? -1]?.length ?? 0;
    if (word >= length) throw wrong(region, `record ${row} has no word ${word}`);
    view.setInt32(place, target + 1, isLittle);
  }
  at += 1;
  for (const part of parts) {
    btf.set(part, at);
    at += part.length + 1;
  }
  return btf;
}

function questionsOnly(name: string): Malformed {
  return new Malformed({
    code: 'atlas.no-types',
    region: name,
    message: `${name} has only what questions need; no BTF can be extracted`,
    span: null,
    advice: 'Build the atlas without --questions-only.',
  });
}

function wrong(region: string, message: string): Malformed {
  return new Malformed({
    code: 'atlas.corrupt',
    region,
    message: `${region}: ${message}`,
    span: null,
  });
}

/** An atlas, read in ranges: the header, the directory, then one block per query. */
import { Malformed } from '#bytes/issue.ts';
import { type ByteSource, readAhead } from '#bytes/source.ts';
import { decodeText } from '#bytes/text.ts';
import { crc32 } from '#formats/containers/checksums.ts';
import { decompress } from '#formats/containers/decompress.ts';
import {
  ATLAS_HEADER_SIZE,
  type AtlasDirectory,
  type BlockPlace,
  damagedBlock,
  type EntryBlockPlace,
  readAtlasHeader,
  readDirectory,
} from './directory.ts';
import { type Entry, EntryKind } from './entry.ts';
import { type EntryBlock, readEntryBlock } from './read-entry-block.ts';

export type FoundEntry = {
  readonly entry: Entry;
  readonly strings: readonly Uint8Array[];
  /** Returns the text of the string with the number `string`. */
  text(string: number): string;
};

export class AtlasFile {
  readonly directory: AtlasDirectory;
  readonly name: string;
  /** Size of the atlas in bytes. */
  readonly size: number;
  readonly #source: ByteSource;
  /** Block of the previous query: consecutive queries are often about one name. */
  #last: { readonly place: EntryBlockPlace; readonly block: EntryBlock } | null = null;

  private constructor(source: ByteSource, directory: AtlasDirectory) {
    this.name = source.name;
    this.size = source.size;
    this.directory = directory;
    this.#source = source;
  }

  /** Reads header and directory. Throws `Malformed` for a damaged, newer or foreign file. */
  static async open(source: ByteSource): Promise<AtlasFile> {
    const place = readAtlasHeader(await source.read(0, ATLAS_HEADER_SIZE), source.name);
    const bytes = await readBlock(source, place, `${source.name}: the directory`);
    return new AtlasFile(source, readDirectory(bytes, source.name));
  }

  /** Returns the unpacked bytes of the block at `place`. Throws `Malformed` for a damaged block. */
  block(place: BlockPlace, what: string): Promise<Uint8Array> {
    return readBlock(this.#source, place, `${this.name}: ${what}`);
  }

  /** Returns the entry for `kind` and `name`; null if no kernel has one. Throws as `block` does. */
  async find(kind: number, name: string): Promise<FoundEntry | null> {
    const place = this.#blockOf(kind, new TextEncoder().encode(name));
    if (place === null) return null;
    const { strings, entries } = await this.entryBlock(place);
    const text = (string: number) => decodeText(strings[string] ?? new Uint8Array(0));
    const entry = entries.find((each) => text(each.name) === name);
    return entry === undefined ? null : { entry, strings, text };
  }

  /** Returns all entries of the block at `place`. Throws `Malformed` if the block is damaged. */
  async entryBlock(place: EntryBlockPlace): Promise<EntryBlock> {
    if (this.#last?.place === place) return this.#last.block;
    const block = await this.#readEntries(place, this.#source);
    this.#last = { place, block };
    return block;
  }

  async #readEntries(place: EntryBlockPlace, source: ByteSource): Promise<EntryBlock> {
    const region = `${this.name}: the block of entries at ${place.offset}`;
    const bytes = await readBlock(source, place, region);
    const { kernels, modules } = this.directory;
    const has = { kernels: kernels.length, modules: modules.length };
    return readEntryBlock(bytes, place.kind, has, region);
  }

  /**
   * Yields all blocks of entries of some kinds, in file order. Reads the file in a few large parts.
   * Passes the error of a damaged block to `onDamaged` and continues; without `onDamaged` throws
   * the error.
   */
  async *entryBlocks(
    kinds: readonly number[] = Object.values(EntryKind),
    onDamaged: ((error: Malformed) => void) | null = null,
  ): AsyncGenerator<EntryBlock & { readonly kind: number }, void, undefined> {
    const source = readAhead(this.#source);
    for (const place of this.directory.entries) {
      if (!kinds.includes(place.kind)) continue;
      try {
        yield { kind: place.kind, ...(await this.#readEntries(place, source)) };
      } catch (error) {
        if (onDamaged === null || !(error instanceof Malformed)) throw error;
        onDamaged(error);
      }
    }
  }

  /** Returns the last block of `kind` whose first name is not after `name`, or null. */
  #blockOf(kind: number, name: Uint8Array): EntryBlockPlace | null {
    const { entries } = this.directory;
    let low = 0;
    let high = entries.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const place = entries[middle];
      const isBefore =
        place !== undefined &&
        (place.kind < kind || (place.kind === kind && compareBytes(place.first, name) <= 0));
      if (isBefore) low = middle + 1;
      else high = middle;
    }
    const place = entries[low - 1];
    return place?.kind === kind ? place : null;
  }
}

/** Compares two names by their bytes: negative if `a` comes before `b`. */
function compareBytes(a: Uint8Array, b: Uint8Array): number {
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i++) {
    const difference = (a[i] ?? 0) - (b[i] ?? 0);
    if (difference !== 0) return difference;
  }
  return a.length - b.length;
}

async function readBlock(
  source: ByteSource,
  place: BlockPlace,
  region: string,
): Promise<Uint8Array> {
  const { offset, length, rawLength, crc } = place;
  if (offset + length > source.size) {
    throw damagedBlock(region, place, `the file ends at ${source.size}`);
  }
  const stored = await source.read(offset, offset + length);
  if (stored.length !== length) throw damagedBlock(region, place, `${stored.length} bytes`);
  if (crc32(0, stored) !== crc) throw damagedBlock(region, place, 'another checksum');
  try {
    const { bytes, issues } = await decompress('deflate', stored, { region, limit: rawLength });
    if (bytes.length === rawLength && issues.length === 0) return bytes;
  } catch (error) {
    if (!(error instanceof Malformed)) throw error;
  }
  throw damagedBlock(region, place, `not ${rawLength} bytes of raw DEFLATE`);
}

/** Builds an atlas from one kernel at a time and writes each kernel's type list immediately. */
import { deflateRaw } from '#analysis/links/packed.ts';
import { pointerSize } from '#analysis/types/sizes.ts';
import type { AtlasFile } from '#formats/atlas/atlas-file.ts';
import {
  ATLAS_HEADER_SIZE,
  type AtlasKernel,
  type AtlasModule,
  atlasHeader,
  type BlockPlace,
  type EntryBlockPlace,
  type KernelInfo,
  writeDirectory,
} from '#formats/atlas/directory.ts';
import type { Entry, WrittenRow } from '#formats/atlas/entry.ts';
import {
  breaksBetween,
  type KernelBlock,
  maxTypes,
  maxWords,
  writeBytesBlock,
  writeKernelBlock,
} from '#formats/atlas/kernel-block.ts';
import { RecordBlockWriter } from '#formats/atlas/record-block.ts';
import { nextName } from '#formats/atlas/record-words.ts';
import { EntryBlockWriter } from '#formats/atlas/write-entry-block.ts';
import { infoKind } from '#formats/btf/kinds.ts';
import { crc32 } from '#formats/containers/checksums.ts';
import type { TypeTable } from '#model/type-table.ts';
import { RecordArchive } from './extract.ts';
import type { NamedDefinition } from './from-tables.ts';
import { compareKernels } from './kernel-name.ts';
import { PresenceSets } from './pools.ts';
import { type KernelRecords, RecordStore } from './records.ts';
import { VariantStore } from './variants.ts';

/** Size of an entry block in bytes before compression. A lookup of a name reads one block. */
const ENTRY_BLOCK = 48 << 10;
/** Size of a record or name block in bytes before compression. An extraction reads all blocks. */
const RECORD_BLOCK = 1 << 20;
/** Maximum number of kernels whose type lists are kept as bases of later type lists. */
const BASES = 8;
/** Maximum total length of the kernel sets that are cached while blocks are written. */
const MAX_SORTED = 1 << 20;

export type AtlasOptions = {
  /** Receives the bytes of the file after the header, in order. */
  readonly write: (bytes: Uint8Array) => void | Promise<void>;
  /** True to store also the data from which each kernel's BTF can be reproduced. */
  readonly extract: boolean;
};

/** Data to reproduce a kernel's BTF. `base`: kernel whose type list the data refer to. */
type TypeList = { readonly bytes: Uint8Array<ArrayBuffer>; readonly base: number };

type Base = { readonly kernel: number; readonly info: KernelInfo; readonly list: Int32Array };

export class AtlasBuilder {
  readonly #options: AtlasOptions;
  readonly #records = new RecordStore();
  readonly #variants = new VariantStore(this.#records);
  readonly #presence = new PresenceSets();
  readonly #kernels: AtlasKernel[] = [];
  readonly #modules: AtlasModule[] = [];
  /** For each added kernel or module, in order: the list that contains it, and its index there. */
  readonly #holders: { readonly list: 'kernels' | 'modules'; readonly number: number }[] = [];
  /** Names in use: names of kernels, and keys made of kernel number and module name. */
  readonly #names = new Set<string>();
  /** The kernel that was added last; new modules belong to it. */
  #last: KernelRecords | null = null;
  #bases: Base[] = [];
  #offset = ATLAS_HEADER_SIZE;

  constructor(options: AtlasOptions) {
    this.#options = options;
  }

  /** Number of kernels added so far. */
  get kernelCount(): number {
    return this.#kernels.length;
  }

  /** Returns true if a kernel named `name` was added. */
  has(name: string): boolean {
    return this.#names.has(name);
  }

  /** Adds a kernel. No added kernel may have the same name. */
  async add(info: KernelInfo, types: TypeTable): Promise<void> {
    const taken = this.#records.add(types);
    this.#last = taken;
    this.#presence.add(this.#holders.length, this.#variants.add(taken));
    const kernelTypes = {
      ...info,
      endian: types.endian,
      pointerSize: pointerSize(types),
      typeCount: types.count,
      size: types.blob.length,
    };
    await this.#addKernel(kernelTypes, this.#options.extract ? this.#list(info, taken) : null);
  }

  /** Adds split BTF of the last added kernel. Returns false if the kernel has a module `name`. */
  addModule(name: string, types: TypeTable): boolean {
    if (this.#last === null || this.#hasModule(name)) return false;
    const taken = this.#records.addNames(types, this.#last);
    this.#presence.add(this.#holders.length, this.#variants.add(taken));
    this.#addModule({ name, typeCount: types.count, size: types.blob.length });
    return true;
  }

  /** Adds a kernel from definitions grouped by kind and name. The atlas does not store its BTF. */
  async addDefinitions(
    kernel: Omit<AtlasKernel, 'block' | 'base'>,
    definitions: readonly NamedDefinition[],
  ): Promise<void> {
    this.#last = null;
    this.#presence.add(this.#holders.length, this.#variants.addDefinitions(definitions));
    await this.#addKernel(kernel, null);
  }

  /** Adds a module of the last added kernel from definitions, as `addDefinitions` adds a kernel. */
  addModuleDefinitions(
    module: Omit<AtlasModule, 'kernel'>,
    definitions: readonly NamedDefinition[],
  ): void {
    if (this.#hasModule(module.name)) return;
    this.#presence.add(this.#holders.length, this.#variants.addDefinitions(definitions));
    this.#addModule(module);
  }

  async #addKernel(
    kernel: Omit<AtlasKernel, 'block' | 'base'>,
    list: TypeList | null,
  ): Promise<void> {
    this.#names.add(kernel.name);
    const block = list === null ? null : await this.#block(list.bytes);
    this.#holders.push({ list: 'kernels', number: this.#kernels.length });
    this.#kernels.push({ ...kernel, block, base: list === null ? -1 : list.base });
  }

  #hasModule(name: string): boolean {
    return this.#names.has(moduleKey(this.#kernels.length - 1, name));
  }

  #addModule(module: Omit<AtlasModule, 'kernel'>, kernel = this.#kernels.length - 1): void {
    this.#names.add(moduleKey(kernel, module.name));
    this.#holders.push({ list: 'modules', number: this.#modules.length });
    this.#modules.push({ ...module, kernel });
  }

  /** Copies the kernels that `keep` accepts. Throws `Malformed` if the atlas is damaged. */
  async take(atlas: AtlasFile, keep: (name: string) => boolean): Promise<void> {
    const { kernels, modules, entries } = atlas.directory;
    // Kernels are copied in the atlas's order, so that bases precede the kernels that refer to
    // them.
    const kept = [...kernels.keys()].filter((kernel) => keep(kernels[kernel]?.name ?? ''));
    kept.sort((a, b) => (kernels[a]?.block?.offset ?? 0) - (kernels[b]?.block?.offset ?? 0));
    const numbers = new Map(kept.map((kernel, i) => [kernel, i]));
    const keptModules = [...modules.keys()].filter((i) => numbers.has(modules[i]?.kernel ?? -1));
    const moduleNumbers = new Map(keptModules.map((module, i) => [module, kept.length + i]));
    const known = new Map<string, number>();
    for (const place of entries) {
      const block = await atlas.entryBlock(place);
      const names = block.strings.map((bytes) =>
        this.#records.names.intern(bytes, 0, bytes.length),
      );
      for (const entry of block.entries) {
        const rows = entry.rows.flatMap(({ variants, kernels: own, modules: inside }) => {
          const holders = [
            ...own.flatMap((kernel) => numbers.get(kernel) ?? []),
            ...inside.flatMap((module) => moduleNumbers.get(module) ?? []),
          ];
          return holders.length === 0 ? [] : [{ variants, holders: holders.sort((a, b) => a - b) }];
        });
        if (rows.length === 0) continue;
        const taken = this.#variants.take({ ...entry, rows }, (string) => names[string] ?? 0);
        for (const [i, { holders }] of rows.entries())
          this.#presence.set(taken[i] ?? 0, holders, known);
      }
    }
    const archive = this.#options.extract ? await RecordArchive.open(atlas) : null;
    const records = archive === null ? null : await this.#takeRecords(archive, kept);
    for (const number of kept) {
      const kernel = kernels[number];
      if (kernel === undefined) continue;
      const block = (await archive?.block(number)) ?? null;
      const list =
        block === null || records === null
          ? null
          : block instanceof Uint8Array
            ? { bytes: writeBytesBlock(block), base: -1 }
            : this.#compared(kernel, {
                ...block,
                records: block.records.map((each) => records[each] ?? 0),
              });
      await this.#addKernel(kernel, list);
    }
    for (const number of keptModules) {
      const module = modules[number];
      if (module !== undefined) this.#addModule(module, numbers.get(module.kernel));
    }
  }

  /** Copies the records of the kernels `kept`. Returns the new number of each record. */
  async #takeRecords(archive: RecordArchive, kept: readonly number[]): Promise<Int32Array> {
    const isUsed = new Uint8Array(archive.records.length);
    for (const kernel of kept) {
      const block = await archive.block(kernel);
      if (!(block instanceof Uint8Array)) for (const record of block.records) isUsed[record] = 1;
    }
    const used = [...archive.records.keys()].filter((record) => isUsed[record] === 1);
    return this.#records.take(archive, used);
  }

  /** Writes the rest of the file. Returns the header, which must precede all written bytes. */
  async finish(): Promise<Uint8Array<ArrayBuffer>> {
    const order = [...this.#kernels.keys()].sort((a, b) =>
      compareKernels(this.#kernels[a]?.name ?? '', this.#kernels[b]?.name ?? ''),
    );
    const place = new Int32Array(order.length);
    for (const [to, from] of order.entries()) place[from] = to;
    const kernels = order.flatMap((from) => {
      const kernel = this.#kernels[from];
      return kernel === undefined
        ? []
        : [{ ...kernel, base: kernel.base < 0 ? -1 : (place[kernel.base] ?? -1) }];
    });
    const modules = this.#modules.map((module, from) => ({
      from,
      module: { ...module, kernel: place[module.kernel] ?? 0 },
    }));
    modules.sort(
      (a, b) => compareTexts(a.module.name, b.module.name) || a.module.kernel - b.module.kernel,
    );
    const modulePlace = new Int32Array(modules.length);
    for (const [to, { from }] of modules.entries()) modulePlace[from] = order.length + to;
    const holderPlace = Int32Array.from(
      this.#holders,
      ({ list, number }) => (list === 'kernels' ? place : modulePlace)[number] ?? 0,
    );
    const entries = await this.#entryBlocks(holderPlace);
    const { records, names } = this.#options.extract
      ? await this.#recordBlocks()
      : { records: [], names: [] };
    const directory = {
      kernels,
      modules: modules.map(({ module }) => module),
      entries,
      records,
      names,
    };
    return atlasHeader(await this.#block(writeDirectory(directory)));
  }

  async #block(bytes: Uint8Array<ArrayBuffer>): Promise<BlockPlace> {
    const stored = await deflateRaw(bytes);
    const place = {
      offset: this.#offset,
      length: stored.length,
      rawLength: bytes.length,
      crc: crc32(0, stored),
    };
    this.#offset += stored.length;
    await this.#options.write(stored);
    return place;
  }

  #list(info: KernelInfo, taken: KernelRecords): TypeList {
    const block = taken.isExact ? this.#kernelBlock(taken) : null;
    if (block === null) return { bytes: writeBytesBlock(taken.types.blob), base: -1 };
    return this.#compared(info, block);
  }

  /** Returns the difference between a kernel's block and the block of the most similar base. */
  #compared(info: KernelInfo, block: KernelBlock): TypeList {
    const { records: record } = block;
    const records = this.#records.records.count;
    let best: Base | null = null;
    let fewest = breaksBetween(record, NO_LIST, records);
    for (const base of this.#bases) {
      const breaks = breaksBetween(record, base.list, records);
      if (breaks < fewest) [best, fewest] = [base, breaks];
    }
    const bytes = writeKernelBlock(block, best?.list ?? NO_LIST, records);
    // Only the newest kernel of each build is kept as a base.
    const isOther = (base: Base) =>
      base.info.arch !== info.arch || base.info.flavour !== info.flavour;
    const kept = this.#bases.filter(isOther).slice(1 - BASES);
    this.#bases = [...kept, { kernel: this.#kernels.length, info, list: record }];
    return { bytes, base: best?.kernel ?? -1 };
  }

  /** Returns the block of a kernel; null if the block cannot reproduce the BTF byte for byte. */
  #kernelBlock(taken: KernelRecords): KernelBlock | null {
    const { types, record, strings, exceptions } = taken;
    const { blob, recordOff, strStart, strEnd, count } = types;
    const start = recordOff[0] ?? 0;
    // A block stores no bytes between or after the two sections, so there must be none.
    const isTight =
      (recordOff[count] ?? 0) === strStart && strEnd === blob.length && strings[0] === 0;
    const words = ((recordOff[count] ?? 0) - start) / 4;
    const { records: pool } = this.#records;
    const isUsual = count <= maxTypes(pool.count) && words <= maxWords(pool.size);
    if (!isTight || !isUsual || types.split) return null;
    const first = this.#firstNames(record);
    const unnamed: Uint8Array[] = [];
    const order = strings.subarray(1).map((name) => {
      const place = first[name] ?? -1;
      return place >= 0 ? place : -unnamed.push(this.#records.names.bytes(name));
    });
    return {
      header: blob.subarray(0, start),
      records: record,
      strings: order,
      unnamed,
      exceptions,
    };
  }

  /** Numbers the names in the order of their first use in `list`. Unused names have number -1. */
  #firstNames(list: Int32Array): Int32Array {
    const { records, names } = this.#records;
    const first = new Int32Array(names.count).fill(-1);
    let count = 0;
    for (const record of list) {
      const kind = infoKind(records.word(record, 1));
      const length = records.length(record);
      for (let i = nextName(kind, -1); i < length; i = nextName(kind, i)) {
        const name = records.word(record, i);
        if (name !== 0 && first[name] === -1) first[name] = count++;
      }
    }
    return first;
  }

  async #recordBlocks(): Promise<{ records: BlockPlace[]; names: BlockPlace[] }> {
    const { records: pool, symbols, names: namePool } = this.#records;
    const symbolOf = (symbol: number) =>
      [symbols.word(symbol, 0), symbols.word(symbol, 1)] as const;
    const records: BlockPlace[] = [];
    let writer = new RecordBlockWriter(symbolOf);
    for (let record = 0; record < pool.count; record++) {
      writer.add(pool.sequence(record));
      if (writer.length < RECORD_BLOCK) continue;
      records.push(await this.#block(writer.finish()));
      writer = new RecordBlockWriter(symbolOf, writer);
    }
    records.push(await this.#block(writer.finish()));
    const names: BlockPlace[] = [];
    let bytes: number[] = [];
    const flush = async () => {
      names.push(await this.#block(Uint8Array.from(bytes)));
      bytes = [];
    };
    for (const name of writer.names) {
      for (const byte of namePool.bytes(name)) bytes.push(byte);
      bytes.push(0);
      if (bytes.length >= RECORD_BLOCK) await flush();
    }
    await flush();
    return { records, names };
  }

  async #entryBlocks(place: Int32Array): Promise<EntryBlockPlace[]> {
    const { entries, rows } = this.#variants;
    const { names } = this.#records;
    const rowsOf = Array.from({ length: entries.count }, (): number[] => []);
    for (let row = 0; row < rows.count; row++) rowsOf[rows.word(row, 0)]?.push(row);
    const name = (entry: number) => names.bytes(entries.word(entry, 1));
    // The sort key has one character per byte, so that names are sorted by their bytes.
    const keys = Array.from(rowsOf, (_, entry) => {
      let key = '';
      for (const byte of name(entry)) key += String.fromCharCode(byte);
      return { entry, kind: entries.word(entry, 0), key };
    }).sort((a, b) => a.kind - b.kind || (a.key < b.key ? -1 : 1));
    const places: EntryBlockPlace[] = [];
    const sets = new SortedSets(this.#presence, place);
    const open = () => new EntryBlockWriter(this.#holders.length, (string) => names.bytes(string));
    let writer = open();
    let first: { readonly kind: number; readonly first: Uint8Array } | null = null;
    const flush = async () => {
      if (first !== null) places.push({ ...first, ...(await this.#block(writer.finish())) });
      writer = open();
      first = null;
    };
    for (const { entry, kind } of keys) {
      if (first !== null && (first.kind !== kind || writer.length >= ENTRY_BLOCK)) await flush();
      first ??= { kind, first: name(entry) };
      writer.add(this.#entry(entry, rowsOf[entry] ?? [], sets));
    }
    await flush();
    return places;
  }

  #entry(entry: number, rows: readonly number[], sets: SortedSets): Entry<WrittenRow> {
    const known = new Map<number, number>();
    const variants: number[][] = [];
    const made = rows.map((row) => {
      const list = Array.from(this.#variants.rows.sequence(row).subarray(1), (variant) => {
        const number = known.get(variant) ?? variants.length;
        if (number === variants.length) {
          known.set(variant, number);
          variants.push(this.#variants.numbersOf(variant));
        }
        return number;
      });
      return { variants: list, holders: sets.of(this.#presence.of(row)) };
    });
    const { entries } = this.#variants;
    return { kind: entries.word(entry, 0), name: entries.word(entry, 1), variants, rows: made };
  }
}

/** Lists of the kernel numbers in sets, sorted and cached: equal sets share one list. */
class SortedSets {
  readonly #presence: PresenceSets;
  readonly #place: Int32Array;
  readonly #known = new Map<number, readonly number[]>();
  #length = 0;

  constructor(presence: PresenceSets, place: Int32Array) {
    this.#presence = presence;
    this.#place = place;
  }

  of(set: number): readonly number[] {
    const known = this.#known.get(set);
    if (known !== undefined) return known;
    const kernels = this.#presence.kernels(set).map((kernel) => this.#place[kernel] ?? 0);
    kernels.sort((a, b) => a - b);
    this.#length += kernels.length;
    if (this.#length > MAX_SORTED) {
      this.#known.clear();
      this.#length = kernels.length;
    }
    this.#known.set(set, kernels);
    return kernels;
  }
}

const NO_LIST = new Int32Array(0);

const moduleKey = (kernel: number, name: string) => `${kernel}\0${name}`;

const compareTexts = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);

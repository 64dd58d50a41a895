/** Finds GOT entries of a linked file by what they hold or by their dynamic relocations. */
import { addTo, getOrCreate } from '#bytes/cache.ts';
import { decodeText } from '#bytes/text.ts';
import { EM, SHF, SHT } from '#formats/elf/constants.ts';
import { readWord } from '#formats/elf/relocations/relocation-field.ts';
import { relocIndex, sectionIndex, symbolIndex } from '#model/ids.ts';
import type { ObjectModel } from '#model/object-model.ts';
import { sectionName } from '#model/sections.ts';
import { symbolName } from '#model/symbols.ts';
import type { SlotRequest } from './evaluated.ts';
import type { LinkedFile } from './linked-file.ts';
import { typesOfEntry } from './names.ts';

type Entry = {
  readonly address: bigint;
  /** Word in the file. */
  readonly word: bigint;
  /** Dynamic relocation of the entry; null if it has none. */
  readonly dynamic: Dynamic | null;
};

type Dynamic = {
  /** Name of the type without the machine: `GLOB_DAT`. */
  readonly type: string;
  readonly symbol: string;
  /** Value of the symbol plus the addend. */
  readonly value: bigint;
  readonly addend: bigint;
};

/** Types of dynamic relocations that write an address of the file itself. */
const OF_ADDRESS = /^(?:I?RELATIVE|REL32|JMP_SLOT|JUMP_SLOT)/;

const GOT_SECTION = /^\.(?:got|toc|igot|sgot|lita|branch_lt|iplt|plt)/;

/** Entries of the GOT sections of a linked file. */
export class GotEntries {
  readonly #linked: LinkedFile;
  readonly #bases: ReadonlyMap<string, bigint>;
  readonly #wordBytes: number;
  readonly #pairStep: number;
  readonly #entries: readonly Entry[];
  readonly #byAddress = new Map<bigint, Entry[]>();
  /** Addresses of entries that hold the same, for each slot. */
  readonly #holding = new Map<string, readonly bigint[]>();

  constructor(
    linked: LinkedFile,
    bases: ReadonlyMap<string, bigint>,
    { addressBits, machine }: Pick<ObjectModel, 'addressBits' | 'machine'>,
  ) {
    this.#linked = linked;
    this.#bases = bases;
    this.#wordBytes = addressBits / 8;
    const isX32 = addressBits === 32 && machine?.number === EM.x86_64;
    this.#pairStep = isX32 && !isLld(linked) ? 8 : this.#wordBytes;
    this.#entries = this.#allEntries().toSorted((x, y) => (x.address < y.address ? -1 : 1));
    for (const entry of this.#entries) addTo(this.#byAddress, entry.address, entry);
  }

  /**
   * Returns the address of the entry that holds what a slot of the symbol `name` holds. Of several
   * it returns the first with which most of the places agree that depend on the slot.
   */
  find(request: SlotRequest, name: string): bigint | null {
    const { slot, symbol, a } = request;
    const holders = getOrCreate(this.#holding, `${slot} ${symbol} ${a}`, () =>
      this.#holders(request, name),
    );
    let best: { readonly at: bigint; readonly score: number } | null = null;
    for (const at of holders) {
      const score = holders.length === 1 ? 0 : request.score(at);
      if (best === null || score > best.score) best = { at, score };
    }
    return best?.at ?? null;
  }

  #holders(request: SlotRequest, name: string): readonly bigint[] {
    const holds = this.#testOf(request, name);
    const found = this.#entries.filter((entry) => holds(entry));
    if (found.length > 0 || request.slot !== 'GTLSGD') return found.map(({ address }) => address);
    // GNU ld for s390x uses the entry of the thread pointer offset, where there is no pair.
    const offsets = this.#testOf({ ...request, slot: 'GTPR' }, name);
    return this.#entries.filter((entry) => offsets(entry)).map(({ address }) => address);
  }

  #testOf({ slot, s, a, isPaged }: SlotRequest, name: string): (entry: Entry) => boolean {
    const words = (values: readonly (bigint | null)[]) =>
      new Set(values.flatMap((value) => (value === null ? [] : [this.#cut(value)])));
    const sum = s === null ? null : s + a;
    const isNamed = (dynamic: Dynamic) => name !== '' && dynamic.symbol === name;
    const page = sum === null ? null : (sum + 0x8000n) & ~0xffffn;
    switch (slot) {
      case 'GE':
      case 'PLTE': {
        const held = words(slot === 'GE' && isPaged ? [s, sum, page] : [s, sum]);
        return ({ word, dynamic }) => {
          if (dynamic === null) return held.has(word);
          if (dynamic.symbol !== '') return isNamed(dynamic);
          return (
            OF_ADDRESS.test(dynamic.type) && (held.has(this.#cut(dynamic.value)) || held.has(word))
          );
        };
      }
      case 'GOTPAGE': {
        const held = words([page]);
        return ({ word, dynamic }) =>
          held.has(dynamic === null ? word : this.#cut(dynamic.value)) || held.has(word);
      }
      case 'GTPR':
        return this.#tlsTest(
          /(?<!D)TP(?:OFF|REL)/,
          words([
            this.#from(s, 'TPB'),
            this.#from(sum, 'TPB'),
            this.#negative(s),
            this.#negative(sum),
          ]),
          name,
          s,
          a,
        );
      case 'GDTPR':
        // lld uses the entry of the thread pointer offset for both offsets.
        return this.#tlsTest(
          /TP(?:OFF|REL)/,
          words([this.#from(s, 'DTPB'), this.#from(sum, 'DTPB')]),
          name,
          s,
          a,
        );
      case 'GDESC':
        return ({ dynamic }) =>
          dynamic !== null && /DESC/.test(dynamic.type) && this.#isOf(dynamic, name, s, a);
      case 'GTLSLD':
        return (entry) =>
          this.#isModule(entry) &&
          (entry.dynamic === null || entry.dynamic.symbol === '') &&
          this.#next(entry).some(({ word, dynamic }) => word === 0n && dynamic === null);
      default: {
        const offsets = words([this.#from(s, 'DTPB'), this.#from(sum, 'DTPB')]);
        return (entry) => {
          if (!this.#isModule(entry)) return false;
          const { dynamic } = entry;
          if (dynamic !== null && dynamic.symbol !== '') return isNamed(dynamic);
          return this.#next(entry).some((next) =>
            next.dynamic === null ? offsets.has(next.word) : isNamed(next.dynamic),
          );
        };
      }
    }
  }

  #tlsTest(
    types: RegExp,
    held: ReadonlySet<bigint>,
    name: string,
    s: bigint | null,
    a: bigint,
  ): (entry: Entry) => boolean {
    return ({ word, dynamic }) =>
      dynamic === null
        ? held.has(word)
        : types.test(dynamic.type) && this.#isOf(dynamic, name, s, a);
  }

  /** Returns true if a dynamic relocation is against the symbol, or against its offset. */
  #isOf({ symbol, addend }: Dynamic, name: string, s: bigint | null, a: bigint): boolean {
    if (symbol !== '') return symbol === name;
    const offset = this.#from(s, 'TLS');
    return offset !== null && (addend === offset || addend === offset + a);
  }

  /** Returns true for the first word of a pair: the module, 1 in executables. */
  #isModule({ word, dynamic }: Entry): boolean {
    return dynamic === null ? word === 1n : /DTPMOD/.test(dynamic.type);
  }

  /** Returns the second word of a pair. In x32, GNU ld has words of 8 bytes and lld of 4. */
  #next({ address }: Entry): readonly Entry[] {
    return this.#byAddress.get(address + BigInt(this.#pairStep)) ?? [];
  }

  #from(address: bigint | null, base: string): bigint | null {
    const from = this.#bases.get(base);
    return address === null || from === undefined ? null : address - from;
  }

  #negative(address: bigint | null): bigint | null {
    const offset = this.#from(address, 'TPB');
    return offset === null ? null : -offset;
  }

  #cut(value: bigint): bigint {
    return BigInt.asUintN(8 * this.#wordBytes, value);
  }

  /** Returns the words of the GOT sections, and what dynamic relocations write. */
  #allEntries(): readonly Entry[] {
    const dynamic = this.#dynamicRelocations();
    const found: Entry[] = [];
    const { model, bytes } = this.#linked;
    const { sections, endian } = model;
    const size = this.#wordBytes;
    for (let i = 1; i < sections.count; i++) {
      const isLoaded = ((sections.flags[i] ?? 0n) & SHF.alloc) !== 0n;
      if (!isLoaded || sections.type[i] === SHT.nobits) continue;
      if (!GOT_SECTION.test(sectionName(sections, sectionIndex(i)))) continue;
      const start = sections.fileOffset[i] ?? 0;
      const length = sections.byteLength[i] ?? 0;
      for (let at = 0; at + size <= length; at += size) {
        const address = (sections.addr[i] ?? 0n) + BigInt(at);
        if (dynamic.has(address)) continue;
        found.push({ address, word: readWord(bytes, start + at, size, endian), dynamic: null });
      }
    }
    for (const [address, all] of dynamic) {
      const word = this.#wordAt(address);
      for (const one of all) found.push({ address, word, dynamic: one });
    }
    return found;
  }

  /** Returns the word at an address; 0 if it is in no section with bytes. */
  #wordAt(address: bigint): bigint {
    const { model, bytes } = this.#linked;
    const { sections, endian } = model;
    for (let i = 1; i < sections.count; i++) {
      const inside = address - (sections.addr[i] ?? 0n);
      const isLoaded = ((sections.flags[i] ?? 0n) & SHF.alloc) !== 0n;
      const length = BigInt(sections.byteLength[i] ?? 0);
      if (!isLoaded || inside < 0n || inside + BigInt(this.#wordBytes) > length) continue;
      return readWord(
        bytes,
        (sections.fileOffset[i] ?? 0) + Number(inside),
        this.#wordBytes,
        endian,
      );
    }
    return 0n;
  }

  #dynamicRelocations(): ReadonlyMap<bigint, Dynamic[]> {
    const { model } = this.#linked;
    const { relocations, symbols, sections } = model;
    const found = new Map<bigint, Dynamic[]>();
    for (let row = 0; row < relocations.count; row++) {
      const isLoaded =
        ((sections.flags[relocations.relSection[row] ?? 0] ?? 0n) & SHF.alloc) !== 0n;
      if (!isLoaded) continue;
      const symbol = relocations.symbol[row] ?? -1;
      const hasSymbol = symbol >= 0 && relocations.symbolNumber[row] !== 0;
      const addend = relocations.addend[row] ?? 0n;
      const type = typesOfEntry(model, relocIndex(row))[0]?.name ?? '';
      addTo(found, relocations.offset[row] ?? 0n, {
        type: type.replace(/^R_[A-Z0-9]+_/, ''),
        symbol: hasSymbol ? symbolName(symbols, symbolIndex(symbol)) : '',
        value: (hasSymbol ? (symbols.value[symbol] ?? 0n) : 0n) + addend,
        addend,
      });
    }
    return found;
  }
}

/** Returns true if the section .comment names lld, which writes its version there. */
function isLld({ model, bytes }: LinkedFile): boolean {
  const { sections } = model;
  for (let i = 1; i < sections.count; i++) {
    if (sectionName(sections, sectionIndex(i)) !== '.comment') continue;
    const start = sections.fileOffset[i] ?? 0;
    const text = decodeText(bytes.subarray(start, start + (sections.byteLength[i] ?? 0)));
    return text.includes('Linker: LLD');
  }
  return false;
}

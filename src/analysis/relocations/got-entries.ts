/** Finds GOT entries of a linked file by what they hold or by their dynamic relocations. */
import { addTo, getOrCreate } from '#bytes/cache.ts';
import { decodeText } from '#bytes/text.ts';
import { EM, SHF, SHT } from '#formats/elf/constants.ts';
import { readWord } from '#formats/elf/relocations/relocation-field.ts';
import { sectionIndex } from '#model/ids.ts';
import type { ObjectModel } from '#model/object-model.ts';
import { sectionName } from '#model/sections.ts';
import { AddressRanges } from './address-ranges.ts';
import { type DynamicRelocation, dynamicRelocations, dynamicText } from './dynamic-relocations.ts';
import type { SlotRequest } from './evaluated.ts';
import type { LinkedFile } from './linked-file.ts';

type Entry = {
  readonly address: bigint;
  /** Word in the file. */
  readonly word: bigint;
  /** Dynamic relocation of the entry; null if it has none. */
  readonly dynamic: DynamicRelocation | null;
};

/** Types of dynamic relocations that write an address of the file itself. */
const OF_ADDRESS = /_(?:I?RELATIVE|REL32|JMP_SLOT|JUMP_SLOT)/;

/** Most entries that hold the same and are compared. Linkers make one, or a few by kind. */
const MAX_SAME = 64;

const GOT_SECTION = /^\.(?:got|toc|igot|sgot|lita|branch_lt|iplt|plt)/;

/** Entries of the GOT sections of a linked file. */
export class GotEntries {
  readonly #linked: LinkedFile;
  readonly #bases: ReadonlyMap<string, bigint>;
  readonly #wordBytes: number;
  readonly #pairStep: number;
  readonly #loaded: AddressRanges;
  readonly #dynamic: ReadonlyMap<bigint, readonly DynamicRelocation[]>;
  readonly #entries: readonly Entry[];
  readonly #byAddress = new Map<bigint, Entry[]>();
  /** Positions of entries by what they hold, at most `MAX_SAME` of each. */
  readonly #byContents = new Map<string, number[]>();
  /** Addresses of pairs for the module itself, whose second word is 0. */
  readonly #modulePairs: readonly bigint[];
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
    this.#loaded = wholeWords(linked.model, this.#wordBytes);
    this.#dynamic = dynamicRelocations(linked.model);
    this.#entries = this.#allEntries().toSorted((x, y) => (x.address < y.address ? -1 : 1));
    this.#entries.forEach((entry, i) => {
      addUpTo(this.#byAddress, entry.address, entry);
      for (const key of this.#contentsOf(entry)) addUpTo(this.#byContents, key, i);
    });
    this.#modulePairs = this.#addressesAt(
      this.#entries.flatMap((entry, i) => (this.#isModulePair(entry) ? [i] : [])),
    );
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

  /** Returns what the dynamic linker does at an address, as text; null if nothing. */
  dynamicAt(address: bigint): string | null {
    const [first] = this.#dynamic.get(address) ?? [];
    return first === undefined ? null : dynamicText(first);
  }

  #holders(request: SlotRequest, name: string): readonly bigint[] {
    const found = this.#entriesFor(request, name);
    // GNU ld for s390x uses the entry of the thread pointer offset, where there is no pair.
    return found.length > 0 || request.slot !== 'GTLSGD'
      ? found
      : this.#entriesFor({ ...request, slot: 'GTPR' }, name);
  }

  /** Returns the addresses of entries that hold what a slot of a symbol holds, ascending. */
  #entriesFor({ slot, s, a, isPaged }: SlotRequest, name: string): readonly bigint[] {
    const sum = s === null ? null : s + a;
    const named = name === '' ? [] : [`symbol ${name}`];
    const keys = (kind: string, values: readonly (bigint | null)[]) =>
      values.flatMap((value) => (value === null ? [] : [`${kind} ${this.#cut(value)}`]));
    const page = sum === null ? null : (sum + 0x8000n) & ~0xffffn;
    const offset = this.#from(s, 'TLS');
    const ofOffset = offset === null ? [] : [`addend ${offset}`, `addend ${offset + a}`];
    const withType =
      (types: RegExp) =>
      ({ dynamic }: Entry) =>
        dynamic === null || types.test(dynamic.type);
    switch (slot) {
      case 'GE':
      case 'PLTE': {
        const held = slot === 'GE' && isPaged ? [s, sum, page] : [s, sum];
        return this.#select([...keys('word', held), ...keys('address', held), ...named]);
      }
      case 'GOTPAGE':
        return this.#select([...keys('word', [page]), ...keys('any', [page])]);
      case 'GTPR': {
        const held = [s, sum].flatMap((at) => [this.#from(at, 'TPB'), this.#negative(at)]);
        return this.#select(
          [...keys('word', held), ...named, ...ofOffset],
          withType(/(?<!D)TP(?:OFF|REL)/),
        );
      }
      case 'GDTPR': {
        // lld uses the entry of the thread pointer offset for both offsets.
        const held = [this.#from(s, 'DTPB'), this.#from(sum, 'DTPB')];
        return this.#select(
          [...keys('word', held), ...named, ...ofOffset],
          withType(/TP(?:OFF|REL)/),
        );
      }
      case 'GDESC':
        return this.#select([...named, ...ofOffset], withType(/DESC/));
      case 'GTLSLD':
        return this.#modulePairs;
      default: {
        const held = keys('word', [this.#from(s, 'DTPB'), this.#from(sum, 'DTPB')]);
        const second = this.#positions([...held, ...named]);
        const own = this.#select(named, (entry) => this.#isModule(entry));
        return [...own, ...second.flatMap((i) => this.#pairBefore(i))].toSorted((x, y) =>
          x < y ? -1 : Number(x > y),
        );
      }
    }
  }

  /** Returns the keys under which an entry is found. */
  #contentsOf({ word, dynamic }: Entry): readonly string[] {
    const cut = this.#cut(word);
    if (dynamic === null) return [`word ${cut}`];
    const { symbol, type, addend } = dynamic;
    const values = new Set([cut, this.#cut(dynamic.value)]);
    const keys = Array.from(values, (value) => `any ${value}`);
    if (symbol !== '') return [...keys, `symbol ${symbol}`];
    const ofAddress = OF_ADDRESS.test(type) ? values : [];
    return [...keys, `addend ${addend}`, ...Array.from(ofAddress, (value) => `address ${value}`)];
  }

  #positions(keys: readonly string[]): readonly number[] {
    return [...new Set(keys)].flatMap((key) => this.#byContents.get(key) ?? []);
  }

  #select(keys: readonly string[], isRight: (entry: Entry) => boolean = () => true) {
    return this.#addressesAt(
      this.#positions(keys).filter((i) => {
        const entry = this.#entries[i];
        return entry !== undefined && isRight(entry);
      }),
    );
  }

  #addressesAt(positions: readonly number[]): readonly bigint[] {
    const sorted = [...new Set(positions)].toSorted((x, y) => x - y);
    return sorted.slice(0, MAX_SAME).flatMap((i) => this.#entries[i]?.address ?? []);
  }

  /** Returns true for the first word of a pair: the module, 1 in executables. */
  #isModule({ word, dynamic }: Entry): boolean {
    return dynamic === null ? word === 1n : /DTPMOD/.test(dynamic.type);
  }

  #isModulePair(entry: Entry): boolean {
    const { address, dynamic } = entry;
    if (!this.#isModule(entry) || (dynamic !== null && dynamic.symbol !== '')) return false;
    const next = this.#byAddress.get(address + BigInt(this.#pairStep)) ?? [];
    return next.some(({ word, dynamic: second }) => word === 0n && second === null);
  }

  /** Returns the address of a pair whose second word is entry `i`, if its first names no symbol. */
  #pairBefore(i: number): readonly bigint[] {
    const second = this.#entries[i];
    if (second === undefined) return [];
    // In x32, GNU ld has words of 8 bytes and lld of 4.
    const first = second.address - BigInt(this.#pairStep);
    const isPair = (this.#byAddress.get(first) ?? []).some(
      (entry) => this.#isModule(entry) && (entry.dynamic?.symbol ?? '') === '',
    );
    return isPair ? [first] : [];
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
    const { model, bytes } = this.#linked;
    const found: Entry[] = [];
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
        if (this.#dynamic.has(address)) continue;
        found.push({ address, word: readWord(bytes, start + at, size, endian), dynamic: null });
      }
    }
    for (const [address, all] of this.#dynamic) {
      const word = this.#wordAt(address);
      for (const one of all) found.push({ address, word, dynamic: one });
    }
    return found;
  }

  /** Returns the word at an address; 0 if it is in no section with bytes. */
  #wordAt(address: bigint): bigint {
    const { model, bytes } = this.#linked;
    const { sections, endian } = model;
    const section = this.#loaded.indexOf(address);
    if (section < 0) return 0n;
    const inside = Number(address - (sections.addr[section] ?? 0n));
    return readWord(bytes, (sections.fileOffset[section] ?? 0) + inside, this.#wordBytes, endian);
  }
}

/** Returns the addresses at which a loaded section has a whole word. */
function wholeWords({ sections }: ObjectModel, wordBytes: number): AddressRanges {
  return new AddressRanges(
    Array.from({ length: sections.count }, (_, i) => {
      const isLoaded = i > 0 && ((sections.flags[i] ?? 0n) & SHF.alloc) !== 0n;
      const start = sections.addr[i] ?? 0n;
      const length = (sections.byteLength[i] ?? 0) - wordBytes + 1;
      return { start, end: isLoaded ? start + BigInt(length) : start };
    }),
  );
}

function addUpTo<Key, Value>(lists: Map<Key, Value[]>, key: Key, value: Value): void {
  if ((lists.get(key)?.length ?? 0) < MAX_SAME) addTo(lists, key, value);
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

/** Reads the blocks of entries that `write-entry-block.ts` writes. */
import {
  type Entry,
  EntryKind,
  type EntryRow,
  OffsetGuess,
  readKernelSet,
  unscaled,
} from './entry.ts';
import { unzigzag, VarintReader } from './varints.ts';

export type EntryBlock = {
  readonly strings: readonly Uint8Array[];
  readonly entries: readonly Entry[];
};

/** Reads a block of entries of `kind`. `has` counts kernels and modules. Throws `Malformed`. */
export function readEntryBlock(
  bytes: Uint8Array,
  kind: number,
  has: { readonly kernels: number; readonly modules: number },
  region: string,
): EntryBlock {
  return new BlockReading(bytes, kind, has, region).block();
}

class BlockReading {
  readonly #from: VarintReader;
  readonly #kind: number;
  readonly #count: number;
  readonly #strings: readonly Uint8Array[];
  readonly #sets: Pick<EntryRow, 'kernels' | 'modules'>[] = [];
  #freshString = 1;
  #freshSet = 0;

  constructor(
    bytes: Uint8Array,
    kind: number,
    has: { readonly kernels: number; readonly modules: number },
    region: string,
  ) {
    const from = new VarintReader(bytes, region);
    this.#from = from;
    this.#kind = kind;
    this.#count = from.count('the number of entries', 3);
    const strings = from.uint('the number of strings');
    this.#strings = readStrings(from.counted('the strings'), strings, from);
    const sets = from.count('the number of sets');
    // Limits the total size of all sets, because three bytes can encode a set of 1,000 kernels.
    const holders = has.kernels + has.modules;
    let members = 64 * bytes.length + holders;
    for (let i = 0; i < sets; i++) {
      const set = readKernelSet(from, holders);
      members -= set.length;
      if (members < 0) throw from.malformed('the sets of kernels are too large');
      const first = set.findIndex((holder) => holder >= has.kernels);
      const end = first < 0 ? set.length : first;
      const modules = set.slice(end).map((holder) => holder - has.kernels);
      this.#sets.push({ kernels: set.slice(0, end), modules });
    }
  }

  block(): EntryBlock {
    const entries: Entry[] = [];
    for (let i = 0; i < this.#count; i++) entries.push(this.#entry());
    return { strings: this.#strings, entries };
  }

  #entry(): Entry {
    const name = this.#string();
    const count = this.#from.count('the number of variants');
    const variants = this.#variants(count);
    return { kind: this.#kind, name, variants, rows: this.#rows(count) };
  }

  #variants(count: number): number[][] {
    switch (this.#kind) {
      case EntryKind.struct:
      case EntryKind.union:
        return this.#composites(count);
      case EntryKind.enum:
        return this.#enums(count);
      case EntryKind.func:
        return Array.from({ length: count }, () => {
          const type = this.#string();
          const params = this.#from.count('the number of parameters', 2);
          const names = this.#stringList(params);
          const types = this.#stringList(params);
          return [type, ...names.flatMap((name, i) => [name, types[i] ?? 0])];
        });
      default:
        return Array.from({ length: count }, () => [this.#string(), this.#from.uint('a size')]);
    }
  }

  #string(): number {
    const code = this.#from.uint('a string');
    const string = code === 0 ? this.#freshString++ : code - 1;
    if (string >= this.#strings.length) throw this.#from.malformed(`there is no string ${string}`);
    return string;
  }

  #stringList(length: number): number[] {
    return Array.from({ length }, () => this.#string());
  }

  #composites(count: number): number[][] {
    const from = this.#from;
    const length = from.count('the number of members', 3);
    const names = this.#stringList(length);
    const types = this.#stringList(length);
    const bits = names.map(() => unscaled(from.uint('a width')));
    const offsets = new OffsetGuess();
    return Array.from({ length: count }, () => {
      const variant = [from.uint('a size')];
      const list = this.#list(length);
      offsets.begin();
      for (const member of list) {
        const code = from.uint('an offset');
        const off = code % 2 === 0 ? 8 * unzigzag(code / 2) : unzigzag((code - 1) / 2);
        const offset = offsets.guess(member) + off;
        if (!(offset >= 0 && offset <= Number.MAX_SAFE_INTEGER))
          throw from.malformed('an offset is wrong');
        const width = bits[member] ?? 0;
        variant.push(names[member] ?? 0, types[member] ?? 0, width, offset);
        offsets.add(member, offset, width);
      }
      return variant;
    });
  }

  #enums(count: number): number[][] {
    const from = this.#from;
    const length = from.count('the number of enumerators', 2);
    const names = this.#stringList(length);
    let last = 0;
    const values = names.map(() => {
      const code = from.uint('a value');
      if (code % 2 === 1) return [from.uint('a value') | 0, from.uint('a value') | 0] as const;
      last += unzigzag(code / 2);
      if (!Number.isSafeInteger(last)) throw from.malformed('a value is wrong');
      return [last | 0, Math.floor(last / 2 ** 32) | 0] as const;
    });
    return Array.from({ length: count }, () => {
      const head = from.uint('a size');
      const variant = [Math.floor(head / 2), head % 2];
      for (const item of this.#list(length)) {
        const [low = 0, high = 0] = values[item] ?? [];
        variant.push(names[item] ?? 0, low, high);
      }
      return variant;
    });
  }

  /** Reads a list of numbers below `limit`. */
  #list(limit: number): number[] {
    const length = this.#from.count('the number of items');
    let last = -1;
    return Array.from({ length }, () => {
      last += 1 + this.#from.sint('an item');
      if (!(last >= 0 && last < limit)) throw this.#from.malformed(`there is no item ${last}`);
      return last;
    });
  }

  #rows(variantCount: number): EntryRow[] {
    const from = this.#from;
    const rows = from.count('the number of rows', 3);
    return Array.from({ length: rows }, (_, r) => {
      const code = from.uint('a set of kernels');
      const set = this.#sets[code === 0 ? this.#freshSet++ : code - 1];
      if (set === undefined) throw from.malformed('there is no such set of kernels');
      let last = r;
      const variants = Array.from({ length: from.count('the number of definitions') }, () => {
        last += from.sint('a variant');
        if (!(last >= 0 && last < variantCount))
          throw from.malformed(`there is no variant ${last}`);
        return last;
      });
      if (variants.length === 0) throw from.malformed('a kernel has no variant');
      return { variants, ...set };
    });
  }
}

function readStrings(bytes: Uint8Array, count: number, from: VarintReader): Uint8Array[] {
  const strings = [new Uint8Array(0)] as Uint8Array[];
  for (let start = 0; start < bytes.length; ) {
    const end = bytes.indexOf(0, start);
    if (end < 0) break;
    strings.push(bytes.subarray(start, end));
    start = end + 1;
  }
  if (strings.length !== count)
    throw from.malformed(`there are ${strings.length} strings, not ${count}`);
  return strings;
}

/** Decodes the symbols of a bzip2 block: bits, Huffman codes, move-to-front list, runs of zeros. */
import type { PackedInput } from './packed-input.ts';

const MAX_CODE_BITS = 20;
const SYMBOLS_PER_SELECTOR = 50;
const RUN_A = 0;
const RUN_B = 1;

/** Reads bits, the most significant first. Throws `Malformed` at the end of the input. */
export class ForwardBits {
  readonly #input: PackedInput;
  #buffer = 0;
  #count = 0;

  constructor(input: PackedInput) {
    this.#input = input;
  }

  get byteOffset(): number {
    return this.#input.byteOffset - ((this.#count + 7) >> 3);
  }

  /** Reads the next `count` bits (24 or fewer). */
  bits(count: number, what = 'more of a block'): number {
    while (this.#count < count) {
      this.#buffer = (this.#buffer << 8) | this.#input.u8(what);
      this.#count += 8;
    }
    this.#count -= count;
    return (this.#buffer >>> this.#count) & ((1 << count) - 1);
  }

  u24(what: string): number {
    return this.bits(24, what);
  }

  u32(what: string): number {
    return this.bits(16, what) * 0x10000 + this.bits(16, what);
  }

  /** Skips to the start of the next byte. */
  align(): void {
    this.#count -= this.#count & 7;
  }
}

/** A canonical Huffman code: the last code of each length, and where its symbols start. */
type Code = {
  readonly minBits: number;
  readonly lastCode: Int32Array;
  readonly symbolOffset: Int32Array;
  readonly symbols: Uint16Array;
};

function codeOf(lengths: Uint8Array): Code {
  const lastCode = new Int32Array(MAX_CODE_BITS + 1).fill(-1);
  const symbolOffset = new Int32Array(MAX_CODE_BITS + 1);
  const symbols: number[] = [];
  let code = 0;
  let minBits = 0;
  for (let bits = 1; bits <= MAX_CODE_BITS; bits++) {
    symbolOffset[bits] = symbols.length - code;
    lengths.forEach((length, symbol) => {
      if (length !== bits) return;
      symbols.push(symbol);
      code++;
    });
    if (minBits === 0 && symbols.length > 0) minBits = bits;
    lastCode[bits] = code - 1;
    code <<= 1;
  }
  return { minBits, lastCode, symbolOffset, symbols: Uint16Array.from(symbols) };
}

function readSymbol(input: PackedInput, bits: ForwardBits, code: Code): number {
  let value = bits.bits(code.minBits);
  for (let length = code.minBits; length <= MAX_CODE_BITS; length++) {
    if (value <= (code.lastCode[length] ?? -1)) {
      const symbol = code.symbols[value + (code.symbolOffset[length] ?? 0)];
      if (symbol !== undefined) return symbol;
      break;
    }
    value = (value << 1) | bits.bits(1);
  }
  throw input.corrupt(bits.byteOffset, 'a Huffman code in use', 'one that no symbol has');
}

/** Reads which byte values are used: 16 bits for groups of 16 values, then 16 bits per group. */
function readUsedBytes(input: PackedInput, bits: ForwardBits): Uint8Array {
  const start = bits.byteOffset;
  const used: number[] = [];
  const groups = bits.bits(16);
  for (let group = 0; group < 16; group++) {
    if (((groups >> (15 - group)) & 1) === 0) continue;
    const members = bits.bits(16);
    for (let i = 0; i < 16; i++) if ((members >> (15 - i)) & 1) used.push(group * 16 + i);
  }
  if (used.length === 0) throw input.corrupt(start, 'a byte in use', 'none');
  return Uint8Array.from(used);
}

/** Reads which code table each group of 50 symbols uses: a move-to-front list in unary. */
function readSelectors(input: PackedInput, bits: ForwardBits, codeCount: number): Uint8Array {
  const start = bits.byteOffset;
  const selectors = new Uint8Array(bits.bits(15));
  const order = [0, 1, 2, 3, 4, 5].slice(0, codeCount);
  for (let i = 0; i < selectors.length; i++) {
    let place = 0;
    while (place < codeCount && bits.bits(1) === 1) place++;
    const [selector] = order.splice(place, 1);
    if (selector === undefined) throw input.corrupt(start, `a code below ${codeCount}`, `${place}`);
    order.unshift(selector);
    selectors[i] = selector;
  }
  return selectors;
}

/** Reads the code lengths. Each length is stored as steps from the previous length. */
function readCode(input: PackedInput, bits: ForwardBits, symbolCount: number): Code {
  const lengths = new Uint8Array(symbolCount);
  let length = bits.bits(5);
  for (let symbol = 0; symbol < symbolCount; symbol++) {
    for (;;) {
      if (length < 1 || length > MAX_CODE_BITS) {
        throw input.corrupt(bits.byteOffset, `code lengths of 1 to ${MAX_CODE_BITS}`, `${length}`);
      }
      if (bits.bits(1) === 0) break;
      length += bits.bits(1) === 0 ? 1 : -1;
    }
    lengths[symbol] = length;
  }
  return codeOf(lengths);
}

/** Reads a block. Returns the last column of the sorted rotations. Throws `Malformed`. */
export function decodeBlockSymbols(
  input: PackedInput,
  bits: ForwardBits,
  capacity: number,
): Uint8Array {
  const start = bits.byteOffset;
  const recent = readUsedBytes(input, bits);
  const endSymbol = recent.length + 1;
  const codeCount = bits.bits(3);
  if (codeCount < 2 || codeCount > 6) throw input.corrupt(start, '2 to 6 codes', `${codeCount}`);
  const selectors = readSelectors(input, bits, codeCount);
  const codes = Array.from({ length: codeCount }, () => readCode(input, bits, endSymbol + 1));

  const block = new Uint8Array(capacity);
  let length = 0;
  let run = 0;
  let runWeight = 1;
  for (const selector of selectors) {
    const code = codes[selector];
    if (code === undefined) break;
    for (let i = 0; i < SYMBOLS_PER_SELECTOR; i++) {
      const symbol = readSymbol(input, bits, code);
      if (symbol === RUN_A || symbol === RUN_B) {
        // The length of a run is a number in base 2 with the digits 1 and 2, the lowest first.
        run += runWeight * (symbol === RUN_A ? 1 : 2);
        runWeight *= 2;
        if (run > capacity - length) throw tooLong();
        continue;
      }
      block.fill(recent[0] ?? 0, length, length + run);
      length += run;
      run = 0;
      runWeight = 1;
      if (symbol === endSymbol) return block.subarray(0, length);
      if (length === capacity) throw tooLong();
      const byte = recent[symbol - 1] ?? 0;
      recent.copyWithin(1, 0, symbol - 1);
      recent[0] = byte;
      block[length++] = byte;
    }
  }
  throw input.corrupt(bits.byteOffset, 'the end of the block', 'no more codes for it');

  function tooLong() {
    return input.corrupt(start, `a block of at most ${capacity} bytes`, 'a longer one');
  }
}

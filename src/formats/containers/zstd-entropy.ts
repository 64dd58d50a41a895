/** Decodes the bits of zstd (RFC 8878, section 4): backward bit streams, FSE, Huffman codes. */
import type { PackedInput } from './packed-input.ts';

/** Number of zero bits put before a stream. A sequence with the first states reads up to 116. */
const BITS_BEFORE = 128;

/** A bit stream read from its end (section 4.1). Past its start are zeros: check `left`. */
export class BackwardBits {
  /** Number of bits left; negative if more bits were read than the stream has. */
  left: number;
  /** The stream with zeros around it: `bitsAt` reads whole words, also before the start. */
  readonly words: DataView;

  /** Reads the rest of `stream`. Throws `Malformed` if the last byte has no end mark. */
  constructor(stream: PackedInput) {
    const start = stream.byteOffset;
    const bytes = stream.take(stream.remaining, 'a bit stream');
    const last = bytes.at(-1) ?? 0;
    if (last === 0) throw stream.corrupt(start, 'a bit stream with an end mark', 'none');
    const padded = new Uint8Array(BITS_BEFORE / 8 + bytes.length + 3);
    padded.set(bytes, BITS_BEFORE / 8);
    this.words = new DataView(padded.buffer);
    this.left = bytes.length * 8 - 1 - Math.clz32(last) + 24;
  }

  /** Returns the next `count` bits (24 or fewer) without reading them. */
  peek(count: number): number {
    return this.left <= 0 ? 0 : bitsAt(this.words, this.left - count, count);
  }

  /** Reads the next `count` bits (24 or fewer). */
  read(count: number): number {
    const value = this.peek(count);
    this.left -= count;
    return value;
  }
}

/** Returns `count` bits (up to 24) of `words`. `start` is the first bit, `-BITS_BEFORE` or more. */
export function bitsAt(words: DataView, start: number, count: number): number {
  const from = start + BITS_BEFORE;
  return (words.getInt32(from >> 3, true) >>> (from & 7)) & ((1 << count) - 1);
}

export type FseTable = {
  readonly accuracyLog: number;
  /** Per state: its symbol, from bit 8 the number of bits to read, from bit 16 a base to add. */
  readonly states: Uint32Array;
};

/** Returns the number of bits to read after `state`, an element of `FseTable.states`. */
export function stateBits(state: number): number {
  return (state >>> 8) & 0xff;
}

/** Returns the index of the state that follows `state`. `start` is the first bit to read. */
export function nextState(state: number, words: DataView, start: number): number {
  return (state >>> 16) + bitsAt(words, start, stateBits(state));
}

/** Returns a table with one state, for a stream of one symbol. */
export function fseRun(symbol: number): FseTable {
  return { accuracyLog: 0, states: Uint32Array.of(symbol) };
}

/** Returns the table of `probabilities` (section 4.1.1). -1 means "less than 1". */
export function fseTable(probabilities: readonly number[], accuracyLog: number): FseTable {
  const size = 1 << accuracyLog;
  const symbols = new Uint8Array(size);
  const next = Uint16Array.from(probabilities, Math.abs);
  let high = size;
  probabilities.forEach((probability, symbol) => {
    if (probability === -1) symbols[--high] = symbol;
  });
  const step = (size >> 1) + (size >> 3) + 3;
  let place = 0;
  probabilities.forEach((probability, symbol) => {
    for (let i = 0; i < probability; i++) {
      symbols[place] = symbol;
      do place = (place + step) & (size - 1);
      while (place >= high);
    }
  });
  const states = new Uint32Array(size);
  symbols.forEach((symbol, state) => {
    const count = next[symbol] ?? 1;
    next[symbol] = count + 1;
    const width = accuracyLog - (31 - Math.clz32(count));
    states[state] = (((count << width) - size) << 16) | (width << 8) | symbol;
  });
  return { accuracyLog, states };
}

/** Reads a table (section 4.1.1). Throws `Malformed` for too many symbols or states. */
export function readFseTable(input: PackedInput, maxLog: number, maxSymbol: number): FseTable {
  const start = input.byteOffset;
  const bits = new ForwardBits(input);
  const accuracyLog = bits.read(4) + 5;
  if (accuracyLog > maxLog) {
    throw input.corrupt(start, `an accuracy of at most ${maxLog} bits`, `${accuracyLog}`);
  }
  const probabilities: number[] = [];
  let remaining = 1 << accuracyLog;
  while (remaining > 0 && probabilities.length <= maxSymbol) {
    const probability = readProbability(bits, remaining);
    remaining -= Math.abs(probability);
    probabilities.push(probability);
    if (probability !== 0) continue;
    let zeros = 0;
    do {
      zeros = bits.read(2);
      for (let i = 0; i < zeros; i++) probabilities.push(0);
    } while (zeros === 3 && probabilities.length <= maxSymbol);
  }
  if (remaining !== 0 || probabilities.length > maxSymbol + 1) {
    const found = `${probabilities.length}, ${remaining} left over`;
    throw input.corrupt(start, `probabilities of at most ${maxSymbol + 1} symbols`, found);
  }
  bits.align();
  return fseTable(probabilities, accuracyLog);
}

/** Reads a probability, from -1 to `remaining`. Small values may take one bit less. */
function readProbability(bits: ForwardBits, remaining: number): number {
  const width = 31 - Math.clz32(remaining + 1);
  const low = bits.read(width);
  const spared = 2 ** (width + 1) - 1 - (remaining + 1);
  if (low < spared) return low - 1;
  return bits.read(1) === 0 ? low - 1 : low + 2 ** width - spared - 1;
}

/** Reads bits in the order of FSE tables: the lowest bit first. */
class ForwardBits {
  readonly #input: PackedInput;
  #buffer = 0;
  #count = 0;

  constructor(input: PackedInput) {
    this.#input = input;
  }

  read(count: number): number {
    while (this.#count < count) {
      this.#buffer |= this.#input.u8('more of an FSE table') << this.#count;
      this.#count += 8;
    }
    const value = this.#buffer & ((1 << count) - 1);
    this.#buffer >>>= count;
    this.#count -= count;
    return value;
  }

  /** Skips the rest of the last byte that was read. */
  align(): void {
    this.#buffer = 0;
    this.#count = 0;
  }
}

const MAX_CODE_BITS = 11;
const MAX_WEIGHTS_LOG = 6;
const MAX_SYMBOLS = 256;
/** A header byte from this value on means that weights are stored with four bits each. */
const DIRECT_WEIGHTS = 128;

/** Index of `symbols` and `bits`: the next `codeBits` bits. Values: symbol and code length. */
export type HuffmanTable = {
  readonly codeBits: number;
  readonly symbols: Uint8Array;
  readonly bits: Uint8Array;
};

/** Reads the weights of the symbols (section 4.2.1). The weight of the last symbol is computed. */
export function readHuffmanTable(input: PackedInput): HuffmanTable {
  const start = input.byteOffset;
  const header = input.u8('a Huffman table');
  const weights =
    header < DIRECT_WEIGHTS
      ? readPackedWeights(input.part(header, 'Huffman weights'))
      : readDirectWeights(input, header - DIRECT_WEIGHTS + 1);
  const total = weights.reduce((sum, weight) => sum + (weight > 0 ? 2 ** (weight - 1) : 0), 0);
  const codeBits = 32 - Math.clz32(total);
  const left = 2 ** codeBits - total;
  if (total === 0 || codeBits > MAX_CODE_BITS || (left & (left - 1)) !== 0) {
    throw input.corrupt(
      start,
      'Huffman weights that make a code',
      `weights that sum up to ${total}`,
    );
  }
  weights.push(32 - Math.clz32(left));
  return tableOf(weights, codeBits);
}

/** Builds the table. Long codes come first; codes of equal length are in the order of symbols. */
function tableOf(weights: readonly number[], codeBits: number): HuffmanTable {
  const symbols = new Uint8Array(1 << codeBits);
  const bits = new Uint8Array(1 << codeBits);
  let at = 0;
  for (let weight = 1; weight <= codeBits; weight++) {
    weights.forEach((symbolWeight, symbol) => {
      if (symbolWeight !== weight) return;
      const end = at + (1 << (weight - 1));
      symbols.fill(symbol, at, end);
      bits.fill(codeBits + 1 - weight, at, end);
      at = end;
    });
  }
  return { codeBits, symbols, bits };
}

function readDirectWeights(input: PackedInput, count: number): number[] {
  const packed = input.take((count + 1) >> 1, 'Huffman weights');
  const weights = Array.from(packed).flatMap((byte) => [byte >> 4, byte & 15]);
  return weights.slice(0, count);
}

/** Reads weights with two alternating FSE states, up to the end of the bits (section 4.2.1.2). */
function readPackedWeights(input: PackedInput): number[] {
  const start = input.byteOffset;
  const table = readFseTable(input, MAX_WEIGHTS_LOG, MAX_CODE_BITS);
  const stream = new BackwardBits(input);
  const states = [stream.read(table.accuracyLog), stream.read(table.accuracyLog)];
  const stateAt = (turn: number) => table.states[states[turn] ?? 0] ?? 0;
  const weights: number[] = [];
  for (let turn = 0; ; turn ^= 1) {
    const state = stateAt(turn);
    weights.push(state & 0xff);
    if (weights.length >= MAX_SYMBOLS) {
      throw input.corrupt(start, `at most ${MAX_SYMBOLS - 1} Huffman weights`, 'more');
    }
    states[turn] = (state >>> 16) + stream.read(stateBits(state));
    if (stream.left < 0) {
      weights.push(stateAt(turn ^ 1) & 0xff);
      return weights;
    }
  }
}

/** Fills `literals` from a stream with as many symbols (section 4.2.2). */
export function decodeHuffman(
  stream: PackedInput,
  table: HuffmanTable,
  literals: Uint8Array,
): void {
  const bits = new BackwardBits(stream);
  const { codeBits, symbols, bits: lengths } = table;
  const { words } = bits;
  let i = 0;
  let left = bits.left;
  // Fast loop: the stream has at least as many bits as the longest code.
  for (; i < literals.length && left >= codeBits; i++) {
    const start = left - codeBits;
    const next = bitsAt(words, start, codeBits);
    literals[i] = symbols[next] ?? 0;
    left -= lengths[next] ?? 0;
  }
  bits.left = left;
  for (; i < literals.length; i++) {
    const next = bits.peek(codeBits);
    literals[i] = symbols[next] ?? 0;
    bits.left -= lengths[next] ?? 0;
  }
  if (bits.left !== 0) {
    throw stream.corrupt(0, `${literals.length} literals`, `${bits.left} bits left over`);
  }
}

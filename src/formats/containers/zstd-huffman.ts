/** The Huffman coding of literals in zstd (RFC 8878, section 4.2). */
import type { PackedInput } from './packed-input.ts';
import { BackwardBits, readFseTable } from './zstd-entropy.ts';

const MAX_CODE_BITS = 11;
const MAX_WEIGHTS_LOG = 6;
const MAX_SYMBOLS = 256;
/** Header bytes from here on stand for weights of four bits each. */
const DIRECT_WEIGHTS = 128;

/** `symbols` and `bits` (its length) of the code that the next `codeBits` bits begin with. */
export type HuffmanTable = {
  readonly codeBits: number;
  readonly symbols: Uint8Array;
  readonly bits: Uint8Array;
};

/** Section 4.2.1: the weights of all symbols but the last, whose weight follows. */
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

/** The longest codes come first, and among equals the lowest symbol. */
function tableOf(weights: readonly number[], codeBits: number): HuffmanTable {
  const symbols = new Uint8Array(1 << codeBits);
  const bits = new Uint8Array(1 << codeBits);
  let at = 0;
  for (let weight = 1; weight <= codeBits; weight++) {
    weights.forEach((own, symbol) => {
      if (own !== weight) return;
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

/** Section 4.2.1.2: two FSE states that take turns, until the bits run out. */
function readPackedWeights(input: PackedInput): number[] {
  const start = input.byteOffset;
  const table = readFseTable(input, MAX_WEIGHTS_LOG, MAX_CODE_BITS);
  const stream = new BackwardBits(input);
  const states = [stream.read(table.accuracyLog), stream.read(table.accuracyLog)];
  const weights: number[] = [];
  for (let turn = 0; ; turn ^= 1) {
    const state = states[turn] ?? 0;
    weights.push(table.symbols[state] ?? 0);
    if (weights.length >= MAX_SYMBOLS) {
      throw input.corrupt(start, `at most ${MAX_SYMBOLS - 1} Huffman weights`, 'more');
    }
    states[turn] = (table.bases[state] ?? 0) + stream.read(table.bits[state] ?? 0);
    if (stream.left < 0) {
      weights.push(table.symbols[states[turn ^ 1] ?? 0] ?? 0);
      return weights;
    }
  }
}

/** Section 4.2.2: fills `literals` from a stream that must hold just as many. */
export function decodeHuffman(
  stream: PackedInput,
  table: HuffmanTable,
  literals: Uint8Array,
): void {
  const bits = new BackwardBits(stream);
  for (let i = 0; i < literals.length; i++) {
    const next = bits.peek(table.codeBits);
    literals[i] = table.symbols[next] ?? 0;
    bits.left -= table.bits[next] ?? 0;
  }
  if (bits.left !== 0) {
    throw stream.corrupt(0, `${literals.length} literals`, `${bits.left} bits left over`);
  }
}

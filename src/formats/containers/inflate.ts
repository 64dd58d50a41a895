/**
 * Unpacks DEFLATE (RFC 1951). Own code, because fflate and DecompressionStream do not report the
 * end of a stream, fflate's Gunzip accepts invalid streams, and the licence of pako is not accepted
 * here.
 */
import type { Malformed } from '#bytes/issue.ts';
import type { Steps } from '#bytes/long-work.ts';
import { basesOf, type PackedInput } from './packed-input.ts';
import { STEP_BYTES } from './steps.ts';
import type { UnpackedOutput } from './unpacked-output.ts';

const WINDOW_LENGTH = 32768;
const END_OF_BLOCK = 256;
const MAX_CODE_BITS = 15;

// Extra bits of the length codes 257 to 285, then of distance codes 0 to 29 (section 3.2.5).
const LENGTH_EXTRA_BITS = Uint8Array.from([
  0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0,
]);
const LENGTH_BASE = basesOf(LENGTH_EXTRA_BITS, 3);
LENGTH_BASE[28] = 258;
const DISTANCE_EXTRA_BITS = Uint8Array.from({ length: 30 }, (_, code) =>
  Math.max(0, (code >> 1) - 1),
);
const DISTANCE_BASE = basesOf(DISTANCE_EXTRA_BITS, 1);

/** Order in which the lengths of the code length codes are stored (section 3.2.7). */
const CODE_LENGTH_ORDER = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15];

/** Index of `entries`: the next `bits` bits. Value: symbol * 16 + code length; 0 if unused. */
type HuffmanTable = { readonly entries: Uint16Array; readonly bits: number };
type Codes = { readonly literals: HuffmanTable; readonly distances: HuffmanTable };

/** Reads bits, the lowest first. Returns zeros past the end; then `check` throws. */
class BitReader {
  readonly #input: PackedInput;
  #buffer = 0;
  #count = 0;

  constructor(input: PackedInput) {
    this.#input = input;
  }

  /** Offset in the input of the byte that contains the next bit. */
  get byteOffset(): number {
    return this.#input.byteOffset - (this.#count >> 3);
  }

  /** Throws if bits past the end of the input were read. */
  check(what: string): void {
    if (this.byteOffset > this.#input.bytes.length) throw this.#input.truncated(what);
  }

  /** Returns the error for damage at `start`, or for truncation if bits past the end were read. */
  damage(expected: string, found: string, start = this.byteOffset): Malformed {
    const input = this.#input;
    if (this.byteOffset > input.bytes.length) return input.truncated(expected);
    return input.corrupt(start, expected, found);
  }

  /** Reads the next `count` bits (16 or fewer). */
  bits(count: number): number {
    this.#fill();
    const value = this.#buffer & ((1 << count) - 1);
    this.#drop(count);
    return value;
  }

  /** Reads the next symbol of `table`. Returns -1 for an unused code. */
  symbol(table: HuffmanTable): number {
    this.#fill();
    const entry = table.entries[this.#buffer & ((1 << table.bits) - 1)] ?? 0;
    if (entry === 0) return -1;
    this.#drop(entry & 15);
    return entry >> 4;
  }

  /** Skips the rest of a byte of which a part was read. */
  align(): void {
    this.#input.byteOffset = this.byteOffset;
    this.#buffer = 0;
    this.#count = 0;
  }

  #fill(): void {
    const input = this.#input;
    while (this.#count < 16) {
      const at = input.byteOffset++;
      if (at < input.bytes.length) this.#buffer |= (input.bytes[at] ?? 0) << this.#count;
      this.#count += 8;
    }
  }

  #drop(count: number): void {
    this.#buffer >>>= count;
    this.#count -= count;
  }
}

/** Returns the table of canonical codes (section 3.2.2); null if `lengths` are invalid. */
function huffmanTable(lengths: Uint8Array): HuffmanTable | null {
  const counts = new Uint16Array(MAX_CODE_BITS + 1);
  for (const length of lengths) counts[length] = (counts[length] ?? 0) + 1;
  counts[0] = 0;
  const bits = Math.max(
    1,
    counts.findLastIndex((count) => count > 0),
  );
  const next = new Uint16Array(MAX_CODE_BITS + 2);
  let left = 1;
  for (let length = 1; length <= bits; length++) {
    const count = counts[length] ?? 0;
    left = left * 2 - count;
    if (left < 0) return null;
    next[length + 1] = ((next[length] ?? 0) + count) << 1;
  }
  if (left > 0 && bits > 1) return null;
  const entries = new Uint16Array(1 << bits);
  lengths.forEach((length, symbol) => {
    if (length === 0) return;
    const code = next[length] ?? 0;
    next[length] = code + 1;
    // The input has the first bit of a code as its lowest bit.
    let reversed = 0;
    for (let bit = 0; bit < length; bit++) reversed |= ((code >> bit) & 1) << (length - 1 - bit);
    const entry = symbol * 16 + length;
    for (let at = reversed; at < entries.length; at += 1 << length) entries[at] = entry;
  });
  return { entries, bits };
}

/** Codes of blocks with fixed Huffman codes (section 3.2.6). */
const FIXED_CODES: Codes = {
  literals: requireTable(new Uint8Array(288).fill(8).fill(9, 144, 256).fill(7, END_OF_BLOCK, 280)),
  distances: requireTable(new Uint8Array(32).fill(5)),
};

function requireTable(lengths: Uint8Array): HuffmanTable {
  const table = huffmanTable(lengths);
  if (table === null) throw new Error('the fixed codes have no gaps');
  return table;
}

/** Reads the codes of a block with dynamic Huffman codes (section 3.2.7). */
function readDynamicCodes(reader: BitReader): Codes {
  const start = reader.byteOffset;
  const literalCount = reader.bits(5) + 257;
  const distanceCount = reader.bits(5) + 1;
  const codeLengthCount = reader.bits(4) + 4;
  if (literalCount > 286 || distanceCount > 30) {
    const found = `${literalCount} and ${distanceCount}`;
    throw reader.damage('at most 286 length codes and 30 distance codes', found, start);
  }
  const codeLengths = new Uint8Array(19);
  for (const symbol of CODE_LENGTH_ORDER.slice(0, codeLengthCount)) {
    codeLengths[symbol] = reader.bits(3);
  }
  const table = huffmanTable(codeLengths);
  if (table === null) throw reader.damage('a usable code length code', 'one with gaps', start);
  const lengths = new Uint8Array(literalCount + distanceCount);
  for (let at = 0; at < lengths.length; ) {
    const symbol = reader.symbol(table);
    reader.check('the code lengths of a block');
    if (symbol < 0) throw reader.damage('a code length', 'an unused code');
    let length = symbol;
    let times = 1;
    if (symbol === 16) {
      if (at === 0) throw reader.damage('a length to repeat', 'none before it', start);
      length = lengths[at - 1] ?? 0;
      times = 3 + reader.bits(2);
    } else if (symbol > 16) {
      length = 0;
      times = symbol === 17 ? 3 + reader.bits(3) : 11 + reader.bits(7);
    }
    if (at + times > lengths.length) {
      throw reader.damage(`${lengths.length} code lengths`, `${at + times}`, start);
    }
    lengths.fill(length, at, at + times);
    at += times;
  }
  const literals = huffmanTable(lengths.subarray(0, literalCount));
  const distances = huffmanTable(lengths.subarray(literalCount));
  if (literals === null || distances === null || lengths[END_OF_BLOCK] === 0) {
    throw reader.damage('usable Huffman codes', 'codes with gaps or without an end', start);
  }
  return { literals, distances };
}

/** Decodes symbols. Returns true at the end of the block, false after `STEP_BYTES` of output. */
function decodeSymbols(
  reader: BitReader,
  codes: Codes,
  output: UnpackedOutput,
  windowStart: number,
): boolean {
  let out = output.bytes;
  let at = output.length;
  const stepEnd = at + STEP_BYTES;
  try {
    while (at < stepEnd) {
      const symbol = reader.symbol(codes.literals);
      reader.check('more of a block');
      if (symbol < END_OF_BLOCK) {
        if (symbol < 0) throw reader.damage('a symbol', 'an unused code');
        if (at === out.length) out = output.reserve(at, 1);
        out[at++] = symbol;
        continue;
      }
      if (symbol === END_OF_BLOCK) return true;
      const extra = LENGTH_EXTRA_BITS[symbol - 257];
      if (extra === undefined) {
        throw reader.damage('a length code up to 285', `${symbol}`);
      }
      const length = (LENGTH_BASE[symbol - 257] ?? 0) + reader.bits(extra);
      const code = reader.symbol(codes.distances);
      const distanceExtra = DISTANCE_EXTRA_BITS[code];
      if (distanceExtra === undefined) {
        throw reader.damage('a distance code up to 29', `${code}`);
      }
      const distance = (DISTANCE_BASE[code] ?? 0) + reader.bits(distanceExtra);
      reader.check('more of a block');
      if (distance > Math.min(at - windowStart, WINDOW_LENGTH)) {
        const found = `${distance} bytes back at ${at - windowStart}`;
        throw reader.damage('a distance inside the data so far', found);
      }
      if (at + length > out.length) out = output.reserve(at, length);
      for (const end = at + length; at < end; at++) out[at] = out[at - distance] ?? 0;
    }
    return false;
  } finally {
    output.length = at;
  }
}

/** Copies a block that is stored without compression (section 3.2.4). */
function copyStored(input: PackedInput, reader: BitReader, output: UnpackedOutput): void {
  reader.align();
  reader.check('the length of a stored block');
  const start = input.byteOffset;
  const length = input.u16le('the length of a stored block');
  const complement = input.u16le('the length of a stored block');
  if ((length ^ complement) !== 0xffff) {
    throw reader.damage('a length and its complement', `${length} and ${complement}`, start);
  }
  const present = Math.min(length, input.remaining);
  output.append(input.take(present, 'a stored block'));
  if (present < length) throw input.truncated('the rest of a stored block');
}

/** Unpacks one DEFLATE stream. Afterwards `input` is at the byte after it. */
export function* inflate(input: PackedInput, output: UnpackedOutput): Steps {
  const windowStart = output.length;
  const reader = new BitReader(input);
  for (let last = false; !last; ) {
    last = reader.bits(1) === 1;
    const blockType = reader.bits(2);
    reader.check('the header of a block');
    if (blockType === 3) {
      throw reader.damage('a block type from 0 to 2', '3');
    }
    if (blockType === 0) {
      copyStored(input, reader, output);
    } else {
      const codes = blockType === 1 ? FIXED_CODES : readDynamicCodes(reader);
      while (!decodeSymbols(reader, codes, output, windowStart)) yield;
    }
    yield;
  }
  reader.align();
}

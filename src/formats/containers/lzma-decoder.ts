/**
 * The LZMA algorithm, for .lzma files and for the LZMA2 chunks of .xz files.
 *
 * Source: the LZMA specification (lzma-specification.txt, 2015) of the LZMA SDK.
 * The names of states and probabilities are its own, and so is the bit model.
 */
import type { PackedInput } from './packed-input.ts';
import type { UnpackedOutput } from './unpacked-output.ts';

const MODEL_BITS = 11;
const MOVE_BITS = 5;
const PROBABILITY_HALF = 1 << (MODEL_BITS - 1);
const TOP_BYTE = 0xff << 24;

const MIN_MATCH = 2;
const LITERAL_STATES = 7;
/** posSlot from which on the low four bits have a model of their own. */
const ALIGN_SLOT = 14;
const END_MARKER = 0xffffffff;

// Where each group of probabilities begins in the one array.
const IS_MATCH = 0; // [state << 4 | posState]
const IS_REP = IS_MATCH + (12 << 4); // [state]
const IS_REP_G0 = IS_REP + 12;
const IS_REP_G1 = IS_REP_G0 + 12;
const IS_REP_G2 = IS_REP_G1 + 12;
const IS_REP0_LONG = IS_REP_G2 + 12; // [state << 4 | posState]
const POS_SLOT = IS_REP0_LONG + (12 << 4); // [lenState << 6 | tree]
const POS_SPECIAL = POS_SLOT + (4 << 6);
const POS_ALIGN = POS_SPECIAL + 115;
const MATCH_LENGTH = POS_ALIGN + 16;
const REP_LENGTH = MATCH_LENGTH + 514;
const LITERAL = REP_LENGTH + 514;
const LITERAL_CODER = 0x300;

// Inside a group of length probabilities.
const LENGTH_CHOICE = 0;
const LENGTH_CHOICE2 = 1;
const LENGTH_LOW = 2; // [posState << 3 | tree]
const LENGTH_MID = LENGTH_LOW + 128;
const LENGTH_HIGH = LENGTH_MID + 128;

// Places in the range coder's state. Both values are unsigned, held as signed integers.
const RANGE = 0;
const CODE = 1;

/** Literal context bits, literal position bits, position bits. */
export type LzmaProperties = { readonly lc: number; readonly lp: number; readonly pb: number };

/** The properties in a byte, `(pb * 5 + lp) * 9 + lc`, or null when it is none. */
export function lzmaProperties(byte: number): LzmaProperties | null {
  if (byte >= 9 * 5 * 5) return null;
  return { lc: byte % 9, lp: Math.floor(byte / 9) % 5, pb: Math.floor(byte / 45) };
}

export class LzmaDecoder {
  readonly #input: PackedInput;
  readonly #output: UnpackedOutput;
  #probabilities = new Uint16Array(0);
  #lc = 0;
  #lpMask = 0;
  #pbMask = 0;
  #state = 0;
  #rep0 = 0;
  #rep1 = 0;
  #rep2 = 0;
  #rep3 = 0;
  /** Output length at which the dictionary was last emptied. */
  #dictionaryStart: number;
  /** The range coder's range and code: in an array, since a field that holds 32 bits is slow. */
  readonly #coder = new Int32Array(2);
  #inputEnd = 0;

  constructor(input: PackedInput, output: UnpackedOutput) {
    this.#input = input;
    this.#output = output;
    this.#dictionaryStart = output.length;
  }

  resetDictionary(): void {
    this.#dictionaryStart = this.#output.length;
  }

  setProperties({ lc, lp, pb }: LzmaProperties): void {
    this.#lc = lc;
    this.#lpMask = (1 << lp) - 1;
    this.#pbMask = (1 << pb) - 1;
    this.#probabilities = new Uint16Array(LITERAL + (LITERAL_CODER << (lc + lp)));
    this.resetState();
  }

  resetState(): void {
    this.#probabilities.fill(PROBABILITY_HALF);
    this.#state = 0;
    this.#rep0 = this.#rep1 = this.#rep2 = this.#rep3 = 0;
  }

  /** Opens the range coder on the input up to `inputEnd` (an offset in it, at most its length). */
  start(inputEnd: number): void {
    this.#inputEnd = inputEnd;
    const start = this.#input.byteOffset;
    const first = this.#nextByte();
    let code = 0;
    for (let i = 0; i < 4; i++) code = (code << 8) | this.#nextByte();
    this.#coder[RANGE] = -1;
    this.#coder[CODE] = code;
    if (first !== 0)
      throw this.#input.corrupt(start, 'range coded data to begin with 0', `${first}`);
  }

  /** Whether the range coder stands as an encoder leaves it at the end. */
  get finished(): boolean {
    return this.#coder[CODE] === 0;
  }

  /**
   * Decodes until the output is at least `stepEnd` long; true when the end
   * marker was met. The output is never longer than `hardEnd`: a match that
   * would go on is damage. Throws `Malformed`.
   */
  decode(stepEnd: number, hardEnd: number): boolean {
    const output = this.#output;
    const probabilities = this.#probabilities;
    let out = output.bytes;
    let at = output.length;
    try {
      while (at < stepEnd) {
        const position = at - this.#dictionaryStart;
        const posState = position & this.#pbMask;
        if (this.#bit(probabilities, IS_MATCH + (this.#state << 4) + posState) === 0) {
          if (at >= hardEnd) throw this.#corrupt(`data of ${hardEnd} bytes`, 'one more');
          if (at === out.length) out = output.reserve(at, 1);
          out[at] = this.#literal(probabilities, out, at, position);
          at++;
          continue;
        }
        const length = this.#match(probabilities, posState);
        if (this.#rep0 === END_MARKER) return true;
        if (this.#rep0 >= position) {
          const found = `${this.#rep0 + 1} bytes back at ${position}`;
          throw this.#corrupt('a distance inside the data so far', found);
        }
        if (at + length > hardEnd) {
          throw this.#corrupt(`data of ${hardEnd} bytes`, `a match up to ${at + length}`);
        }
        if (at + length > out.length) out = output.reserve(at, length);
        const distance = this.#rep0 + 1;
        for (const end = at + length; at < end; at++) out[at] = out[at - distance] ?? 0;
      }
      return false;
    } finally {
      output.length = at;
    }
  }

  #corrupt(expected: string, found: string) {
    return this.#input.corrupt(this.#input.byteOffset, expected, found);
  }

  #literal(probabilities: Uint16Array, out: Uint8Array, at: number, position: number): number {
    const previous = position === 0 ? 0 : (out[at - 1] ?? 0);
    const context = ((position & this.#lpMask) << this.#lc) + (previous >> (8 - this.#lc));
    const base = LITERAL + LITERAL_CODER * context;
    let symbol = 1;
    if (this.#state >= LITERAL_STATES) {
      // After a match the literal differs from the byte that would have gone on.
      let matchByte = out[at - this.#rep0 - 1] ?? 0;
      while (symbol < 0x100) {
        const matchBit = (matchByte >> 7) & 1;
        matchByte <<= 1;
        const bit = this.#bit(probabilities, base + ((1 + matchBit) << 8) + symbol);
        symbol = (symbol << 1) | bit;
        if (bit !== matchBit) break;
      }
    }
    symbol = this.#descend(probabilities, base, symbol, 0x100);
    this.#state -= this.#state < 4 ? this.#state : this.#state < 10 ? 3 : 6;
    return symbol & 0xff;
  }

  /** Reads a match; its distance is in rep0 afterwards, its length is returned (0 with the end marker). */
  #match(probabilities: Uint16Array, posState: number): number {
    const state = this.#state;
    const afterLiteral = state < LITERAL_STATES;
    if (this.#bit(probabilities, IS_REP + state) === 0) {
      this.#rep3 = this.#rep2;
      this.#rep2 = this.#rep1;
      this.#rep1 = this.#rep0;
      const length = this.#length(probabilities, MATCH_LENGTH, posState);
      this.#rep0 = this.#distance(probabilities, length);
      this.#state = afterLiteral ? 7 : 10;
      return this.#rep0 === END_MARKER ? 0 : length + MIN_MATCH;
    }
    if (this.#bit(probabilities, IS_REP_G0 + state) === 0) {
      if (this.#bit(probabilities, IS_REP0_LONG + (state << 4) + posState) === 0) {
        this.#state = afterLiteral ? 9 : 11;
        return 1;
      }
    } else {
      let distance = this.#rep1;
      if (this.#bit(probabilities, IS_REP_G1 + state) === 1) {
        distance = this.#rep2;
        if (this.#bit(probabilities, IS_REP_G2 + state) === 1) {
          distance = this.#rep3;
          this.#rep3 = this.#rep2;
        }
        this.#rep2 = this.#rep1;
      }
      this.#rep1 = this.#rep0;
      this.#rep0 = distance;
    }
    this.#state = afterLiteral ? 8 : 11;
    return this.#length(probabilities, REP_LENGTH, posState) + MIN_MATCH;
  }

  #length(probabilities: Uint16Array, base: number, posState: number): number {
    if (this.#bit(probabilities, base + LENGTH_CHOICE) === 0) {
      return this.#tree(probabilities, base + LENGTH_LOW + (posState << 3), 3);
    }
    if (this.#bit(probabilities, base + LENGTH_CHOICE2) === 0) {
      return 8 + this.#tree(probabilities, base + LENGTH_MID + (posState << 3), 3);
    }
    return 16 + this.#tree(probabilities, base + LENGTH_HIGH, 8);
  }

  /** The distance less one, for a match of `length` (less the shortest). */
  #distance(probabilities: Uint16Array, length: number): number {
    const slot = this.#tree(probabilities, POS_SLOT + (Math.min(length, 3) << 6), 6);
    if (slot < 4) return slot;
    const directBits = (slot >> 1) - 1;
    const base = (2 | (slot & 1)) * 2 ** directBits;
    if (slot < ALIGN_SLOT) {
      return base + this.#reverseTree(probabilities, POS_SPECIAL + base - slot, directBits);
    }
    const high = this.#directBits(directBits - 4);
    return base + high * 16 + this.#reverseTree(probabilities, POS_ALIGN, 4);
  }

  #tree(probabilities: Uint16Array, base: number, bits: number): number {
    return this.#descend(probabilities, base, 1, 1 << bits) - (1 << bits);
  }

  /**
   * Goes down a tree of bits from `from` until the node is no less than `end`, which is a power of
   * two. All modelled bits are read here, with the range coder's state in variables between them.
   */
  #descend(probabilities: Uint16Array, base: number, from: number, end: number): number {
    const coder = this.#coder;
    let range = coder[RANGE] ?? 0;
    let code = coder[CODE] ?? 0;
    let node = from;
    while (node < end) {
      const index = base + node;
      const probability = probabilities[index] ?? 0;
      const bound = Math.imul(range >>> MODEL_BITS, probability);
      if (code >>> 0 < bound >>> 0) {
        range = bound;
        probabilities[index] = probability + (((1 << MODEL_BITS) - probability) >> MOVE_BITS);
        node <<= 1;
      } else {
        range = (range - bound) | 0;
        code = (code - bound) | 0;
        probabilities[index] = probability - (probability >> MOVE_BITS);
        node = (node << 1) | 1;
      }
      if ((range & TOP_BYTE) === 0) {
        range <<= 8;
        code = (code << 8) | this.#nextByte();
      }
    }
    coder[RANGE] = range;
    coder[CODE] = code;
    return node;
  }

  /** As `#tree`, of a number whose lowest bit is read first: at most five bits. */
  #reverseTree(probabilities: Uint16Array, base: number, bits: number): number {
    const node = this.#descend(probabilities, base, 1, 1 << bits);
    let symbol = 0;
    for (let i = 0; i < bits; i++) symbol |= ((node >> i) & 1) << (bits - 1 - i);
    return symbol;
  }

  #directBits(count: number): number {
    const coder = this.#coder;
    let range = coder[RANGE] ?? 0;
    let code = coder[CODE] ?? 0;
    let value = 0;
    for (let i = 0; i < count; i++) {
      range >>>= 1;
      const isOne = code >>> 0 >= range;
      if (isOne) code = (code - range) | 0;
      value = (value << 1) | (isOne ? 1 : 0);
      if ((range & TOP_BYTE) === 0) {
        range <<= 8;
        code = (code << 8) | this.#nextByte();
      }
    }
    coder[RANGE] = range;
    coder[CODE] = code;
    return value >>> 0;
  }

  /** One bit: a tree of a single node. */
  #bit(probabilities: Uint16Array, index: number): number {
    return this.#descend(probabilities, index - 1, 1, 2) & 1;
  }

  #nextByte(): number {
    const input = this.#input;
    if (input.byteOffset >= this.#inputEnd) {
      if (this.#inputEnd >= input.bytes.length) throw input.truncated('more range coded data');
      throw this.#corrupt('the data to fit its chunk', 'more symbols than the chunk holds');
    }
    return input.bytes[input.byteOffset++] ?? 0;
  }
}

/** Decodes LZMA. Source and names: lzma-specification.txt (2015) of the LZMA SDK. */
import type { PackedInput } from './packed-input.ts';
import type { UnpackedOutput } from './unpacked-output.ts';

const MODEL_BITS = 11;
const MOVE_BITS = 5;
const PROBABILITY_HALF = 1 << (MODEL_BITS - 1);
/** How a bit 0 changes a probability p: p - ((p + MOVE_UP) >> 5) = p + ((2048 - p) >> 5). */
const MOVE_UP = (1 << MOVE_BITS) - 1 - (1 << MODEL_BITS);
const TOP_BYTE = 0xff << 24;

const MIN_MATCH = 2;
const LITERAL_STATES = 7;
/** First posSlot for which a separate model codes the lowest four bits of the distance. */
const ALIGN_SLOT = 14;
/** Value of `rep0` (as a signed number) that marks the end of the stream. */
const END_MARKER = -1;

// Start indexes of the groups in the array of probabilities. The nodes of a tree count from 1.
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

// Offsets of the parts of a group of length probabilities.
const LENGTH_CHOICE2 = 1; // LENGTH_CHOICE is 0.
const LENGTH_LOW = 2; // [posState << 3 | tree]
const LENGTH_MID = LENGTH_LOW + 128;
const LENGTH_HIGH = LENGTH_MID + 128;

// Indexes of the range coder's two numbers. Both are unsigned, but stored as signed integers.
const RANGE = 0;
const CODE = 1;

/** What is decoded, named as in the specification. ReversedBits: the low bits of a distance. */
type Reading =
  | 'IsMatch'
  | 'Literal'
  | 'MatchedLiteral'
  | 'IsRep'
  | 'IsRepG0'
  | 'IsRep0Long'
  | 'IsRepG1'
  | 'IsRepG2'
  | 'LenChoice'
  | 'LenChoice2'
  | 'Len'
  | 'PosSlot'
  | 'ReversedBits';

/** Index: a node of a tree of up to five bits. Value: the bits on the path, first bit lowest. */
const REVERSED = Uint8Array.from({ length: 64 }, (_, node) => {
  let value = 0;
  for (let left = node; left > 1; left >>= 1) value = (value << 1) | (left & 1);
  return value;
});

/** Numbers of literal context bits, literal position bits and position bits. */
export type LzmaProperties = { readonly lc: number; readonly lp: number; readonly pb: number };

/** Decodes the properties byte, `(pb * 5 + lp) * 9 + lc`. Returns null for an invalid byte. */
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
  /** The four latest distances, minus 1: unsigned numbers, stored as signed integers. */
  readonly #reps = new Int32Array(4);
  /** Length of the output at the last reset of the dictionary. */
  #dictionaryStart: number;
  /** Numbers of the range coder, in an array because a field with a 32-bit number is slow. */
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
    this.#reps.fill(0);
  }

  /** Starts the range coder at the next input byte. `inputEnd` is the offset of the input's end. */
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

  /** True if the range coder has the value that it has at the end of a stream. */
  get finished(): boolean {
    return this.#coder[CODE] === 0;
  }

  /**
   * Decodes until the output has `stepEnd` bytes. Returns true at the end marker. A match that goes
   * past `hardEnd` is damage. Throws `Malformed`.
   *
   * Like XZ Utils' lzma_decoder.c, a state machine reads all bits with a model in one place, so
   * that the state of the range coder stays in registers. A number is read as a path through a tree
   * of bits: from node 1 to a node of at least `end`. A single bit is a tree with one node.
   */
  decode(stepEnd: number, hardEnd: number): boolean {
    const input = this.#input;
    const packed = input.bytes;
    const inputEnd = this.#inputEnd;
    const output = this.#output;
    const probabilities = this.#probabilities;
    const dictionaryStart = this.#dictionaryStart;
    let from = input.byteOffset;
    let out = output.bytes;
    let at = output.length;
    let range = this.#coder[RANGE] ?? 0;
    let code = this.#coder[CODE] ?? 0;
    let state = this.#state;
    let [rep0 = 0, rep1 = 0, rep2 = 0, rep3 = 0] = this.#reps;
    try {
      while (at < stepEnd) {
        const posState = (at - dictionaryStart) & this.#pbMask;
        let reading: Reading = 'IsMatch';
        let base = IS_MATCH + (state << 4) + posState;
        let end = 2;
        let node = 1;
        /** Start of the probabilities of a literal or a length. */
        let group = 0;
        let matchByte = 0;
        /** Length of a match in bytes; 0 for a literal. */
        let length = 0;
        symbol: for (;;) {
          do {
            const index = base + node;
            const probability = probabilities[index] ?? 0;
            const bound = Math.imul(range >>> MODEL_BITS, probability);
            // Uses no branch for the bit: the processor would often predict a branch wrongly.
            const bit = Number(code >>> 0 >= bound >>> 0);
            const ifOne = -bit;
            range = (bound + ((range - bound - bound) & ifOne)) | 0;
            code = (code - (bound & ifOne)) | 0;
            probabilities[index] = probability - ((probability + (MOVE_UP & ~ifOne)) >> MOVE_BITS);
            node = (node << 1) | bit;
            if ((range & TOP_BYTE) === 0) {
              if (from >= inputEnd) throw this.#endOfInput();
              range <<= 8;
              code = (code << 8) | (packed[from++] ?? 0);
            }
          } while (node < end);

          const isZero = (node & 1) === 0;
          end = 2;
          switch (reading) {
            case 'IsMatch':
              if (!isZero) {
                reading = 'IsRep';
                base = IS_REP + state;
                break;
              }
              if (at >= hardEnd) throw input.corrupt(from, `data of ${hardEnd} bytes`, 'one more');
              if (at === out.length) out = output.reserve(at, 1);
              base = group = this.#literalGroup(out, at);
              reading = 'Literal';
              end = 0x100;
              if (state >= LITERAL_STATES) {
                // The next literal differs from this byte, which would continue the match.
                matchByte = out[at - rep0 - 1] ?? 0;
                reading = 'MatchedLiteral';
                base += (1 + (matchByte >> 7)) << 8;
                end = 2;
              }
              break;
            case 'MatchedLiteral':
              if (node >= 0x100) break symbol;
              if (isZero === matchByte < 0x80) {
                matchByte = (matchByte << 1) & 0xff;
                base = group + ((1 + (matchByte >> 7)) << 8);
                end = node << 1;
              } else {
                reading = 'Literal';
                base = group;
                end = 0x100;
              }
              continue;
            case 'Literal':
              break symbol;
            case 'IsRep':
              if (isZero) {
                [rep1, rep2, rep3] = [rep0, rep1, rep2];
                reading = 'LenChoice';
                base = group = MATCH_LENGTH;
              } else {
                reading = 'IsRepG0';
                base = IS_REP_G0 + state;
              }
              break;
            case 'IsRepG0':
              reading = isZero ? 'IsRep0Long' : 'IsRepG1';
              base = isZero ? IS_REP0_LONG + (state << 4) + posState : IS_REP_G1 + state;
              break;
            case 'IsRep0Long':
              if (isZero) {
                length = 1;
                state = state < LITERAL_STATES ? 9 : 11;
                break symbol;
              }
              reading = 'LenChoice';
              base = group = REP_LENGTH;
              break;
            case 'IsRepG1':
              if (isZero) {
                [rep0, rep1] = [rep1, rep0];
                reading = 'LenChoice';
                base = group = REP_LENGTH;
              } else {
                reading = 'IsRepG2';
                base = IS_REP_G2 + state;
              }
              break;
            case 'IsRepG2':
              if (isZero) [rep0, rep1, rep2] = [rep2, rep0, rep1];
              else [rep0, rep1, rep2, rep3] = [rep3, rep0, rep1, rep2];
              reading = 'LenChoice';
              base = group = REP_LENGTH;
              break;
            case 'LenChoice':
              if (isZero) {
                reading = 'Len';
                base = group + LENGTH_LOW + (posState << 3);
                end = 8;
                length = MIN_MATCH - end;
              } else {
                reading = 'LenChoice2';
                base = group + LENGTH_CHOICE2;
              }
              break;
            case 'LenChoice2':
              reading = 'Len';
              base = isZero ? group + LENGTH_MID + (posState << 3) : group + LENGTH_HIGH;
              end = isZero ? 8 : 0x100;
              length = MIN_MATCH + (isZero ? 8 : 16) - end;
              break;
            case 'Len':
              length += node;
              if (group === REP_LENGTH) {
                state = state < LITERAL_STATES ? 8 : 11;
                break symbol;
              }
              state = state < LITERAL_STATES ? 7 : 10;
              reading = 'PosSlot';
              base = POS_SLOT + (Math.min(length - MIN_MATCH, 3) << 6);
              end = 0x40;
              break;
            case 'PosSlot': {
              const slot = node - 0x40;
              rep0 = slot;
              if (slot < 4) break symbol;
              const lowBits = (slot >> 1) - 1;
              rep0 = (2 | (slot & 1)) << lowBits;
              reading = 'ReversedBits';
              if (slot < ALIGN_SLOT) {
                base = POS_SPECIAL + rep0 - slot;
                end = 1 << lowBits;
                break;
              }
              // First the bits without a model, then four bits with a model.
              let direct = 0;
              for (let left = lowBits - 4; left > 0; left--) {
                range >>>= 1;
                code = (code - range) | 0;
                const ifZero = code >> 31;
                code = (code + (range & ifZero)) | 0;
                direct = (direct << 1) + 1 + ifZero;
                if ((range & TOP_BYTE) === 0) {
                  if (from >= inputEnd) throw this.#endOfInput();
                  range <<= 8;
                  code = (code << 8) | (packed[from++] ?? 0);
                }
              }
              rep0 += direct << 4;
              base = POS_ALIGN;
              end = 0x10;
              break;
            }
            case 'ReversedBits':
              rep0 += REVERSED[node] ?? 0;
              if (rep0 === END_MARKER) return true;
              break symbol;
          }
          node = 1;
        }

        if (length === 0) {
          out[at++] = node & 0xff;
          state -= state < 4 ? state : state < 10 ? 3 : 6;
          continue;
        }
        const position = at - dictionaryStart;
        if (rep0 >>> 0 >= position) {
          const found = `${(rep0 >>> 0) + 1} bytes back at ${position}`;
          throw input.corrupt(from, 'a distance inside the data so far', found);
        }
        if (at + length > hardEnd) {
          throw input.corrupt(from, `data of ${hardEnd} bytes`, `a match up to ${at + length}`);
        }
        if (at + length > out.length) out = output.reserve(at, length);
        const distance = rep0 + 1;
        for (const matchEnd = at + length; at < matchEnd; at++) out[at] = out[at - distance] ?? 0;
      }
      return false;
    } finally {
      output.length = at;
      input.byteOffset = from;
      this.#coder[RANGE] = range;
      this.#coder[CODE] = code;
      this.#state = state;
      this.#reps.set([rep0, rep1, rep2, rep3]);
    }
  }

  /** Returns the start of the probabilities of a literal at output offset `at`. */
  #literalGroup(out: Uint8Array, at: number): number {
    const position = at - this.#dictionaryStart;
    const previous = position === 0 ? 0 : (out[at - 1] ?? 0);
    const context = ((position & this.#lpMask) << this.#lc) + (previous >> (8 - this.#lc));
    return LITERAL + LITERAL_CODER * context;
  }

  #nextByte(): number {
    const input = this.#input;
    if (input.byteOffset >= this.#inputEnd) throw this.#endOfInput();
    return input.bytes[input.byteOffset++] ?? 0;
  }

  /** A chunk of LZMA2 may end before the input ends. */
  #endOfInput() {
    if (this.#inputEnd >= this.#input.bytes.length) {
      return this.#input.truncated('more range coded data');
    }
    const found = 'more symbols than the chunk holds';
    return this.#input.corrupt(this.#inputEnd, 'the data to fit its chunk', found);
  }
}

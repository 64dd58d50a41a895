/** Unpacks compressed blocks of zstd (RFC 8878, section 3.1.1.3): literals, then sequences. */
import { basesOf, type PackedInput } from './packed-input.ts';
import type { UnpackedOutput } from './unpacked-output.ts';
import {
  BackwardBits,
  bitsAt,
  decodeHuffman,
  type FseTable,
  fseRun,
  fseTable,
  type HuffmanTable,
  nextState,
  readFseTable,
  readHuffmanTable,
  stateBits,
} from './zstd-entropy.ts';

// Types of literals blocks (section 3.1.1.3.1.1).
const LITERALS_RAW = 0;
const LITERALS_RLE = 1;
const LITERALS_TREELESS = 3;

/** A kind of symbol in sequences: its default code, and the values of its codes. */
type SymbolKind = {
  readonly name: string;
  readonly maxLog: number;
  readonly maxSymbol: number;
  /** Position of the kind's mode in the byte of modes. */
  readonly modeShift: number;
  readonly predefined: FseTable;
};

// Default distributions (section 3.1.1.3.2.2.1).
const LITERAL_LENGTHS: SymbolKind = {
  name: 'literal lengths',
  maxLog: 9,
  maxSymbol: 35,
  modeShift: 6,
  predefined: fseTable(
    [
      4, 3, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 1, 1, 1, 2, 2, 2, 2, 2, 2, 2, 2, 2, 3, 2, 1, 1, 1, 1,
      1, -1, -1, -1, -1,
    ],
    6,
  ),
};
const OFFSETS: SymbolKind = {
  name: 'offsets',
  maxLog: 8,
  maxSymbol: 31,
  modeShift: 4,
  predefined: fseTable(
    [1, 1, 1, 1, 1, 1, 2, 2, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, -1, -1, -1, -1, -1],
    5,
  ),
};
const MATCH_LENGTHS: SymbolKind = {
  name: 'match lengths',
  maxLog: 9,
  maxSymbol: 52,
  modeShift: 2,
  predefined: fseTable(
    [
      1, 4, 3, 2, 2, 2, 2, 2, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
      1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, -1, -1, -1, -1, -1, -1, -1,
    ],
    6,
  ),
};

// Values of the codes (section 3.1.1.3.2.1.1). The ranges of codes follow one another.
const LITERAL_LENGTH_VALUES = codeValues(
  0,
  [
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 3, 3, 4, 6, 7, 8, 9, 10, 11,
    12, 13, 14, 15, 16,
  ],
);
const MATCH_LENGTH_VALUES = codeValues(
  3,
  [
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    1, 1, 1, 1, 2, 2, 3, 3, 4, 4, 5, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16,
  ],
);

/** Returns for each code its lowest value, and from bit 24 on its number of extra bits. */
function codeValues(first: number, extraBits: readonly number[]): Uint32Array {
  const bases = basesOf(Uint8Array.from(extraBits), first);
  return bases.map((base, code) => base | ((extraBits[code] ?? 0) << 24));
}

/** State that the blocks of a frame share: code tables and the last distances. */
export class ZstdBlocks {
  readonly #output: UnpackedOutput;
  readonly #frameStart: number;
  readonly #maxBlockLength: number;
  /** Allocated by the first block that needs it, because a file may have a million empty frames. */
  #literals: Uint8Array | null = null;
  #huffman: HuffmanTable | null = null;
  readonly #tables = new Map<SymbolKind, FseTable>();
  /** The last three distances, the newest first (section 3.1.1.5). */
  readonly #recent = Uint32Array.of(1, 4, 8);

  constructor(output: UnpackedOutput, maxBlockLength: number) {
    this.#output = output;
    this.#frameStart = output.length;
    this.#maxBlockLength = maxBlockLength;
  }

  /** Unpacks the compressed block `block`. Throws `Malformed`. */
  unpack(block: PackedInput): void {
    const literals = this.#readLiterals(block);
    const first = block.u8('the number of sequences');
    let count = first;
    if (first === 255) count = block.u16le('the number of sequences') + 0x7f00;
    else if (first >= 128) count = (first - 128) * 256 + block.u8('the number of sequences');
    if (count === 0) this.#output.append(literals);
    else this.#runSequences(block, literals, count);
    if (block.remaining > 0) {
      throw block.corrupt(block.byteOffset, 'the end of the block', `${block.remaining} bytes`);
    }
  }

  /** Reads the literals (section 3.1.1.3.1). The next block overwrites the returned view. */
  #readLiterals(block: PackedInput): Uint8Array {
    const header = block.peek() ?? 0;
    const literalsType = header & 3;
    const sizeFormat = (header >> 2) & 3;
    if (literalsType > LITERALS_RLE) return this.#readHuffmanLiterals(block, sizeFormat);
    const headerLength = [1, 2, 1, 3][sizeFormat] ?? 1;
    const sizeShift = headerLength === 1 ? 3 : 4;
    const size = block.little(headerLength, 'a literals header') >> sizeShift;
    const literals = this.#literalsBuffer(block, size);
    if (literalsType === LITERALS_RAW) literals.set(block.take(size, 'literals'));
    else literals.fill(block.u8('a literal'));
    return literals;
  }

  #readHuffmanLiterals(block: PackedInput, sizeFormat: number): Uint8Array {
    const headerLength = [3, 3, 4, 5][sizeFormat] ?? 3;
    const sizeBits = [10, 10, 14, 18][sizeFormat] ?? 10;
    const header = block.little(headerLength, 'a literals header');
    const size = Math.floor(header / 16) % 2 ** sizeBits;
    const packedSize = Math.floor(header / 2 ** (4 + sizeBits));
    const literals = this.#literalsBuffer(block, size);
    const packed = block.part(packedSize, 'literals');
    if ((header & 3) !== LITERALS_TREELESS) this.#huffman = readHuffmanTable(packed);
    const table = this.#huffman;
    if (table === null) throw block.corrupt(0, 'a Huffman table', 'none before it');
    if (sizeFormat === 0) {
      decodeHuffman(packed.part(packed.remaining, 'literals'), table, literals);
      return literals;
    }
    const sizes = [0, 0, 0].map(() => packed.u16le('the sizes of the streams'));
    const share = (size + 3) >> 2;
    if (size < share * 3) throw block.corrupt(0, 'literals for four streams', `${size}`);
    sizes.forEach((length, i) => {
      const target = literals.subarray(share * i, share * (i + 1));
      decodeHuffman(packed.part(length, 'a stream of literals'), table, target);
    });
    const last = packed.part(packed.remaining, 'a stream of literals');
    decodeHuffman(last, table, literals.subarray(share * 3));
    return literals;
  }

  #literalsBuffer(block: PackedInput, size: number): Uint8Array {
    if (size > this.#maxBlockLength) {
      throw block.corrupt(0, `at most ${this.#maxBlockLength} literals`, `${size}`);
    }
    this.#literals ??= new Uint8Array(this.#maxBlockLength);
    return this.#literals.subarray(0, size);
  }

  /** Returns the code table of a kind of symbol (section 3.1.1.3.2.1). */
  #readTable(block: PackedInput, modes: number, kind: SymbolKind): FseTable {
    const start = block.byteOffset;
    let table: FseTable | undefined;
    switch ((modes >> kind.modeShift) & 3) {
      case 0:
        table = kind.predefined;
        break;
      case 1: {
        const symbol = block.u8(`the code of all ${kind.name}`);
        if (symbol > kind.maxSymbol) {
          throw block.corrupt(start, `a code up to ${kind.maxSymbol}`, `${symbol}`);
        }
        table = fseRun(symbol);
        break;
      }
      case 2:
        table = readFseTable(block, kind.maxLog, kind.maxSymbol);
        break;
      default:
        table = this.#tables.get(kind);
        if (table === undefined) {
          throw block.corrupt(start, `a table of ${kind.name}`, 'none before it');
        }
    }
    this.#tables.set(kind, table);
    return table;
  }

  /** Executes the sequences (sections 3.1.1.3.2.1.2 and 3.1.1.4). */
  #runSequences(block: PackedInput, literals: Uint8Array, count: number): void {
    const modesStart = block.byteOffset;
    const modes = block.u8('the modes of the tables');
    if (modes & 3) throw block.corrupt(modesStart, 'reserved bits of 0', `${modes & 3}`);
    const literalLengths = this.#readTable(block, modes, LITERAL_LENGTHS);
    const offsets = this.#readTable(block, modes, OFFSETS);
    const matchLengths = this.#readTable(block, modes, MATCH_LENGTHS);
    const bits = new BackwardBits(block);
    const { words } = bits;
    const literalStates = literalLengths.states;
    const offsetStates = offsets.states;
    const matchStates = matchLengths.states;
    let literalState = literalStates[bits.read(literalLengths.accuracyLog)] ?? 0;
    let offsetState = offsetStates[bits.read(offsets.accuracyLog)] ?? 0;
    let matchState = matchStates[bits.read(matchLengths.accuracyLog)] ?? 0;
    let left = bits.left;

    const literalValues = LITERAL_LENGTH_VALUES;
    const matchValues = MATCH_LENGTH_VALUES;
    const frameStart = this.#frameStart;
    const output = this.#output;
    const blockEnd = output.length + this.#maxBlockLength;
    let [recent1 = 0, recent2 = 0, recent3 = 0] = this.#recent;
    let out = output.bytes;
    let at = output.length;
    let literalsUsed = 0;
    try {
      for (let i = 0; i < count; i++) {
        const offsetCode = offsetState & 0xff;
        let offsetBits = 0;
        if (offsetCode > 24) {
          left -= offsetCode - 16;
          offsetBits = bitsAt(words, left, offsetCode - 16) << 16;
        }
        const lowBits = offsetCode > 24 ? 16 : offsetCode;
        left -= lowBits;
        offsetBits |= bitsAt(words, left, lowBits);
        const match = matchValues[matchState & 0xff] ?? 0;
        left -= match >>> 24;
        const matchLength = (match & 0xffffff) + bitsAt(words, left, match >>> 24);
        const literal = literalValues[literalState & 0xff] ?? 0;
        left -= literal >>> 24;
        const literalLength = (literal & 0xffffff) + bitsAt(words, left, literal >>> 24);
        if (i + 1 < count) {
          left -= stateBits(literalState);
          literalState = literalStates[nextState(literalState, words, left)] ?? 0;
          left -= stateBits(matchState);
          matchState = matchStates[nextState(matchState, words, left)] ?? 0;
          left -= stateBits(offsetState);
          offsetState = offsetStates[nextState(offsetState, words, left)] ?? 0;
        }

        // An offset value up to 3 means one of the last distances (section 3.1.1.5). Stored as
        // signed.
        let distance = 0;
        if (offsetCode > 1) {
          distance = ((1 << offsetCode) + offsetBits - 3) | 0;
          [recent1, recent2, recent3] = [distance, recent1, recent2];
        } else {
          const which = offsetCode + offsetBits + Number(literalLength === 0);
          if (which === 1) {
            [recent1, recent2] = [recent2, recent1];
          } else if (which === 2) {
            [recent1, recent2, recent3] = [recent3, recent1, recent2];
          } else if (which === 3) {
            [recent1, recent2, recent3] = [recent1 - 1, recent1, recent2];
          }
          distance = recent1;
        }

        const length = literalLength + matchLength;
        if (left < 0 || literalsUsed + literalLength > literals.length) {
          throw block.corrupt(modesStart, `${count} sequences`, `bits or literals for ${i}`);
        }
        if (at + length > blockEnd) {
          throw block.corrupt(modesStart, `at most ${this.#maxBlockLength} bytes`, 'more');
        }
        if (distance === 0 || distance >>> 0 > at + literalLength - frameStart) {
          const found = `${distance >>> 0} bytes back at ${at + literalLength - frameStart}`;
          throw block.corrupt(modesStart, 'a distance inside the data so far', found);
        }
        if (at + length > out.length) out = output.reserve(at, length);
        for (let j = 0; j < literalLength; j++) out[at++] = literals[literalsUsed++] ?? 0;
        for (const end = at + matchLength; at < end; at++) out[at] = out[at - distance] ?? 0;
      }
    } finally {
      output.length = at;
    }
    this.#recent.set([recent1, recent2, recent3]);
    if (left !== 0) {
      throw block.corrupt(modesStart, `${count} sequences`, `${left} bits left over`);
    }
    const rest = literals.subarray(literalsUsed);
    if (at + rest.length > blockEnd) {
      throw block.corrupt(modesStart, `at most ${this.#maxBlockLength} bytes`, 'more');
    }
    output.append(rest);
  }
}

/** Reads LEB128 numbers and the other numbers of DWARF. Source: DWARF 5, section 7.6. */
import type { ByteReader } from '#bytes/byte-reader.ts';

/** Most bytes of a number: 64 bits in groups of 7. Longer ones are refused, also if padded. */
const MAX_BYTES = 10;

/** Reads numbers one after the other. Reads outside of the region throw `Malformed`. */
export class DwarfCursor {
  readonly reader: ByteReader;
  /** Offset of the next read in the region of `reader`. */
  at: number;

  constructor(reader: ByteReader, at: number) {
    this.reader = reader;
    this.at = at;
  }

  u8(): number {
    const value = this.reader.u8(this.at);
    this.at += 1;
    return value;
  }

  u16(): number {
    const value = this.reader.u16(this.at);
    this.at += 2;
    return value;
  }

  u32(): number {
    const value = this.reader.u32(this.at);
    this.at += 4;
    return value;
  }

  u64(): bigint {
    const value = this.reader.u64(this.at);
    this.at += 8;
    return value;
  }

  /** Reads an unsigned number of 1, 2, 3, 4 or 8 bytes. */
  unsigned(size: number): bigint {
    return size === 8 ? this.u64() : BigInt(this.small(size));
  }

  /** Reads an unsigned number of 1 to 4 bytes. */
  small(size: number): number {
    switch (size) {
      case 1:
        return this.u8();
      case 2:
        return this.u16();
      case 3: {
        const [first, second, third] = [this.u8(), this.u8(), this.u8()];
        return this.reader.endian === 'little'
          ? first | (second << 8) | (third << 16)
          : (first << 16) | (second << 8) | third;
      }
      case 4:
        return this.u32();
      default:
        throw this.reader.malformed(
          'dwarf.number-size',
          `${this.reader.region}: a number of ${size} bytes`,
          { at: [this.at, size], expected: '1, 2, 3, 4 or 8 bytes', found: `${size} bytes` },
        );
    }
  }

  /** Reads an offset or length in the file: 4 or 8 bytes. Throws if it exceeds 53 bits. */
  offset(size: 4 | 8): number {
    if (size === 4) return this.u32();
    const value = this.u64();
    if (value <= Number.MAX_SAFE_INTEGER) return Number(value);
    throw this.reader.malformed(
      'dwarf.offset',
      `${this.reader.region}: an offset beyond any file`,
      {
        at: [this.at - 8, 8],
        expected: `at most ${this.reader.length}`,
        found: `${value}`,
      },
    );
  }

  /** Reads an unsigned LEB128 of at most 53 bits. */
  uleb(): number {
    const start = this.at;
    const { bytes } = this.reader;
    const first = bytes[start];
    if (first !== undefined && first < 0x80) {
      this.at = start + 1;
      return first;
    }
    let value = 0;
    let scale = 1;
    for (let count = 0; count < MAX_BYTES; count++) {
      const byte = this.u8();
      value += (byte & 0x7f) * scale;
      scale *= 128;
      if (byte >= 0x80) continue;
      if (value > Number.MAX_SAFE_INTEGER) throw this.#tooLarge(start, 'more than 53 bits');
      return value;
    }
    throw this.#tooLarge(start, `more than ${MAX_BYTES} bytes`);
  }

  /** Reads an unsigned LEB128 of at most 64 bits. Bits above 64 are dropped. */
  bigUleb(): bigint {
    return BigInt.asUintN(64, this.#bits(false));
  }

  /** Reads a signed LEB128 of at most 64 bits. */
  sleb(): bigint {
    return BigInt.asIntN(64, this.#bits(true));
  }

  /** Moves past a LEB128 number of either sign. */
  skipLeb(): void {
    const start = this.at;
    for (let count = 0; count < MAX_BYTES; count++) if (this.u8() < 0x80) return;
    throw this.#tooLarge(start, `more than ${MAX_BYTES} bytes`);
  }

  #bits(isSigned: boolean): bigint {
    const start = this.at;
    let value = 0n;
    for (let count = 0; count < MAX_BYTES; count++) {
      const byte = this.u8();
      value |= BigInt(byte & 0x7f) << BigInt(7 * count);
      if (byte >= 0x80) continue;
      const isNegative = isSigned && (byte & 0x40) !== 0;
      return isNegative ? value - (1n << BigInt(7 * (count + 1))) : value;
    }
    throw this.#tooLarge(start, `more than ${MAX_BYTES} bytes`);
  }

  #tooLarge(start: number, found: string) {
    return this.reader.malformed('dwarf.leb128', `${this.reader.region}: a number has ${found}`, {
      at: [start, this.at - start],
      expected: `at most ${MAX_BYTES} bytes`,
      found,
    });
  }
}

/** The input of a decoder, with the errors for truncated, damaged and unsupported streams. */
import { type Issue, Malformed } from '#bytes/issue.ts';
import { spanOf } from '#bytes/span.ts';

export class PackedInput {
  readonly bytes: Uint8Array;
  readonly region: string;
  /** File offset of the first byte of `bytes`. */
  readonly fileOffset: number;
  /** True for a part of a stream: if a part ends early, the stream is damaged, not truncated. */
  readonly #isPart: boolean;
  /** Offset in `bytes` of the next byte to read. */
  byteOffset = 0;

  constructor(bytes: Uint8Array, region: string, fileOffset = 0, isPart = false) {
    this.#isPart = isPart;
    this.bytes = bytes;
    this.region = region;
    this.fileOffset = fileOffset;
  }

  get remaining(): number {
    return this.bytes.length - this.byteOffset;
  }

  /** Returns the byte `ahead` bytes after the next byte, without reading it; null past the end. */
  peek(ahead = 0): number | null {
    return this.bytes[this.byteOffset + ahead] ?? null;
  }

  /** Returns a view of the next `length` bytes. Throws `Malformed` if there are fewer. */
  take(length: number, what: string): Uint8Array {
    if (length > this.remaining) throw this.truncated(what);
    const start = this.byteOffset;
    this.byteOffset += length;
    return this.bytes.subarray(start, this.byteOffset);
  }

  /** Returns the next `length` bytes as a separate input, whose early end means damage. */
  part(length: number, what: string): PackedInput {
    const fileOffset = this.fileOffset + this.byteOffset;
    return new PackedInput(this.take(length, what), this.region, fileOffset, true);
  }

  u8(what: string): number {
    const byte = this.bytes[this.byteOffset];
    if (byte === undefined) throw this.truncated(what);
    this.byteOffset++;
    return byte;
  }

  u16le(what: string): number {
    return this.little(2, what);
  }

  u32le(what: string): number {
    return this.little(4, what);
  }

  /** Reads a little-endian number of `length` bytes. Exact below 2^53. */
  little(length: number, what: string): number {
    return this.take(length, what).reduceRight((value, byte) => value * 0x100 + byte, 0);
  }

  u32be(what: string): number {
    return this.take(4, what).reduce((value, byte) => value * 0x100 + byte, 0);
  }

  u64le(what: string): bigint {
    const low = this.little(4, what);
    return (BigInt(this.little(4, what)) << 32n) | BigInt(low);
  }

  /** Returns the error for a stream that ends before the part `what`. */
  truncated(what: string): Malformed {
    if (this.#isPart) return this.corrupt(this.bytes.length, what, 'the end of what holds it');
    return new Malformed({
      code: 'container.truncated',
      region: this.region,
      message: `${this.region}: the compressed data is cut off`,
      span: spanOf(this.fileOffset + this.bytes.length, 0),
      expected: what,
      found: `the end, after ${this.bytes.length} bytes`,
      advice: 'The data before the cut is used. Copy or download the whole file again.',
    });
  }

  /** Returns the error for damage at offset `start` of `bytes`. */
  corrupt(start: number, expected: string, found: string): Malformed {
    return new Malformed({
      code: 'container.corrupt',
      region: this.region,
      message: `${this.region}: the compressed data is damaged`,
      span: spanOf(this.fileOffset + Math.min(start, this.bytes.length), 1),
      expected,
      found,
      advice: 'The data before the damage is used. Copy or download the file again.',
    });
  }

  /** Returns the error for an unsupported stream. `command` is a command that can unpack it. */
  unsupported(start: number, what: string, command: string): Malformed {
    return new Malformed({
      code: 'container.unsupported',
      region: this.region,
      message: `${this.region}: ${what} cannot be unpacked here`,
      span: spanOf(this.fileOffset + start, 1),
      advice: `Unpack it with "${command}" and open the result.`,
    });
  }

  /** Returns the issue for a wrong checksum, which is `length` bytes at `start`. */
  badChecksum(start: number, length: number, name: string, stored: string, real: string): Issue {
    return {
      severity: 'error',
      code: 'container.checksum',
      region: this.region,
      message: `${this.region}: the ${name} of the unpacked data is wrong`,
      span: spanOf(this.fileOffset + start, length),
      expected: stored,
      found: real,
      advice: 'The data is shown, but some of it is damaged. Copy or download the file again.',
    };
  }

  /** Returns the issue for ignored bytes after the end of the compressed data. */
  trailing(): Issue {
    return {
      severity: 'warning',
      code: 'container.trailing',
      region: this.region,
      message: `${this.region}: ${this.remaining} bytes after the compressed data are ignored`,
      span: spanOf(this.fileOffset + this.byteOffset, this.remaining),
    };
  }
}

/** Returns the lowest value of each code. A code's values begin after those of the code before. */
export function basesOf(extraBits: Uint8Array, first: number): Uint32Array {
  const bases = new Uint32Array(extraBits.length);
  let base = first;
  extraBits.forEach((bits, code) => {
    bases[code] = base;
    base += 2 ** bits;
  });
  return bases;
}

/** Reads fields from one region of a file and checks bounds. A read outside throws `Malformed`. */
import { type Issue, Malformed, type Severity } from './issue.ts';
import type { Endian, Span } from './span.ts';

export const MAX_U32 = 0xffffffff;

/** Details of a `Malformed` error. `at` is a pair: an offset in the region, and a length. */
type MalformedDetail = Pick<Issue, 'expected' | 'found' | 'advice'> & {
  readonly at: readonly [number, number];
  readonly severity?: Severity;
};

export class ByteReader {
  readonly bytes: Uint8Array;
  /** File offset of the first byte of `bytes`. */
  readonly fileOffset: number;
  readonly endian: Endian;
  readonly region: string;
  readonly #view: DataView;

  constructor(bytes: Uint8Array, region: string, endian: Endian = 'little', fileOffset = 0) {
    this.bytes = bytes;
    this.region = region;
    this.endian = endian;
    this.fileOffset = fileOffset;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  get length(): number {
    return this.bytes.length;
  }

  /** Returns a reader of the same bytes in the byte order `endian`. */
  as(endian: Endian): ByteReader {
    return new ByteReader(this.bytes, this.region, endian, this.fileOffset);
  }

  /** Returns a reader of the `length` bytes from `offset`. Its offsets start at 0. */
  slice(offset: number, length: number, region = this.region): ByteReader {
    this.require(offset, length);
    return new ByteReader(
      this.bytes.subarray(offset, offset + length),
      region,
      this.endian,
      this.fileOffset + offset,
    );
  }

  /** Returns the file span of `length` bytes from `offset`. Does not check the bounds. */
  span(offset: number, length: number): Span {
    return { start: this.fileOffset + offset, end: this.fileOffset + offset + length };
  }

  /** Returns an error about the bytes at `at`: an offset in the region, and a length. */
  malformed(
    code: string,
    message: string,
    { at: [offset, length], ...more }: MalformedDetail,
  ): Malformed {
    const { region } = this;
    return new Malformed({ code, region, message, span: this.span(offset, length), ...more });
  }

  /** Throws `Malformed` unless `length` bytes from `offset` lie inside of the region. */
  require(offset: number, length: number, what = 'a field'): void {
    if (offset >= 0 && length >= 0 && offset + length <= this.bytes.length) return;
    const { length: size } = this.bytes;
    throw this.malformed('bytes.out-of-bounds', `${this.region}: ${what} runs past the end`, {
      at: [Math.max(0, Math.min(offset, size)), Math.max(0, length)],
      expected: `${length} bytes at offset ${offset}`,
      found: `${Math.max(0, size - Math.max(0, offset))} of ${size} bytes`,
    });
  }

  u8(offset: number, what?: string): number {
    this.require(offset, 1, what);
    return this.#view.getUint8(offset);
  }

  u16(offset: number, what?: string): number {
    this.require(offset, 2, what);
    return this.#view.getUint16(offset, this.endian === 'little');
  }

  i16(offset: number, what?: string): number {
    this.require(offset, 2, what);
    return this.#view.getInt16(offset, this.endian === 'little');
  }

  u32(offset: number, what?: string): number {
    this.require(offset, 4, what);
    return this.#view.getUint32(offset, this.endian === 'little');
  }

  i32(offset: number, what?: string): number {
    this.require(offset, 4, what);
    return this.#view.getInt32(offset, this.endian === 'little');
  }

  u64(offset: number, what?: string): bigint {
    this.require(offset, 8, what);
    return this.#view.getBigUint64(offset, this.endian === 'little');
  }

  i64(offset: number, what?: string): bigint {
    this.require(offset, 8, what);
    return this.#view.getBigInt64(offset, this.endian === 'little');
  }
}

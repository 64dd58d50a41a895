/**
 * Bounds-checked reads over one region of a file.
 *
 * In: the bytes of the region, the file offset at which it begins, its byte
 * order and its name for messages. Every read outside throws `Malformed` with
 * the file offset, what was wanted and what is there. Knows no format.
 */
import { type Issue, Malformed, type Severity } from './issue.ts';
import type { Endian, Span } from './span.ts';

/** `at`: offset and length. */
type MalformedDetail = Pick<Issue, 'expected' | 'found' | 'advice'> & {
  readonly at: readonly [number, number];
  readonly severity?: Severity;
};

export class ByteReader {
  readonly bytes: Uint8Array;
  /** File offset of `bytes[0]`. */
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

  /** The same bytes in another byte order. */
  as(endian: Endian): ByteReader {
    return new ByteReader(this.bytes, this.region, endian, this.fileOffset);
  }

  /** A reader of `length` bytes from `offset`; offsets in it count from 0 again. */
  slice(offset: number, length: number, region = this.region): ByteReader {
    this.require(offset, length);
    return new ByteReader(
      this.bytes.subarray(offset, offset + length),
      region,
      this.endian,
      this.fileOffset + offset,
    );
  }

  /** File span of `length` bytes from `offset` in this region. Not checked: a span may tell of what is missing. */
  span(offset: number, length: number): Span {
    return { start: this.fileOffset + offset, end: this.fileOffset + offset + length };
  }

  /** The error to throw for the bytes `at` an offset and of a length, which may lie outside. */
  malformed(
    code: string,
    message: string,
    { at: [offset, length], ...more }: MalformedDetail,
  ): Malformed {
    const { region } = this;
    return new Malformed({ code, region, message, span: this.span(offset, length), ...more });
  }

  /** Throws `Malformed` unless `length` bytes from `offset` lie inside. */
  require(offset: number, length: number, what = 'a field'): void {
    if (offset >= 0 && length >= 0 && offset + length <= this.bytes.length) return;
    const { length: held } = this.bytes;
    throw this.malformed('bytes.out-of-bounds', `${this.region}: ${what} runs past the end`, {
      at: [Math.max(0, Math.min(offset, held)), Math.max(0, length)],
      expected: `${length} bytes at offset ${offset}`,
      found: `${Math.max(0, held - Math.max(0, offset))} of ${held} bytes`,
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

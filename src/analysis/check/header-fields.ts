/** The words of the BTF header as they stand, before anybody has checked them. */
import { ByteReader } from '#bytes/byte-reader.ts';
import type { Endian } from '#bytes/span.ts';

export type HeaderFields = {
  readonly magic: number;
  readonly version: number;
  readonly flags: number;
  readonly hdrLen: number;
  readonly typeOff: number;
  readonly typeLen: number;
  readonly strOff: number;
  readonly strLen: number;
  readonly layoutOff: number;
  readonly layoutLen: number;
};

/** Reads the header in `endian`. Fields that begin at or behind `limit` bytes, or run past the blob, are 0. */
export function headerFields(blob: Uint8Array, endian: Endian, limit: number): HeaderFields {
  const header = new Uint8Array(32);
  header.set(blob.subarray(0, Math.min(32, limit)));
  const r = new ByteReader(header, 'BTF header', endian);
  return {
    magic: r.u16(0),
    version: r.u8(2),
    flags: r.u8(3),
    hdrLen: r.u32(4),
    typeOff: r.u32(8),
    typeLen: r.u32(12),
    strOff: r.u32(16),
    strLen: r.u32(20),
    layoutOff: r.u32(24),
    layoutLen: r.u32(28),
  };
}

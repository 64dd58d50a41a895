/**
 * The optional header (`struct aouthdr`), behind the file header. What
 * relocation needs of it is `gp_value`, the global pointer that the object's
 * displacements are relative to.
 *
 * Source: Tru64 UNIX Object File and Symbol Table Format Specification, chapter 2.
 */
import type { ByteReader } from '#bytes/byte-reader.ts';
import { FILE_HEADER_SIZE } from './file-header.ts';

export const OPTIONAL_HEADER_SIZE = 80;

export type OptionalHeader = {
  readonly magic: number;
  /** High byte: major version; low byte: minor. */
  readonly vstamp: number;
  readonly bldrev: number;
  readonly padcell: number;
  readonly tsize: bigint;
  readonly dsize: bigint;
  readonly bsize: bigint;
  readonly entry: bigint;
  readonly textStart: bigint;
  readonly dataStart: bigint;
  readonly bssStart: bigint;
  readonly gprmask: number;
  readonly fprmask: number;
  readonly gpValue: bigint;
};

const MAGIC_NAMES = new Map<number, string>([
  [0o407, 'OMAGIC'],
  [0o410, 'NMAGIC'],
  [0o413, 'ZMAGIC'],
]);

/** Reads the header. Throws `Malformed` where the file or `f_opthdr` (its declared size) leaves no room for it. */
export function readOptionalHeader(file: ByteReader, fOpthdr: number): OptionalHeader {
  const r = file.slice(FILE_HEADER_SIZE, fOpthdr, 'optional header');
  r.require(0, OPTIONAL_HEADER_SIZE, 'the optional header');
  return {
    magic: r.u16(0),
    vstamp: r.u16(2),
    bldrev: r.u16(4),
    padcell: r.u16(6),
    tsize: r.u64(8),
    dsize: r.u64(16),
    bsize: r.u64(24),
    entry: r.u64(32),
    textStart: r.u64(40),
    dataStart: r.u64(48),
    bssStart: r.u64(56),
    gprmask: r.u32(64),
    fprmask: r.u32(68),
    gpValue: r.u64(72),
  };
}

/** `OMAGIC` (relocatable), `NMAGIC` or `ZMAGIC`; null for another. */
export function optionalMagicName(magic: number): string | null {
  return MAGIC_NAMES.get(magic) ?? null;
}

/**
 * The symbolic header (`HDRR`), which says where the parts of the symbol table lie.
 *
 * Source: Tru64 UNIX Object File and Symbol Table Format Specification, chapter
 * 5; layout as GNU BFD reads it. All `cb…Offset` are absolute file offsets.
 */
import type { ByteReader } from '#bytes/byte-reader.ts';
import { Malformed } from '#bytes/issue.ts';
import type { FileHeader } from './file-header.ts';
import { regionAt } from './regions.ts';

export const SYMBOLIC_HEADER_SIZE = 144;
const MAGIC = 0x1992;

/** The eleven counts, signed words from byte 4 on. */
export const SYMBOLIC_COUNTS = [
  'ilineMax',
  'idnMax',
  'ipdMax',
  'isymMax',
  'ioptMax',
  'iauxMax',
  'issMax',
  'issExtMax',
  'ifdMax',
  'crfd',
  'iextMax',
] as const;

/** The twelve sizes and file offsets, quadwords from byte 48 on. */
export const SYMBOLIC_PLACES = [
  'cbLine',
  'cbLineOffset',
  'cbDnOffset',
  'cbPdOffset',
  'cbSymOffset',
  'cbOptOffset',
  'cbAuxOffset',
  'cbSsOffset',
  'cbSsExtOffset',
  'cbFdOffset',
  'cbRfdOffset',
  'cbExtOffset',
] as const;

export type SymbolicHeader = {
  readonly fileOffset: number;
  readonly magic: number;
  readonly vstamp: number;
  readonly counts: Readonly<Record<(typeof SYMBOLIC_COUNTS)[number], number>>;
  readonly places: Readonly<Record<(typeof SYMBOLIC_PLACES)[number], bigint>>;
};

/** Reads the header that `f_symptr` points to. Throws `Malformed` where it is not in the file, or is another thing. */
export function readSymbolicHeader(file: ByteReader, header: FileHeader): SymbolicHeader {
  const r = regionAt(file, header.fSymptr, BigInt(SYMBOLIC_HEADER_SIZE), 'symbolic header');
  const magic = r.u16(0);
  if (magic !== MAGIC) {
    throw new Malformed({
      code: 'ecoff.bad-symbolic-magic',
      region: r.region,
      message: 'The symbolic header has another magic number',
      span: r.span(0, 2),
      expected: '0x1992',
      found: `0x${magic.toString(16)}`,
    });
  }
  const count = (i: number) => r.i32(4 + i * 4);
  const place = (i: number) => r.u64(48 + i * 8);
  return {
    fileOffset: r.fileOffset,
    magic,
    vstamp: r.u16(2),
    counts: {
      ilineMax: count(0),
      idnMax: count(1),
      ipdMax: count(2),
      isymMax: count(3),
      ioptMax: count(4),
      iauxMax: count(5),
      issMax: count(6),
      issExtMax: count(7),
      ifdMax: count(8),
      crfd: count(9),
      iextMax: count(10),
    },
    places: {
      cbLine: place(0),
      cbLineOffset: place(1),
      cbDnOffset: place(2),
      cbPdOffset: place(3),
      cbSymOffset: place(4),
      cbOptOffset: place(5),
      cbAuxOffset: place(6),
      cbSsOffset: place(7),
      cbSsExtOffset: place(8),
      cbFdOffset: place(9),
      cbRfdOffset: place(10),
      cbExtOffset: place(11),
    },
  };
}

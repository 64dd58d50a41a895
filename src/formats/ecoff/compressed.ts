/**
 * A compressed object (magic 0x188): a file header of its own, the unpacked
 * size, a quadword whose meaning is not published, and the packed bytes.
 *
 * Packed bytes come in runs: one control byte, then up to eight output bytes,
 * its lowest bit first. A set bit: the byte follows, and is kept in a table
 * under a running hash; a clear bit: the byte is the one kept there. The hash is
 * `((hash << 4) ^ byte) & 0xfff` of what came out. Source: the behaviour of GNU BFD.
 */
import type { ByteReader } from '#bytes/byte-reader.ts';
import { Malformed } from '#bytes/issue.ts';
import { FILE_HEADER_SIZE } from './file-header.ts';

const TABLE_SIZE = 4096;
const STREAM_OFFSET = FILE_HEADER_SIZE + 16;
/** A control byte alone may stand for eight bytes. */
const MOST_BYTES_PER_PACKED_BYTE = 8;

export type CompressedHeader = {
  readonly uncompressedSize: bigint;
  /** File offset of the packed bytes. */
  readonly streamOffset: number;
};

/** Reads what stands before the packed bytes. Throws `Malformed` for a size that they cannot unpack to. */
export function readCompressedHeader(file: ByteReader): CompressedHeader {
  const r = file.slice(0, Math.min(STREAM_OFFSET, file.length), 'compressed object');
  r.require(0, STREAM_OFFSET, 'the header of a compressed object');
  const uncompressedSize = r.u64(FILE_HEADER_SIZE);
  const most = (file.length - STREAM_OFFSET) * MOST_BYTES_PER_PACKED_BYTE;
  if (uncompressedSize > BigInt(most)) {
    throw new Malformed({
      code: 'ecoff.compressed-size',
      region: r.region,
      message: 'The compressed object says that it unpacks to more than its bytes can hold',
      span: r.span(FILE_HEADER_SIZE, 8),
      expected: `at most ${most} bytes`,
      found: `${uncompressedSize}`,
    });
  }
  return { uncompressedSize, streamOffset: STREAM_OFFSET };
}

/** Unpacks the object. Throws `Malformed` where the packed bytes end before the declared size is reached. */
export function unpackCompressed(file: ByteReader, header: CompressedHeader): Uint8Array {
  const output = new Uint8Array(Number(header.uncompressedSize));
  const kept = new Uint8Array(TABLE_SIZE);
  let at = header.streamOffset;
  let hash = 0;
  let control = 0;
  for (let produced = 0; produced < output.length; produced++) {
    if (produced % 8 === 0) control = packedByte(file, at++, output.length, produced);
    let byte = kept[hash] ?? 0;
    if ((control & (1 << (produced % 8))) !== 0) {
      byte = packedByte(file, at++, output.length, produced);
      kept[hash] = byte;
    }
    output[produced] = byte;
    hash = ((hash << 4) ^ byte) & (TABLE_SIZE - 1);
  }
  return output;
}

function packedByte(file: ByteReader, at: number, wanted: number, produced: number): number {
  const byte = file.bytes[at];
  if (byte !== undefined) return byte;
  throw new Malformed({
    code: 'ecoff.compressed-cut',
    region: 'compressed object',
    message: 'The packed bytes end before the object is whole',
    span: file.span(file.length, 0),
    expected: `${wanted} unpacked bytes`,
    found: `${produced}`,
  });
}

/** BTF blobs whose bytes stand in the file as they were read. */
import { ByteReader } from '#bytes/byte-reader.ts';
import { type BtfHeader, readBtfHeader } from '#formats/btf/header.ts';
import type { TypeTable } from '#model/type-table.ts';
import type { ReadBytes } from './field.ts';

/** A blob whose own bytes lie in the file. */
export type PlacedBlob = {
  readonly types: TypeTable;
  /** File offset of its first byte. */
  readonly start: number;
  readonly header: BtfHeader;
  /** The blob's bytes by file offsets; they are in memory, so never null inside. */
  readonly read: ReadBytes;
};

const known = new WeakMap<TypeTable, PlacedBlob>();

/** The blob of `types` where its bytes are the file's own; null where they were unpacked or moved. */
export function placedBlob(types: TypeTable): PlacedBlob | null {
  const start = types.fileOffset;
  if (start === null) return null;
  let blob = known.get(types);
  if (blob === undefined) {
    const read: ReadBytes = (from, to) =>
      types.blob.subarray(Math.max(0, from - start), Math.max(0, to - start));
    blob = { types, start, header: readBtfHeader(new ByteReader(types.blob, '.BTF')), read };
    known.set(types, blob);
  }
  return blob;
}

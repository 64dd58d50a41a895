/** Shared state of the structure tree of a file. */
import { ByteReader } from '#bytes/byte-reader.ts';
import { memoized } from '#bytes/cache.ts';
import { type BtfHeader, readBtfHeader } from '#formats/btf/header.ts';
import type { ObjectModel } from '#model/object-model.ts';
import type { TypeTable } from '#model/type-table.ts';
import type { ReadBytes } from './field.ts';

export type FileStructure = {
  readonly model: ObjectModel;
  readonly read: ReadBytes;
  /** String starts of the listed string tables, by file offset of the table. */
  readonly stringStarts: Map<number, Uint32Array>;
};

const stringStartsOf = memoized((_: ObjectModel) => new Map<number, Uint32Array>());

/** Returns the structure of `model` with the bytes of `read`. Constant time: nothing is read yet. */
export function structureOf(model: ObjectModel, read: ReadBytes): FileStructure {
  return { model, read, stringStarts: stringStartsOf(model) };
}

/** Returns the BTF blob of the file at `fileOffset`: the types, or the included base. */
export function ownBlobAt({ model }: FileStructure, fileOffset: number): PlacedBlob | null {
  const { types, splitBase } = model;
  for (const table of [types, splitBase?.distilled ?? null]) {
    if (table !== null && table.fileOffset === fileOffset) return placedBlob(table);
  }
  return null;
}

/** A blob whose bytes are in the file. */
export type PlacedBlob = {
  readonly types: TypeTable;
  /** File offset of the first byte. */
  readonly start: number;
  readonly header: BtfHeader;
  /** Reads the blob's bytes, which are in memory, by file offset. */
  readonly read: ReadBytes;
};

/** Returns the blob of `types` if its bytes are the file's; null for decompressed or relocated types. */
export const placedBlob = memoized((types: TypeTable): PlacedBlob | null => {
  const start = types.fileOffset;
  if (start === null) return null;
  const read: ReadBytes = (from, to) =>
    types.blob.subarray(Math.max(0, from - start), Math.max(0, to - start));
  return { types, start, header: readBtfHeader(new ByteReader(types.blob, '.BTF')), read };
});

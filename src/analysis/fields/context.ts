/** State that all parts of a file's structure tree share. */
import { ByteReader } from '#bytes/byte-reader.ts';
import { memoized } from '#bytes/cache.ts';
import { type BtfHeader, readBtfHeader } from '#formats/btf/header.ts';
import type { ObjectModel } from '#model/object-model.ts';
import type { TypeTable } from '#model/type-table.ts';
import type { ReadBytes } from './field.ts';

export type FileStructure = {
  readonly model: ObjectModel;
  readonly read: ReadBytes;
  /** Start of each string in listed string tables, by the table's file offset. */
  readonly stringStarts: Map<number, Uint32Array>;
};

const stringStartsOf = memoized((_: ObjectModel) => new Map<number, Uint32Array>());

/** Returns the structure of `model`; its fields read bytes with `read` on access. */
export function structureOf(model: ObjectModel, read: ReadBytes): FileStructure {
  return { model, read, stringStarts: stringStartsOf(model) };
}

/** Returns the file's BTF blob that begins at `fileOffset`: its types or its distilled base. */
export function ownBlobAt({ model }: FileStructure, fileOffset: number): PlacedBlob | null {
  const { types, splitBase } = model;
  for (const table of [types, splitBase?.distilled ?? null]) {
    if (table !== null && table.fileOffset === fileOffset) return placedBlob(table);
  }
  return null;
}

/** BTF blob whose bytes are in the file. */
export type PlacedBlob = {
  readonly types: TypeTable;
  /** File offset of the blob's first byte. */
  readonly start: number;
  readonly header: BtfHeader;
  /** Reads bytes of the blob, which is in memory, by file offset. */
  readonly read: ReadBytes;
};

/** Returns the blob of `types`; null if the types were decompressed or relocated. */
export const placedBlob = memoized((types: TypeTable): PlacedBlob | null => {
  const start = types.fileOffset;
  if (start === null) return null;
  const read: ReadBytes = (from, to) =>
    types.blob.subarray(Math.max(0, from - start), Math.max(0, to - start));
  return { types, start, header: readBtfHeader(new ByteReader(types.blob, '.BTF')), read };
});

/** What all parts of the structure of one file share. */
import { ByteReader } from '#bytes/byte-reader.ts';
import { oncePer } from '#bytes/keep.ts';
import { type BtfHeader, readBtfHeader } from '#formats/btf/header.ts';
import type { ObjectModel } from '#model/object-model.ts';
import type { TypeTable } from '#model/type-table.ts';
import type { ReadBytes } from './field.ts';

export type FileStructure = {
  readonly model: ObjectModel;
  readonly read: ReadBytes;
  /** Beginnings of the strings of tables that were listed, by the table's file offset. */
  readonly stringStarts: Map<number, Uint32Array>;
};

const stringStartsOf = oncePer((_: ObjectModel) => new Map<number, Uint32Array>());

/** The structure of `model`, with bytes as `read` gives them. Cheap: nothing is looked at yet. */
export function structureOf(model: ObjectModel, read: ReadBytes): FileStructure {
  return { model, read, stringStarts: stringStartsOf(model) };
}

/** The BTF blob of this file that begins at `fileOffset`: its types, or the base that it brings along. */
export function ownBlobAt({ model }: FileStructure, fileOffset: number): PlacedBlob | null {
  const { types, splitBase } = model;
  for (const table of [types, splitBase?.distilled ?? null]) {
    if (table !== null && table.fileOffset === fileOffset) return placedBlob(table);
  }
  return null;
}

/** A blob whose own bytes lie in the file. */
export type PlacedBlob = {
  readonly types: TypeTable;
  /** File offset of its first byte. */
  readonly start: number;
  readonly header: BtfHeader;
  /** The blob's bytes by file offsets; they are in memory, so never null inside. */
  readonly read: ReadBytes;
};

/** The blob of `types` where its bytes are the file's own; null where they were unpacked or moved. */
export const placedBlob = oncePer((types: TypeTable): PlacedBlob | null => {
  const start = types.fileOffset;
  if (start === null) return null;
  const read: ReadBytes = (from, to) =>
    types.blob.subarray(Math.max(0, from - start), Math.max(0, to - start));
  return { types, start, header: readBtfHeader(new ByteReader(types.blob, '.BTF')), read };
});

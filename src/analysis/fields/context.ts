/** What all parts of the structure of one file share. */

import { ByteReader } from '#bytes/byte-reader.ts';
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

const stringStarts = new WeakMap<ObjectModel, Map<number, Uint32Array>>();

/** The structure of `model`, with bytes as `read` gives them. Cheap: nothing is looked at yet. */
export function structureOf(model: ObjectModel, read: ReadBytes): FileStructure {
  let starts = stringStarts.get(model);
  if (starts === undefined) {
    starts = new Map();
    stringStarts.set(model, starts);
  }
  return { model, read, stringStarts: starts };
}

/** The BTF blob of this file that begins at `fileOffset`: its types, or the base that it brings along. */
export function ownBlobAt({ model }: FileStructure, fileOffset: number): PlacedBlob | null {
  const { types, splitBase } = model;
  for (const table of [types, splitBase?.distilled ?? null]) {
    if (table !== null && table.fileOffset === fileOffset) return placedBlob(table);
  }
  return null;
}

/** BTF blobs whose bytes stand in the file as they were read. */

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

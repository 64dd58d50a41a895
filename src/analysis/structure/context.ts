/** What all parts of the structure of one file share. */
import type { ObjectModel } from '#model/object-model.ts';
import type { ReadBytes } from './field.ts';
import { type PlacedBlob, placedBlob } from './placed-blob.ts';

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

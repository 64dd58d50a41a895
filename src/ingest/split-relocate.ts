/** Moves split BTF from its distilled base to the real base. Source: libbpf's btf_relocate.c. */
import { MAX_U32 } from '#bytes/byte-reader.ts';
import { RecordReader } from '#formats/btf/records.ts';
import type { ExtTables } from '#model/ext.ts';
import type { DistilledMatch } from '#model/split-base.ts';
import { lastId, nameOffOf, strLenOf, type TypeTable } from '#model/type-table.ts';

// A relocated table needs encoded bytes, as any table. The new bytes are not in the file, so
// `fileOffset` is null.

/** Maps ids and string offsets of the old table to ids and string offsets of the new table. */
export type Move = {
  /** Maps an id. 0 stays 0, and an invalid id remains invalid. */
  readonly id: (id: number) => number;
  /** Maps a string offset. Returns null for a distilled string that is not the name of a type. */
  readonly name: (nameOff: number) => number | null;
};

/** Returns the mapping from `split.base` to `base`; null if a distilled type has no clear match. */
export function moveTo(
  split: TypeTable,
  base: TypeTable,
  matches: readonly DistilledMatch[],
): Move | null {
  const { base: distilled } = split;
  if (distilled === null || distilled.firstId !== 1) return null;
  const ids = new Uint32Array(distilled.count + 1);
  const names = new Map<number, number>([[0, 0]]);
  for (const { id, outcome, baseIds } of matches) {
    const [baseId] = baseIds;
    if (outcome !== 'mapped' || baseId === undefined) return null;
    ids[id] = baseId;
    names.set(nameOffOf(distilled, id), nameOffOf(base, baseId));
  }
  const idShift = lastId(base) - lastId(distilled);
  const strShift = strLenOf(base) - strLenOf(distilled);
  return {
    id: (id) => (id < ids.length ? (ids[id] ?? 0) : Math.min(id + idShift, MAX_U32)),
    name: (nameOff) =>
      nameOff < strLenOf(distilled)
        ? (names.get(nameOff) ?? null)
        : Math.min(nameOff + strShift, MAX_U32),
  };
}

/** Returns `split` on `base`. Like libbpf, returns null if a name is only in the distilled base. */
export function moveTable(split: TypeTable, base: TypeTable, move: Move): TypeTable | null {
  const blob = split.blob.slice();
  const view = new DataView(blob.buffer);
  const little = split.endian === 'little';
  const records = new RecordReader(split);
  let isWhole = true;
  for (let i = 0; i < records.count; i++) {
    records.eachReference(i, (id, offset) => view.setUint32(offset, move.id(id), little));
    records.eachName(i, (nameOff, offset) => {
      const moved = move.name(nameOff);
      if (moved === null) isWhole = false;
      else view.setUint32(offset, moved, little);
    });
  }
  if (!isWhole) return null;
  return {
    ...split,
    blob,
    fileOffset: null,
    firstId: lastId(base) + 1,
    strBase: strLenOf(base),
    base,
  };
}

/** Relocates the records of `.BTF.ext`. Strings that `move` cannot map become empty. */
export function moveExt({ func, line, core }: ExtTables, move: Move): ExtTables {
  const ids = (column: Uint32Array) => column.map(move.id);
  const names = (column: Uint32Array) => column.map((nameOff) => move.name(nameOff) ?? 0);
  return {
    func: { ...func, secNameOff: names(func.secNameOff), typeId: ids(func.typeId) },
    line: {
      ...line,
      secNameOff: names(line.secNameOff),
      fileNameOff: names(line.fileNameOff),
      lineOff: names(line.lineOff),
    },
    core: {
      ...core,
      secNameOff: names(core.secNameOff),
      typeId: ids(core.typeId),
      accessStrOff: names(core.accessStrOff),
    },
  };
}

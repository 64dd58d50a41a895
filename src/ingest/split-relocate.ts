/**
 * Relocates split BTF from its distilled base to the real base: a copy of its blob with the type
 * ids and string offsets of the real base, as libbpf and the kernel write it before they use a
 * module's types.
 *
 * A table is a view of encoded bytes, so the relocated table has encoded bytes too. They are not in
 * the file: `fileOffset` of the new table is null.
 */
import { MAX_U32 } from '#bytes/byte-reader.ts';
import { RecordReader } from '#formats/btf/records.ts';
import type { ExtTables } from '#model/ext.ts';
import type { DistilledMatch } from '#model/split-base.ts';
import { lastId, nameOffOf, strLenOf, type TypeTable } from '#model/type-table.ts';

/** Mapping of ids and string offsets from the old table to the new. */
export type Move = {
  /** 0 stays 0; an id past the last keeps its distance from the last, and stays outside. */
  readonly id: (id: number) => number;
  /** null for a string of the distilled base that is not a type's name: the real base does not have it. */
  readonly name: (nameOff: number) => number | null;
};

/** Returns the mapping from `split.base` to `base`; null unless each distilled type has exactly one of `matches`. */
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

/**
 * Returns `split` on `base`, with shifted ids and offsets of its types and strings. Returns null if
 * a name of the distilled base that is not a type's name is in use: libbpf refuses that.
 */
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

/** Relocates the records of `.BTF.ext`, which use the same ids and strings; a string without a match becomes empty. */
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

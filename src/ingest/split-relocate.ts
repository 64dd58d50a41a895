/**
 * Moves split BTF from its distilled base to the real one: a copy of its blob
 * in which every type id and string offset is that of the real base, as libbpf
 * and the kernel write it before they use a module's types.
 *
 * A table is a view over wire bytes, so that the moved one is made of wire bytes
 * too. They are not the file's own: `fileOffset` of the new table is null.
 */
import { RecordReader } from '#formats/btf/records.ts';
import type { ExtTables } from '#model/ext.ts';
import type { DistilledMatch } from '#model/split-base.ts';
import { lastId, nameOffOf, strLenOf, type TypeTable } from '#model/type-table.ts';

/** Where ids and string offsets of the old table are in the new one. */
export type Move = {
  /** 0 stays 0; an id behind the last keeps its distance from it, and stays outside. */
  readonly id: (id: number) => number;
  /** null for a string of the distilled base that is not a type's name: it has no place in the real one. */
  readonly name: (nameOff: number) => number | null;
};

const U32_MAX = 0xffff_ffff;

/**
 * The move from `split.base` to `base`, by `matches` of `matchDistilled`. null
 * where a type of the distilled base has not exactly one place to go to.
 */
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
    id: (id) => (id < ids.length ? (ids[id] ?? 0) : Math.min(id + idShift, U32_MAX)),
    name: (nameOff) =>
      nameOff < strLenOf(distilled)
        ? (names.get(nameOff) ?? null)
        : Math.min(nameOff + strShift, U32_MAX),
  };
}

/**
 * `split` on `base`. Ids of own types and offsets of own strings are shifted with
 * them. null where a name of the distilled base that is not a type's name is in use:
 * libbpf refuses that.
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

/** The records of `.BTF.ext`, which speak of the same ids and strings. A string without a place becomes no string. */
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

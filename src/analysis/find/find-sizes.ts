/** Types by their size: `size:64`, `struct: size>1000 sk`. */
import { BtfKind } from '#formats/btf/kinds.ts';
import { typeId } from '#model/ids.ts';
import { nameOf, sizeOrTypeOf } from '#model/type-table.ts';
import { scopeBits } from './find-names.ts';
import type { TypeFinder } from './finder.ts';
import type { FindAnswer } from './hit.ts';
import { typeHit } from './make-hit.ts';
import { matchName, needleOf } from './match-name.ts';
import type { Scope, SizeTest } from './query.ts';
import { eachEntry, entryBit, NameMarks } from './type-names.ts';

/** Kinds that store a size; enums and numbers only on request. */
const SIZED =
  entryBit(BtfKind.STRUCT) |
  entryBit(BtfKind.UNION) |
  entryBit(BtfKind.ENUM) |
  entryBit(BtfKind.ENUM64) |
  entryBit(BtfKind.INT) |
  entryBit(BtfKind.FLOAT) |
  entryBit(BtfKind.DATASEC);
const COMPOSITES = entryBit(BtfKind.STRUCT) | entryBit(BtfKind.UNION);

/**
 * Returns named types of a size whose names match `text`, the largest first, and of
 * one size in the order of the file.
 */
export function findSizes(
  finder: TypeFinder,
  scope: Scope,
  text: string,
  size: SizeTest,
  limit: number,
): FindAnswer {
  const { types } = finder;
  const needle = needleOf(text);
  const bits = scope === 'any' ? COMPOSITES : scopeBits(scope) & SIZED;
  const found: { readonly id: number; readonly bytes: number }[] = [];
  eachEntry(types, new NameMarks(types, 1), bits, (_nameOff, id) => {
    const bytes = sizeOrTypeOf(types, typeId(id));
    if (!passes(size, bytes)) return;
    if (needle !== '' && matchName(nameOf(types, typeId(id)), needle) === null) return;
    found.push({ id, bytes });
  });
  found.sort((a, b) => b.bytes - a.bytes || a.id - b.id);
  const hits = found.slice(0, limit).map(({ id }) => typeHit(types, typeId(id), needle));
  return {
    hits,
    total: found.length,
    problem: hits.length > 0 ? null : `No type has a size ${words(size)}`,
  };
}

function passes({ op, bytes }: SizeTest, size: number): boolean {
  switch (op) {
    case '=':
      return size === bytes;
    case '<':
      return size < bytes;
    case '<=':
      return size <= bytes;
    case '>':
      return size > bytes;
    case '>=':
      return size >= bytes;
  }
}

function words({ op, bytes }: SizeTest): string {
  return op === '=' ? `of ${bytes} bytes` : `${op} ${bytes} bytes`;
}

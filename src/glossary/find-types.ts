/** Where a file has a type of some sort, and which bytes of its record say so. */
import { spanOf } from '#bytes/span.ts';
import { BtfKind } from '#formats/btf/kinds.ts';
import { type TypeId, typeId } from '#model/ids.ts';
import type { ObjectModel } from '#model/object-model.ts';
import { typeSelection } from '#model/selection.ts';
import { membersOf } from '#model/type-items.ts';
import { kindFlagOf, kindOf, lastId, recordSpan, type TypeTable } from '#model/type-table.ts';
import type { Find, Place } from './term.ts';

export const COMPOSITES: readonly number[] = [BtfKind.STRUCT, BtfKind.UNION];

type Test = (t: TypeTable, id: TypeId) => boolean;

/** First own types by kind; a kernel has 130,000, and a page of cards asks for each kind. */
const firstByKind = new WeakMap<TypeTable, readonly (TypeId | undefined)[]>();

function firstsOf(t: TypeTable): readonly (TypeId | undefined)[] {
  const known = firstByKind.get(t);
  if (known !== undefined) return known;
  const firsts: (TypeId | undefined)[] = [];
  for (let id = t.firstId; id <= lastId(t); id++) {
    const kind = kindOf(t, typeId(id));
    firsts[kind] ??= typeId(id);
  }
  firstByKind.set(t, firsts);
  return firsts;
}

/** The first own type of one of the kinds that passes `test`, in order of the ids; null where there is none. */
function firstType(t: TypeTable, kinds: readonly number[], test: Test | null): TypeId | null {
  const starts = kinds.flatMap((kind) => firstsOf(t)[kind] ?? []);
  if (starts.length === 0) return null;
  const first = starts.reduce((a, b) => typeId(Math.min(a, b)));
  if (test === null) return first;
  for (let id: number = first; id <= lastId(t); id++) {
    if (kinds.includes(kindOf(t, typeId(id))) && test(t, typeId(id))) return typeId(id);
  }
  return null;
}

/** A type of one of the kinds, in the Types view. */
export function typeOf(kinds: readonly number[], test: Test | null = null): Find {
  return ({ types }) => {
    const id = types === null ? null : firstType(types, kinds, test);
    return id === null ? null : { selection: typeSelection(id), view: 'types' };
  };
}

/** A member of a STRUCT or UNION that `choose` gives the number of; -1 for a type without one. */
export function memberOf(
  kinds: readonly number[],
  choose: (t: TypeTable, id: TypeId) => number,
): Find {
  return ({ types }) => {
    if (types === null) return null;
    const id = firstType(types, kinds, (t, at) => choose(t, at) >= 0);
    if (id === null) return null;
    return { selection: typeSelection(id, [choose(types, id)]), view: 'types' };
  };
}

/** The number of the first bit-field among the members; -1 where none is one. */
export function bitfieldIndex(t: TypeTable, id: TypeId): number {
  if (!kindFlagOf(t, id)) return -1;
  return membersOf(t, id).findIndex(({ bitfieldSize }) => bitfieldSize > 0);
}

/** `length` bytes at `offset` of the record of such a type, in the Bytes view. Null where they are not in the file. */
export function recordBytes(
  kinds: readonly number[],
  offset: number,
  length: number,
  test: Test | null = null,
): Find {
  return (model) => {
    const { types } = model;
    const id = types === null ? null : firstType(types, kinds, test);
    const span = types === null || id === null ? null : recordSpan(types, id);
    return span === null || span.start + offset + length > span.end
      ? null
      : bytesAt(model, span.start + offset, length);
  };
}

/** Bytes of the file, in the Bytes view; null where the file ends before them. */
export function bytesAt(model: ObjectModel, start: number, length: number): Place | null {
  const span = spanOf(start, length);
  return start < 0 || length <= 0 || span.end > model.size
    ? null
    : { selection: { kind: 'bytes', ...span }, view: 'bytes' };
}

/** Examples of terms among types, members and the bytes of their records. */
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

/** First type of each kind, without types of a base. Cached: a kernel has 130,000 types, and the glossary needs every kind. */
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

/** Returns the type with the lowest id that has one of the kinds and passes `test`, without types of a base; else null. */
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

/** Finds the first type of one of the kinds, for the Types view. */
export function typeOf(kinds: readonly number[], test: Test | null = null): Find {
  return ({ types }) => {
    const id = types === null ? null : firstType(types, kinds, test);
    return id === null ? null : { selection: typeSelection(id), view: 'types' };
  };
}

/** Finds a member of a STRUCT or UNION. `choose` returns the member's index, or -1 for a type without such a member. */
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

/** Returns the index of the first bit-field of a type; -1 if the type has no bit-field. */
export function bitfieldIndex(t: TypeTable, id: TypeId): number {
  if (!kindFlagOf(t, id)) return -1;
  return membersOf(t, id).findIndex(({ bitfieldSize }) => bitfieldSize > 0);
}

/** Finds `length` bytes at `offset` of the first record of one of the kinds that passes `test`, for the Bytes view. */
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

/** Returns `length` bytes of a file at `start`; null if the file does not contain them. */
export function bytesAt(model: ObjectModel, start: number, length: number): Place | null {
  const span = spanOf(start, length);
  return start < 0 || length <= 0 || span.end > model.size
    ? null
    : { selection: { kind: 'bytes', ...span }, view: 'bytes' };
}

/** Finds examples of terms in BTF: headers, types, members, `.BTF.ext` records, CO-RE records. */
import { memoized } from '#bytes/cache.ts';
import { spanOf } from '#bytes/span.ts';
import { BtfKind } from '#formats/btf/kinds.ts';
import type { ExtTables } from '#model/ext.ts';
import { coreIndex, type TypeId, typeId } from '#model/ids.ts';
import type { ObjectModel } from '#model/object-model.ts';
import { typeSelection } from '#model/selection.ts';
import { membersOf } from '#model/type-items.ts';
import { kindFlagOf, kindOf, lastId, recordSpan, type TypeTable } from '#model/type-table.ts';
import type { Find, Place } from './term.ts';

export const COMPOSITES: readonly number[] = [BtfKind.STRUCT, BtfKind.UNION];

type Test = (t: TypeTable, id: TypeId) => boolean;

/** The first type of each kind, without the types of a base. Cached: a kernel has 130,000 types. */
const firstsByKind = memoized((t: TypeTable): readonly (TypeId | undefined)[] => {
  const firsts: (TypeId | undefined)[] = [];
  for (let id = t.firstId; id <= lastId(t); id++) {
    const kind = kindOf(t, typeId(id));
    firsts[kind] ??= typeId(id);
  }
  return firsts;
});

/** Returns the first type with one of the kinds that passes `test`, or null. Ignores the base. */
function firstType(t: TypeTable, kinds: readonly number[], test: Test | null): TypeId | null {
  const starts = kinds.flatMap((kind) => firstsByKind(t)[kind] ?? []);
  if (starts.length === 0) return null;
  const first = starts.reduce((a, b) => typeId(Math.min(a, b)));
  if (test === null) return first;
  for (let id: number = first; id <= lastId(t); id++) {
    if (kinds.includes(kindOf(t, typeId(id))) && test(t, typeId(id))) return typeId(id);
  }
  return null;
}

/** Returns a finder for the first type of one of the kinds, to be shown in Types. */
export function typeOf(kinds: readonly number[], test: Test | null = null): Find {
  return ({ types }) => {
    const id = types === null ? null : firstType(types, kinds, test);
    return id === null ? null : { selection: typeSelection(id), view: 'types' };
  };
}

/** Returns a finder for a member of a STRUCT or UNION. `choose` returns the member index or -1. */
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

/** Returns a finder for `length` bytes at `offset` of the first record that passes `test`. */
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

/** Returns the place of `length` bytes of a file at `start`; null if the file is too short. */
export function bytesAt(model: ObjectModel, start: number, length: number): Place | null {
  const span = spanOf(start, length);
  return start < 0 || length <= 0 || span.end > model.size
    ? null
    : { selection: { kind: 'bytes', ...span }, view: 'bytes' };
}

/** Returns a finder for the field `name` of the first header whose title begins with `title`. */
export function headerField(title: string, name: string): Find {
  return (model) => {
    const fields = model.headers.filter((block) => block.title.startsWith(title));
    const field = fields.flatMap((block) => block.fields).find((each) => each.name === name);
    return field === undefined
      ? null
      : bytesAt(model, field.span.start, field.span.end - field.span.start);
  };
}

/** Returns a finder for the first header whose title begins with `title`. */
export function headerBlock(title: string): Find {
  return (model) => {
    const block = model.headers.find((each) => each.title.startsWith(title));
    return block === undefined
      ? null
      : bytesAt(model, block.span.start, block.span.end - block.span.start);
  };
}

/** Returns a finder for `length` bytes at `offset` of the first record of a `.BTF.ext` table. */
export function extField(table: keyof ExtTables, offset: number, length: number): Find {
  return (model) => {
    const start = model.ext[table].recordOffset[0];
    return start === undefined ? null : bytesAt(model, start + offset, length);
  };
}

/** Returns a finder for the word at `offset` of the first `struct btf_ext_info_sec`. */
export function extSectionField(offset: number): Find {
  return (model) => {
    const { func, line, core } = model.ext;
    const first = [func, line, core].find(({ count }) => count > 0)?.recordOffset[0];
    return first === undefined ? null : bytesAt(model, first - 8 + offset, 4);
  };
}

/** Finds the `rec_size` of func_info, which precedes the first `struct btf_ext_info_sec`. */
export const recordSizeField: Find = (model) => {
  const first = model.ext.func.recordOffset[0];
  return first === undefined ? null : bytesAt(model, first - 12, 4);
};

/** Returns a finder for the first CO-RE record that passes the test. */
export function coreWhere(
  test: (model: ObjectModel, index: number) => boolean,
  view: Place['view'] = 'core',
): Find {
  return (model) => {
    const { core } = model.ext;
    for (let i = 0; i < core.count; i++) {
      if (test(model, i)) {
        return { selection: { kind: 'core', core: coreIndex(i), step: null }, view };
      }
    }
    return null;
  };
}

/** Returns a finder for the first CO-RE record of one of the kinds. */
export function coreOf(kinds: readonly number[]): Find {
  return coreWhere((model, i) => kinds.includes(model.ext.core.kind[i] ?? -1));
}

/**
 * What a line of a log names, and where that leads in the types of a target.
 *
 * Plain data in and out, so that it can be asked where the target is held.
 */
import { essentialName } from '#analysis/core/essential-name.ts';
import { type TypeId, typeId } from '#model/ids.ts';
import { tablesOf } from '#model/joined-words.ts';
import { hasType, kindOf, nameOf, type TypeTable } from '#model/type-table.ts';
import { type Followed, followNames, kindNumber, typesNamed } from './follow-names.ts';
import type { LogLine, LogPathStep, LogSpec } from './log-line.ts';

/** A type by its name, and a path through it. Names are raw text. */
export type AskedPath = {
  readonly typeId: number;
  /** `struct`, `union` … as libbpf writes them. */
  readonly typeKind: string;
  readonly typeName: string;
  readonly path: readonly LogPathStep[];
  readonly enumeratorName: string | null;
  /** Is `typeId` an id of the target? */
  readonly ofTarget: boolean;
};

/** Types of one name that are followed: a hostile file may have a million of them. */
const MAX_TYPES = 64;

/** The spec of a line; types that are named without one are specs without a path. Null where none is named. */
export function specOf({ event }: LogLine): LogSpec | null {
  switch (event?.event) {
    case 'spec':
    case 'unresolved':
    case 'candidate':
      return event.spec;
    case 'parse-failed':
    case 'search-failed':
      return bareSpec(event.type.typeId ?? 0, event.type.typeKind, event.type.typeName, null);
    case 'loader-error':
      if (event.type === null) return null;
      return bareSpec(
        event.type.typeId ?? 0,
        event.type.typeKind,
        event.type.typeName,
        event.memberName,
      );
    default:
      return null;
  }
}

/** What to ask a target of for a line; null where it names no type. */
export function askedPath(line: LogLine): AskedPath | null {
  const spec = specOf(line);
  if (spec === null || spec.typeName === '') return null;
  return {
    typeId: spec.typeId,
    typeKind: spec.typeKind,
    typeName: spec.typeName,
    path: spec.path,
    enumeratorName: spec.enumerator?.name ?? null,
    ofTarget: line.event?.event === 'candidate',
  };
}

/** The type that a candidate names by its id, or all of the name, with the path through each. Empty where `t` has none. */
export function pathsIn(t: TypeTable, asked: AskedPath): Followed[] {
  const { path, enumeratorName } = asked;
  const enumerator = enumeratorName === null ? null : { name: enumeratorName, value: 0n };
  return rootsOf(t, asked)
    .slice(0, MAX_TYPES)
    .map((root) => followNames(t, root, { path, enumerator }));
}

function rootsOf(t: TypeTable, asked: AskedPath): TypeId[] {
  const id = typeId(asked.typeId);
  if (asked.ofTarget && isTypeNamed(t, id, asked)) return [id];
  const wanted = { typeKind: asked.typeKind, typeName: essentialName(asked.typeName) };
  // The types of a base are those of the kernel: they come first, as for libbpf.
  for (const table of tablesOf(t)) {
    const found = typesNamed(table, wanted);
    if (found.length > 0) return found;
  }
  return [];
}

/** The id counts only where name and kind agree: a log may be of another build. */
export function isTypeNamed(
  t: TypeTable,
  id: TypeId,
  { typeKind, typeName }: Pick<LogSpec, 'typeKind' | 'typeName'>,
): boolean {
  return hasType(t, id) && nameOf(t, id) === typeName && kindOf(t, id) === kindNumber(typeKind);
}

function bareSpec(id: number, typeKind: string, typeName: string, member: string | null): LogSpec {
  return {
    kind: null,
    kindName: '',
    typeId: id,
    typeKind,
    typeName,
    path: member === null ? [] : [{ name: member, index: null }],
    enumerator: null,
    accessStr: null,
    bitOffset: null,
  };
}

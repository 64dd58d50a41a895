/**
 * Looks up the types and paths of a log line in a target. Input and output are plain data: the
 * lookup can run in the target's worker.
 */
import { essentialName } from '#analysis/core/essential-name.ts';
import { type TypeId, typeId } from '#model/ids.ts';
import { tablesOf } from '#model/joined-words.ts';
import { hasType, kindOf, nameOf, type TypeTable } from '#model/type-table.ts';
import { type Followed, followNames, kindNumber, typesNamed } from './follow-names.ts';
import type { LogLine, LogPathStep, LogSpec, LogType } from './log-line.ts';

/** A path of names to look up in a target, starting at a named type. Names are raw text. */
export type AskedPath = {
  readonly typeId: number;
  /** Kind of type in libbpf's words: `struct`, `union` … */
  readonly typeKind: string;
  readonly typeName: string;
  readonly path: readonly LogPathStep[];
  readonly enumeratorName: string | null;
  /** True if `typeId` is an id in the target. */
  readonly ofTarget: boolean;
};

/** Maximum number of types of one name to follow: a hostile file may have a million. */
const MAX_TYPES = 64;

/** Returns a line's spec, or null. A line with only a type gets a spec without a path. */
export function specOf({ event }: LogLine): LogSpec | null {
  switch (event?.event) {
    case 'spec':
    case 'unresolved':
    case 'candidate':
      return event.spec;
    case 'parse-failed':
    case 'search-failed':
      return bareSpec(event.type, null);
    case 'loader-error':
      return event.type === null ? null : bareSpec(event.type, event.memberName);
    default:
      return null;
  }
}

/** Returns the path of a line to look up in a target; null if the line has no type. */
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

/** Returns the path from the type with the candidate's id, else from each type with the name. */
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
  // The base, with the types of vmlinux, is searched first, as libbpf does.
  for (const table of tablesOf(t)) {
    const types = typesNamed(table, wanted);
    if (types.length > 0) return types;
  }
  return [];
}

/** Returns true if a type has the name and kind in the log: the log may be of another build. */
export function isTypeNamed(
  t: TypeTable,
  id: TypeId,
  { typeKind, typeName }: Pick<LogSpec, 'typeKind' | 'typeName'>,
): boolean {
  return hasType(t, id) && nameOf(t, id) === typeName && kindOf(t, id) === kindNumber(typeKind);
}

function bareSpec({ typeId, typeKind, typeName }: LogType, member: string | null): LogSpec {
  return {
    kind: null,
    kindName: '',
    typeId: typeId ?? 0,
    typeKind,
    typeName,
    path: member === null ? [] : [{ name: member, index: null }],
    enumerator: null,
    accessStr: null,
    bitOffset: null,
  };
}

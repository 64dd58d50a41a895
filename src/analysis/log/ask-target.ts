/**
 * The types and paths that a log line names, looked up in a target. Input and output are plain
 * data, so that the lookup can run in the target's worker.
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
  /** Whether `typeId` is an id of the target. */
  readonly ofTarget: boolean;
};

/** Types of one name that are followed: a hostile file may have a million of them. */
const MAX_TYPES = 64;

/** Returns the spec of a line; for types without a spec, one without a path. Null where no type is named. */
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

/** Returns the path of a line to look up in a target; null where the line names no type. */
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

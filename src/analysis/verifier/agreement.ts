/** How much of a log agrees with an object or a kernel. */
import { kindName } from '#formats/btf/kinds.ts';
import { typeId } from '#model/ids.ts';
import { hasType, kindOf, nameOf, type TypeTable } from '#model/type-table.ts';

/** A type or function that a log names with its id. */
export type NamedId = {
  readonly typeId: number;
  /** `func` for a kernel function, else the kind as libbpf writes it. */
  readonly typeKind: string;
  readonly typeName: string;
};

/** How a program of an object agrees with a part of a log. Counts are `[equal, compared]`. */
export type ProgramMatch = {
  /** Name of the program, not escaped; null if only types agree. */
  readonly program: string | null;
  readonly isNamed: boolean;
  /** Number of other programs of the object that agree as well. */
  readonly alike: number;
  readonly insns: Agreement;
  readonly sources: Agreement;
  readonly types: Agreement;
};

export type Agreement = readonly [equal: number, compared: number];

/** Returns how many types of a log the table has under their ids. */
export function namedIn(types: TypeTable | null, named: readonly NamedId[]): Agreement {
  const equal = named.filter((name) => types !== null && isNamed(types, name)).length;
  return [equal, named.length];
}

function isNamed(types: TypeTable, { typeId: number, typeKind, typeName }: NamedId): boolean {
  const id = typeId(number);
  return (
    hasType(types, id) &&
    nameOf(types, id) === typeName &&
    kindName(kindOf(types, id)).toLowerCase() === typeKind
  );
}

function scoreOf({ isNamed, insns, sources, types }: ProgramMatch): number {
  const share = ([equal, compared]: Agreement) => (compared === 0 ? 0 : equal / compared);
  return (isNamed ? 4 : 0) + 2 * share(sources) + share(insns) + share(types);
}

/** Compares the matches of a part: positive if `match` agrees better than the other. */
export function compareMatches(match: ProgramMatch, other: ProgramMatch): number {
  return scoreOf(match) - scoreOf(other);
}

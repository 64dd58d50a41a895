/** The type of the other side that a person means when they say the same name. */
import { findTypeKey, typeKeyOf } from '#analysis/types/type-key.ts';
import type { TypeId } from '#model/ids.ts';
import { bestMatch } from './match-types.ts';
import type { PairGraph } from './pair-graph.ts';

/** What a kind turned into from one version to the next, the kind itself first. */
const KIN: Readonly<Record<string, readonly string[]>> = {
  struct: ['struct', 'union', 'fwd', 'typedef'],
  union: ['union', 'struct', 'fwd', 'typedef'],
  fwd: ['struct', 'union', 'fwd'],
  enum: ['enum', 'enum64'],
  enum64: ['enum64', 'enum'],
  typedef: ['typedef', 'struct', 'union', 'enum', 'int'],
  int: ['int', 'typedef'],
};

/** Equals that are tried; the first are those that a person knows. */
const MOST = 12;

/**
 * The type of side B with the name of `a` and its kind, or a kind that it may have
 * become; of several the one that is most like it. null where there is none.
 */
export function counterpartOf(graph: PairGraph, a: TypeId): TypeId | null {
  const { sides } = graph;
  const isOneTable = sides.a.types === sides.b.types;
  const { kind, name } = typeKeyOf(sides.a.types, a);
  if (name === '') return null;
  for (const kin of KIN[kind] ?? [kind]) {
    const equals: TypeId[] = [];
    for (let ordinal = 0; ordinal < MOST; ordinal++) {
      const id = findTypeKey(sides.b.types, { kind: kin, name, ordinal });
      if (id === null) break;
      if (!isOneTable || id !== a) equals.push(id);
    }
    const best = bestMatch(graph, a, equals);
    if (best !== null) return best;
  }
  return null;
}

/**
 * Which type of one table is which type of the other: by kind and name. Where
 * several have the same, those that are alike go together, then those that share
 * most of their names, then the first with the first.
 */

import { findTypeKey, typeKeyOf } from '#analysis/types/type-key.ts';
import { append } from '#bytes/append.ts';
import { keptIn } from '#bytes/keep.ts';
import { type TypeId, typeId } from '#model/ids.ts';
import { lastId } from '#model/type-table.ts';
import type { PairGraph } from './pair-graph.ts';
import { NoKey, type Side } from './side.ts';
import { Scopes, typeLines } from './type-lines.ts';

export type Matches = {
  /** Pairs of ids, `a` and `b` in turn. */
  readonly pairs: readonly (readonly [a: TypeId, b: TypeId])[];
  readonly removed: readonly TypeId[];
  readonly added: readonly TypeId[];
};

/** Beyond this many equals on a side they are taken in order: nobody means them one by one. */
const MOST_EQUALS = 24;

/** Own types with a key, by that key, in the order of their ids; most are alone, and then no list is made. */
export function typesByKey(side: Side): Map<number, TypeId | TypeId[]> {
  const { types } = side;
  const groups = new Map<number, TypeId | TypeId[]>();
  for (let n = types.firstId; n <= lastId(types); n++) {
    const id = typeId(n);
    const key = side.ownKeyOf(id);
    if (key < 0 || key === NoKey.unkeyed) continue;
    const known = groups.get(key);
    if (known === undefined) groups.set(key, id);
    else if (typeof known === 'number') groups.set(key, [known, id]);
    else known.push(id);
  }
  return groups;
}

/** Matches the own types of both sides. Yields now and then, so that others get in between. */
export function* matchTypes(graph: PairGraph): Generator<void, Matches> {
  const { a, b } = graph.sides;
  const before = typesByKey(a);
  yield;
  const after = typesByKey(b);
  yield;
  const pairs: (readonly [TypeId, TypeId])[] = [];
  const removed: TypeId[] = [];
  const unclear: (readonly [TypeId[], TypeId[]])[] = [];
  for (const [key, olds] of before) {
    const news = after.get(key);
    if (news === undefined) append(removed, listOf(olds));
    else if (typeof olds === 'number' && typeof news === 'number') {
      pairs.push([olds, news]);
      graph.add(olds, news);
    } else unclear.push([listOf(olds), listOf(news)]);
  }
  const added = [...after].flatMap(([key, news]) => (before.has(key) ? [] : news));
  for (const [olds, news] of unclear) {
    if (isSmall(olds, news)) for (const x of olds) for (const y of news) graph.add(x, y);
  }
  while (graph.work(BATCH)) yield;
  for (const [olds, news] of unclear) {
    const matched = isSmall(olds, news) ? bestPairs(graph, olds, news) : inTurn(olds, news);
    append(pairs, matched);
    append(removed, rest(olds, new Set(matched.map(([x]) => x))));
    append(added, rest(news, new Set(matched.map(([, y]) => y))));
    yield;
  }
  return { pairs, removed, added };
}

function listOf(ids: TypeId | TypeId[]): TypeId[] {
  return typeof ids === 'number' ? [ids] : ids;
}

/** Pairs that are looked at between two rests. */
const BATCH = 500;

function isSmall(olds: readonly TypeId[], news: readonly TypeId[]): boolean {
  return olds.length <= MOST_EQUALS && news.length <= MOST_EQUALS;
}

function rest(ids: readonly TypeId[], taken: ReadonlySet<TypeId>): TypeId[] {
  return ids.filter((id) => !taken.has(id));
}

function inTurn(olds: readonly TypeId[], news: readonly TypeId[]): [TypeId, TypeId][] {
  return olds.slice(0, news.length).flatMap((old, i): [TypeId, TypeId][] => {
    const now = news[i];
    return now === undefined ? [] : [[old, now]];
  });
}

type Trial = { readonly a: TypeId; readonly b: TypeId; readonly score: number };

function bestPairs(
  graph: PairGraph,
  olds: readonly TypeId[],
  news: readonly TypeId[],
): [TypeId, TypeId][] {
  const before = namesOnce(graph.sides.a);
  const after = namesOnce(graph.sides.b);
  const trials = olds.flatMap((a) =>
    news.map((b): Trial => ({ a, b, score: score(graph, a, b, before, after) })),
  );
  // The sort is stable: among equals the first goes with the first.
  trials.sort((x, y) => y.score - x.score);
  const taken = { a: new Set<TypeId>(), b: new Set<TypeId>() };
  const pairs: [TypeId, TypeId][] = [];
  for (const { a, b } of trials) {
    if (taken.a.has(a) || taken.b.has(b)) continue;
    taken.a.add(a);
    taken.b.add(b);
    pairs.push([a, b]);
  }
  return pairs.sort(([x], [y]) => x - y);
}

/** 3: the same, 2: changed inside only, less: the part of the names that they share. */
function score(graph: PairGraph, a: TypeId, b: TypeId, before: NamesOf, after: NamesOf): number {
  const verdict = graph.verdictOf(a, b);
  if (verdict !== 'direct') return verdict === 'same' ? 3 : 2;
  const old = before(a);
  const now = after(b);
  let shared = 0;
  for (const name of old) if (now.has(name)) shared++;
  return shared / Math.max(1, old.size, now.size);
}

type NamesOf = (id: TypeId) => ReadonlySet<number>;

/** The names in a type, found when they are first asked for. */
function namesOnce(side: Side): NamesOf {
  const known = new Map<TypeId, ReadonlySet<number>>();
  const find = (id: TypeId) =>
    new Set(typeLines(side, id, new Scopes()).lines.map(({ nameId }) => nameId));
  return (id) => keptIn(known, id, () => find(id));
}

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
    const best = bestPairs(graph, [a], equals)[0]?.[1] ?? null;
    if (best !== null) return best;
  }
  return null;
}

/**
 * Which type of one table is which type of the other: by kind and name. Where
 * several have the same, those that are alike go together, then those that share
 * most of their names, then the first with the first.
 */
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

/** Own types with a key, by that key, in the order of their ids. */
export function typesByKey(side: Side): Map<number, TypeId[]> {
  const { types } = side;
  const groups = new Map<number, TypeId[]>();
  for (let n = types.firstId; n <= lastId(types); n++) {
    const id = typeId(n);
    const key = side.ownKeyOf(id);
    if (key < 0 || key === NoKey.unkeyed) continue;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [id]);
    else group.push(id);
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
    const [old] = olds;
    const [now] = news ?? [];
    if (news === undefined) removed.push(...olds);
    else if (old !== undefined && now !== undefined && olds.length === 1 && news.length === 1) {
      pairs.push([old, now]);
      graph.add(old, now);
    } else unclear.push([olds, news]);
  }
  const added = [...after].flatMap(([key, news]) => (before.has(key) ? [] : news));
  for (const [olds, news] of unclear) {
    if (isSmall(olds, news)) for (const x of olds) for (const y of news) graph.add(x, y);
  }
  while (graph.work(BATCH)) yield;
  for (const [olds, news] of unclear) {
    const matched = isSmall(olds, news) ? bestPairs(graph, olds, news) : inTurn(olds, news);
    pairs.push(...matched);
    removed.push(...rest(olds, new Set(matched.map(([x]) => x))));
    added.push(...rest(news, new Set(matched.map(([, y]) => y))));
    yield;
  }
  return { pairs, removed, added };
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
  return (id) => {
    const names =
      known.get(id) ?? new Set(typeLines(side, id, new Scopes()).lines.map(({ nameId }) => nameId));
    known.set(id, names);
    return names;
  };
}

/** The one of `candidates` that is most like `a`, the first among equals; null where there are none. */
export function bestMatch(
  graph: PairGraph,
  a: TypeId,
  candidates: readonly TypeId[],
): TypeId | null {
  return bestPairs(graph, [a], candidates)[0]?.[1] ?? null;
}

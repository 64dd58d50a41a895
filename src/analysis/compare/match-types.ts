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
import { nameOfKey, type Side } from './side.ts';
import { Scopes, typeLines } from './type-lines.ts';

export type Matches = {
  /** Pairs of ids, `a` and `b` in turn. */
  readonly pairs: readonly (readonly [a: TypeId, b: TypeId])[];
  readonly removed: readonly TypeId[];
  readonly added: readonly TypeId[];
};

/** Beyond this many equals on a side they are taken in order: nobody means them one by one. */
const MOST_EQUALS = 24;

/** The own types of a side by their key, in lists that are columns: a kernel has a hundred thousand keys. */
export class TypesByKey {
  /** The first type of each key, in the order of their ids. */
  readonly firsts: readonly TypeId[];
  readonly #side: Side;
  readonly #firstId: number;
  /** By the number of a name: a first type with it; 0 = none. */
  readonly #ofName: Uint32Array;
  /** By type, as all below: another first with its name; 0 = none. */
  readonly #otherKey: Uint32Array;
  /** The next type with its key; 0 = none. */
  readonly #sameKey: Uint32Array;

  constructor(side: Side) {
    const { types } = side;
    const { firstId } = types;
    const end = lastId(types) + 1;
    // Numbers all names.
    for (let n = firstId; n < end; n++) side.ownKeyOf(typeId(n));
    this.#side = side;
    this.#firstId = firstId;
    this.#ofName = new Uint32Array(side.nameCount);
    this.#otherKey = new Uint32Array(end - firstId);
    this.#sameKey = new Uint32Array(end - firstId);
    const last = new Uint32Array(end - firstId);
    const firsts: TypeId[] = [];
    for (let n = firstId; n < end; n++) {
      const id = typeId(n);
      const key = side.ownKeyOf(id);
      if (key < 0) continue;
      const first = this.firstOf(key);
      if (first === null) {
        const name = nameOfKey(key);
        this.#otherKey[n - firstId] = this.#ofName[name] ?? 0;
        this.#ofName[name] = n;
        firsts.push(id);
      } else this.#sameKey[(last[first - firstId] ?? 0) - firstId] = n;
      last[(first ?? n) - firstId] = n;
    }
    this.firsts = firsts;
  }

  /** The first type with this key; null where there is none. */
  firstOf(key: number): TypeId | null {
    let at = this.#ofName[nameOfKey(key)] ?? 0;
    for (; at !== 0; at = this.#otherKey[at - this.#firstId] ?? 0) {
      if (this.#side.ownKeyOf(typeId(at)) === key) return typeId(at);
    }
    return null;
  }

  isAlone(first: TypeId): boolean {
    return this.#sameKey[first - this.#firstId] === 0;
  }

  /** `first` and those with its key, in the order of their ids. */
  listFrom(first: TypeId): TypeId[] {
    const list: TypeId[] = [];
    for (let at: number = first; at !== 0; at = this.#sameKey[at - this.#firstId] ?? 0) {
      list.push(typeId(at));
    }
    return list;
  }
}

/** Matches the own types of both sides. Yields now and then, so that others get in between. */
export function* matchTypes(graph: PairGraph): Generator<void, Matches> {
  const { a, b } = graph.sides;
  const before = new TypesByKey(a);
  yield;
  const after = new TypesByKey(b);
  yield;
  const pairs: (readonly [TypeId, TypeId])[] = [];
  const removed: TypeId[] = [];
  const added: TypeId[] = [];
  const unclear: (readonly [TypeId[], TypeId[]])[] = [];
  for (const old of before.firsts) {
    const now = after.firstOf(a.ownKeyOf(old));
    if (now === null) append(removed, before.listFrom(old));
    else if (before.isAlone(old) && after.isAlone(now)) {
      pairs.push([old, now]);
      graph.add(old, now);
    } else unclear.push([before.listFrom(old), after.listFrom(now)]);
  }
  for (const now of after.firsts) {
    if (before.firstOf(b.ownKeyOf(now)) === null) append(added, after.listFrom(now));
  }
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

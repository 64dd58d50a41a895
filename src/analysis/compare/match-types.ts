/** Matches the types of two tables by kind and name, then by similarity. */
import { findTypeKey, typeKeyOf } from '#analysis/types/type-key.ts';
import { append } from '#bytes/arrays.ts';
import { getOrCreate } from '#bytes/cache.ts';
import { type TypeId, typeId } from '#model/ids.ts';
import { lastId } from '#model/type-table.ts';
import type { PairGraph } from './pair-graph.ts';
import { nameOfKey, type Side } from './side.ts';
import { Scopes, typeLines } from './type-lines.ts';

export type Matches = {
  readonly pairs: readonly (readonly [a: TypeId, b: TypeId])[];
  readonly removed: readonly TypeId[];
  readonly added: readonly TypeId[];
};

/** Maximum number of types per key and side to compare; longer lists are paired in id order. */
const MAX_EQUALS = 24;

/** Types of one side by key, without those of its base. Linked lists in arrays save memory. */
export class TypesByKey {
  /** First type of each key, sorted by id. */
  readonly firsts: readonly TypeId[];
  readonly #side: Side;
  readonly #firstId: number;
  /** First type of each name, by name number; 0 if no type has the name. */
  readonly #ofName: Uint32Array;
  /** Next type that has the same name and is the first of another key; 0 at the end. */
  readonly #otherKey: Uint32Array;
  /** Next type with the same key; 0 at the end. */
  readonly #sameKey: Uint32Array;

  constructor(side: Side) {
    const { types } = side;
    const { firstId } = types;
    const end = lastId(types) + 1;
    // Assigns numbers to all names.
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

  /** Returns the first type with `key`, or null. */
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

  /** Returns `first` and all other types with its key, sorted by id. */
  listFrom(first: TypeId): TypeId[] {
    const list: TypeId[] = [];
    for (let at: number = first; at !== 0; at = this.#sameKey[at - this.#firstId] ?? 0) {
      list.push(typeId(at));
    }
    return list;
  }
}

/** Matches the types of both sides. Yields every few hundred pairs, so that a caller can pause. */
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

/** Number of pairs to compare between two yields. */
const BATCH = 500;

function isSmall(olds: readonly TypeId[], news: readonly TypeId[]): boolean {
  return olds.length <= MAX_EQUALS && news.length <= MAX_EQUALS;
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
  // The sort is stable: pairs with equal scores keep their order.
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

/** Returns 3 for equal types, 2 for a change inside, else the share (0 to 1) of common names. */
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

/** Returns a function that returns the names in a type; it collects them once per type. */
function namesOnce(side: Side): NamesOf {
  const known = new Map<TypeId, ReadonlySet<number>>();
  const find = (id: TypeId) =>
    new Set(typeLines(side, id, new Scopes()).lines.map(({ nameId }) => nameId));
  return (id) => getOrCreate(known, id, () => find(id));
}

/** By kind: kinds of the types that may be a newer version of the type, in the order of search. */
const KIN: Readonly<Record<string, readonly string[]>> = {
  struct: ['struct', 'union', 'fwd', 'typedef'],
  union: ['union', 'struct', 'fwd', 'typedef'],
  fwd: ['struct', 'union', 'fwd'],
  enum: ['enum', 'enum64'],
  enum64: ['enum64', 'enum'],
  typedef: ['typedef', 'struct', 'union', 'enum', 'int'],
  int: ['int', 'typedef'],
};

/** Maximum number of equally named types to compare. */
const MAX_COMPARED = 12;

/** Returns the type of B most similar to `a`, with its name and a related kind, or null. */
export function counterpartOf(graph: PairGraph, a: TypeId): TypeId | null {
  const { sides } = graph;
  const isOneTable = sides.a.types === sides.b.types;
  const { kind, name } = typeKeyOf(sides.a.types, a);
  if (name === '') return null;
  for (const kin of KIN[kind] ?? [kind]) {
    const equals: TypeId[] = [];
    for (let ordinal = 0; ordinal < MAX_COMPARED; ordinal++) {
      const id = findTypeKey(sides.b.types, { kind: kin, name, ordinal });
      if (id === null) break;
      if (!isOneTable || id !== a) equals.push(id);
    }
    const best = bestPairs(graph, [a], equals)[0]?.[1] ?? null;
    if (best !== null) return best;
  }
  return null;
}

/** Finds types of the same kind and name, and the nearest difference that prevents their merge. */
import { typeExpression } from '#analysis/types/type-name.ts';
import type { Progress } from '#bytes/long-work.ts';
import type { TypeId } from '#model/ids.ts';
import { isComposite, memberAt, paramsOf } from '#model/type-items.ts';
import { kindOf, lastId, refOf, type TypeTable } from '#model/type-table.ts';
import { headChanges, lineName } from './changes.ts';
import { compareTypes, pairGraphOf } from './compare-types.ts';
import { changeText, typeLabel } from './comparison-text.ts';
import { TypesByKey } from './match-types.ts';
import type { PairGraph } from './pair-graph.ts';
import { sameRecord } from './record-shape.ts';
import { NoKey } from './side.ts';

export type Duplicate = {
  readonly id: TypeId;
  /** Member names from the type to the difference, not escaped; empty for the type itself. */
  readonly path: readonly string[];
  /** Differing types reached from the first copy and from this copy; null if none differ. */
  readonly at: { readonly a: TypeId; readonly b: TypeId } | null;
  /** Text of the difference, not escaped. */
  readonly why: string;
};

export type DuplicateGroup = {
  readonly first: TypeId;
  readonly others: readonly Duplicate[];
};

/** Maximum number of type pairs to compare per copy. */
const MAX_PAIRS = 200_000;
const MAX_NAMES = 12;

/** Returns groups of equally named types, sorted by first id. Yields its progress. */
export function* duplicateTypes(t: TypeTable): Generator<Progress, DuplicateGroup[], void> {
  const graph = pairGraphOf(t, t);
  const byKey = new TypesByKey(graph.sides.a);
  const groups = byKey.firsts.flatMap((id) => (byKey.isAlone(id) ? [] : [byKey.listFrom(id)]));
  const search = new DeepSearch(graph);
  const duplicates: DuplicateGroup[] = [];
  for (const [done, [first, ...rest]] of groups.entries()) {
    if (first === undefined) continue;
    const others: Duplicate[] = [];
    for (const id of rest) {
      others.push(search.between(first, id));
      yield { step: 'comparing', done, total: groups.length };
    }
    duplicates.push({ first, others });
  }
  return duplicates;
}

type Step = {
  readonly a: TypeId;
  readonly b: TypeId;
  readonly from: number;
  readonly index: number;
};

class DeepSearch {
  readonly #graph: PairGraph;
  readonly #stride: number;
  /** Pairs of types from which no difference can be reached. */
  readonly #alike = new Set<number>();

  constructor(graph: PairGraph) {
    this.#graph = graph;
    this.#stride = lastId(graph.sides.b.types) + 1;
  }

  /** Returns the nearest difference of two types by a breadth-first search. */
  between(a: TypeId, b: TypeId): Duplicate {
    const { sides } = this.#graph;
    const steps: Step[] = [{ a, b, from: -1, index: -1 }];
    const seen = new Set<number>([this.#keyOf(a, b)]);
    for (let at = 0; at < steps.length && at < MAX_PAIRS; at++) {
      const step = steps[at];
      if (step === undefined) break;
      const isSame = sameRecord(sides, step.a, step.b, (x, y, _isPointed, index) => {
        if (x === y) return true;
        const key = sides.a.keyOf(x);
        if (key !== sides.b.keyOf(y)) return false;
        if (key === NoKey.void || key === NoKey.missing) return true;
        const [kindA, kindB] = [kindOf(sides.a.types, x), kindOf(sides.b.types, y)];
        if (kindA !== kindB) return false;
        const pair = this.#keyOf(x, y);
        if (!seen.has(pair) && !this.#alike.has(pair)) {
          seen.add(pair);
          steps.push({ a: x, b: y, from: at, index });
        }
        return true;
      });
      if (!isSame) return this.#duplicateAt(b, steps, at);
    }
    if (steps.length <= MAX_PAIRS) for (const pair of seen) this.#alike.add(pair);
    return { id: b, path: [], at: null, why: 'identical copies' };
  }

  #keyOf(a: TypeId, b: TypeId): number {
    return a * this.#stride + b;
  }

  #duplicateAt(id: TypeId, steps: readonly Step[], at: number): Duplicate {
    const last = steps[at];
    if (last === undefined) return { id, path: [], at: null, why: '' };
    const path: string[] = [];
    for (let i = at; i > 0 && path.length < MAX_NAMES; ) {
      const step = steps[i];
      const from = step && steps[step.from];
      if (step === undefined || from === undefined) break;
      const name = this.#itemName(from.a, step.index);
      if (name !== '') path.unshift(name);
      i = step.from;
    }
    const why = this.#whyOf(last.a, last.b, last.from >= 0);
    return { id, path, at: { a: last.a, b: last.b }, why };
  }

  /** Returns the name of member or parameter `index` of a type; empty if it has no name. */
  #itemName(id: TypeId, index: number): string {
    const { types } = this.#graph.sides.a;
    if (index < 0) return '';
    if (isComposite(kindOf(types, id))) return memberAt(types, id, index)?.name ?? '';
    return paramsOf(types, id)[index]?.name ?? '';
  }

  #whyOf(a: TypeId, b: TypeId, isElsewhere: boolean): string {
    const graph = this.#graph;
    const where = isElsewhere ? typeLabel(graph.sides.a.types, a) : '(anon)';
    const [head] = headChanges(graph.sides, a, b);
    const prefix = where === '(anon)' ? '' : `${where}: `;
    if (head !== undefined) return `${prefix}${changeText(head)}`;
    for (const { a: x, b: y, changes } of compareTypes(graph, a, b).lines) {
      const [change] = changes.filter(({ what }) => what !== 'inside');
      if (change === undefined) continue;
      const line = y === null ? x : y;
      const name = line === null ? '' : lineName(y === null ? graph.sides.a : graph.sides.b, line);
      return `${prefix}${name === '' ? '' : `${name} `}${changeText(change)}`;
    }
    const target = refOf(graph.sides.a.types, a) ?? a;
    return `${prefix}${typeExpression(graph.sides.a.types, target)} is only declared on one side`;
  }
}

/** Finds types of the same kind and name, and the nearest difference that prevents their merge. */
import { typeExpression } from '#analysis/types/type-name.ts';
import type { Progress } from '#bytes/long-work.ts';
import type { TypeId } from '#model/ids.ts';
import { isComposite, memberAt, paramsOf } from '#model/type-items.ts';
import { kindOf, lastId, refOf, type TypeTable, vlenOf } from '#model/type-table.ts';
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
/** Text of a comparison that found no difference. */
export const IDENTICAL = 'identical copies';

/** Returns groups of equally named types, sorted by first id. Yields its progress. */
export function* duplicateTypes(t: TypeTable): Generator<Progress, DuplicateGroup[], void> {
  const search = new DuplicateSearch(t);
  const groups = search.groups();
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

/** Finds equally named types of a table, without its base, and compares two of them. */
export class DuplicateSearch {
  readonly #graph: PairGraph;
  readonly #stride: number;
  readonly #maxPairs: number;
  /** Pairs of types from which no difference can be reached. */
  readonly #alike = new Set<number>();
  /** Work so far: the compared pairs with their members and parameters. */
  compared = 0;

  /** `maxPairs`: maximum number of type pairs that `between` compares. */
  constructor(t: TypeTable, maxPairs = MAX_PAIRS) {
    this.#graph = pairGraphOf(t, t);
    this.#stride = lastId(t) + 1;
    this.#maxPairs = maxPairs;
  }

  /** Returns the groups of two or more types of one kind and name, in the order of ids. */
  groups(): (readonly TypeId[])[] {
    const byKey = new TypesByKey(this.#graph.sides.a);
    return byKey.firsts.flatMap((id) => (byKey.isAlone(id) ? [] : [byKey.listFrom(id)]));
  }

  /** Returns the nearest difference of two types by a breadth-first search. */
  between(a: TypeId, b: TypeId): Duplicate {
    const { sides } = this.#graph;
    const steps: Step[] = [{ a, b, from: -1, index: -1 }];
    const seen = new Set<number>([this.#keyOf(a, b)]);
    for (let at = 0; at < steps.length && at < this.#maxPairs; at++) {
      const step = steps[at];
      if (step === undefined) break;
      this.compared += 1 + vlenOf(sides.a.types, step.a) + vlenOf(sides.a.types, step.b);
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
    const isWhole = steps.length <= this.#maxPairs;
    if (isWhole) for (const pair of seen) this.#alike.add(pair);
    const why = isWhole ? IDENTICAL : `no difference in ${this.#maxPairs} types`;
    return { id: b, path: [], at: null, why };
  }

  /** Returns the first difference of a member or parameter of two types, as text; else null. */
  lineChange(a: TypeId, b: TypeId): string | null {
    const { sides } = this.#graph;
    for (const { a: x, b: y, changes } of compareTypes(this.#graph, a, b).lines) {
      const [change] = changes.filter(({ what }) => what !== 'inside');
      if (change === undefined) continue;
      const line = y === null ? x : y;
      const name = line === null ? '' : lineName(y === null ? sides.a : sides.b, line);
      return `${name === '' ? '' : `${name} `}${changeText(change)}`;
    }
    return null;
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
    const line = this.lineChange(a, b);
    if (line !== null) return `${prefix}${line}`;
    const target = refOf(graph.sides.a.types, a) ?? a;
    return `${prefix}${typeExpression(graph.sides.a.types, target)} is only declared on one side`;
  }
}

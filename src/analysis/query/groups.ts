/**
 * Aggregates over one table, computed while its rows are read: the engine keeps all rows of all groups until the
 * last one is read, which for the members of many kernels is gigabytes. Here a group is its first row and what
 * its aggregates have come to. Values are counted and compared as squirreling does (`evaluateExpr`).
 */
import type { Condition, Getter } from './predicate.ts';
import type { SqlValue } from './table.ts';

/** An aggregate of a query that is computed here. */
export type Aggregate<Row> = {
  readonly kind: 'COUNT' | 'SUM' | 'AVG' | 'MIN' | 'MAX';
  /** What is aggregated; null: rows. */
  readonly of: Getter<Row> | null;
  readonly isDistinct: boolean;
  /** Only rows that pass. */
  readonly filter: Condition<Row> | null;
};

/** The groups that a scan gives in place of its rows. */
export type Grouping<Row> = {
  /** Rows with equal keys are a group; without any all rows are one. */
  readonly keys: readonly Getter<Row>[];
  /** By the name of the column that has the result. */
  readonly aggregates: Map<string, Aggregate<Row>>;
};

/** A group: its first row, null where there is none, and the results by the names of their columns. */
export type Group<Row> = {
  readonly first: Row | null;
  readonly results: ReadonlyMap<string, SqlValue>;
};

/** Takes rows, and gives their groups, in the order of their first rows. */
export class Groups<Row> {
  readonly #grouping: Grouping<Row>;
  readonly #groups = new Map<string | SqlValue, { first: Row | null; sums: Sum<Row>[] }>();

  constructor(grouping: Grouping<Row>) {
    this.#grouping = grouping;
    if (grouping.keys.length === 0) this.#groups.set('', this.#begin(null));
  }

  add(row: Row): void {
    const key = this.#keyOf(row);
    let group = this.#groups.get(key);
    if (group === undefined) {
      group = this.#begin(row);
      this.#groups.set(key, group);
    }
    group.first ??= row;
    for (const sum of group.sums) sum.add(row);
  }

  *results(): Generator<Group<Row>, void, undefined> {
    const names = [...this.#grouping.aggregates.keys()];
    for (const { first, sums } of this.#groups.values()) {
      yield { first, results: new Map(names.map((name, i) => [name, sums[i]?.result ?? null])) };
    }
  }

  #begin(first: Row | null) {
    return { first, sums: Array.from(this.#grouping.aggregates.values(), (one) => new Sum(one)) };
  }

  #keyOf(row: Row): string | SqlValue {
    const [first, ...others] = this.#grouping.keys;
    if (first === undefined) return '';
    const value = first(row);
    return others.length === 0 ? value : keyOf([value, ...others.map((key) => key(row))]);
  }
}

/** One text for several values, the same where all are the same. */
function keyOf(values: readonly SqlValue[]): string {
  return values
    .map((value) => {
      const text = String(value);
      return `${typeof value}${text.length}:${text}`;
    })
    .join('');
}

/** What one aggregate of one group has come to. */
class Sum<Row> {
  readonly #aggregate: Aggregate<Row>;
  readonly #seen: Set<SqlValue> | null;
  #count = 0;
  #sum = 0;
  #best: SqlValue = null;

  constructor(aggregate: Aggregate<Row>) {
    this.#aggregate = aggregate;
    this.#seen = aggregate.isDistinct ? new Set() : null;
  }

  add(row: Row): void {
    const { kind, of, filter } = this.#aggregate;
    if (filter !== null && !filter.keeps(row)) return;
    if (of === null) {
      this.#count++;
      return;
    }
    const value = of(row);
    if (value === null) return;
    if (this.#seen !== null) this.#seen.add(value);
    else if (kind === 'COUNT') this.#count++;
    else if (kind === 'MIN') {
      if (this.#best === null || value < this.#best) this.#best = value;
    } else if (kind === 'MAX') {
      if (this.#best === null || value > this.#best) this.#best = value;
    } else {
      const number = Number(value);
      if (!Number.isFinite(number)) return;
      this.#sum += number;
      this.#count++;
    }
  }

  get result(): SqlValue {
    const count = this.#count;
    switch (this.#aggregate.kind) {
      case 'COUNT':
        return this.#seen?.size ?? count;
      case 'SUM':
        return count === 0 ? null : this.#sum;
      case 'AVG':
        return count === 0 ? null : this.#sum / count;
      default:
        return this.#best;
    }
  }
}

/**
 * Computes aggregates over one table while its rows are read. The engine would keep all rows
 * (`executeHashAggregate`): gigabytes for many kernels. A group keeps only its first row and a
 * number per aggregate. Counts and compares values as squirreling's `evaluateExpr` does.
 */
import { getOrCreate } from '#bytes/cache.ts';
import type { Condition, Getter } from './predicate.ts';
import type { SqlValue } from './table.ts';

/** An aggregate that is computed while rows are read. */
export type Aggregate<Row> = {
  readonly kind: 'COUNT' | 'SUM' | 'AVG' | 'MIN' | 'MAX';
  /** Returns the value to aggregate; null to count rows. */
  readonly of: Getter<Row> | null;
  readonly isDistinct: boolean;
  /** Condition of FILTER (WHERE …); null without FILTER. */
  readonly filter: Condition<Row> | null;
};

/** GROUP BY and aggregates of a scan, which then yields groups in place of rows. */
export type Grouping<Row> = {
  /** Keys of GROUP BY: rows with equal keys form a group. Without keys all rows form one group. */
  readonly keys: readonly Getter<Row>[];
  /** Aggregates by name of the result column. */
  readonly aggregates: Map<string, Aggregate<Row>>;
};

/** A group: its first row (null without rows), and its results by column name. */
export type Group<Row> = {
  readonly first: Row | null;
  readonly results: ReadonlyMap<string, SqlValue>;
};

/** Collects rows into groups. The order of the groups is the order of their first rows. */
export class Groups<Row> {
  readonly #grouping: Grouping<Row>;
  readonly #groups = new Map<string | SqlValue, { first: Row | null; sums: Sum<Row>[] }>();

  constructor(grouping: Grouping<Row>) {
    this.#grouping = grouping;
    if (grouping.keys.length === 0) this.#groups.set('', this.#begin(null));
  }

  add(row: Row): void {
    const group = getOrCreate(this.#groups, this.#keyOf(row), () => this.#begin(row));
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
    const aggregates = [...this.#grouping.aggregates.values()];
    return { first, sums: aggregates.map((aggregate) => new Sum(aggregate)) };
  }

  #keyOf(row: Row): string | SqlValue {
    const [first, ...others] = this.#grouping.keys;
    if (first === undefined) return '';
    const value = first(row);
    return others.length === 0 ? value : keyOf([value, ...others.map((key) => key(row))]);
  }
}

/** Returns a text that is equal for equal values. */
function keyOf(values: readonly SqlValue[]): string {
  return values
    .map((value) => {
      const text = String(value);
      return `${typeof value}${text.length}:${text}`;
    })
    .join('');
}

/** Running result of one aggregate in one group. */
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

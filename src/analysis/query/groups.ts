/**
 * Aggregates over one table, computed while its rows are read. The engine would keep all rows
 * (`executeHashAggregate`), gigabytes for many kernels; a group here is its first row and one number per
 * aggregate. Values are counted and compared as in squirreling's `evaluateExpr`.
 */
import { getOrCreate } from '#bytes/cache.ts';
import type { Condition, Getter } from './predicate.ts';
import type { SqlValue } from './table.ts';

/** A streamed aggregate. */
export type Aggregate<Row> = {
  readonly kind: 'COUNT' | 'SUM' | 'AVG' | 'MIN' | 'MAX';
  /** The aggregated value; null counts rows. */
  readonly of: Getter<Row> | null;
  readonly isDistinct: boolean;
  /** Condition of FILTER (WHERE …). */
  readonly filter: Condition<Row> | null;
};

/** Groups that a scan yields in place of its rows. */
export type Grouping<Row> = {
  /** Rows with equal keys form a group; without keys all rows form one group. */
  readonly keys: readonly Getter<Row>[];
  /** Aggregates by the name of their result column. */
  readonly aggregates: Map<string, Aggregate<Row>>;
};

/** A group: its first row, null if there is none, and the results by column name. */
export type Group<Row> = {
  readonly first: Row | null;
  readonly results: ReadonlyMap<string, SqlValue>;
};

/** Collects rows into groups, ordered by their first rows. */
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

/** Returns one text for several values: equal texts for equal values. */
function keyOf(values: readonly SqlValue[]): string {
  return values
    .map((value) => {
      const text = String(value);
      return `${typeof value}${text.length}:${text}`;
    })
    .join('');
}

/** Running value of one aggregate of one group. */
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

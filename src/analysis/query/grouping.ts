/**
 * Rewrites a query with aggregates over one table to a query over the groups of the table (`groups.ts`): a column of the scan
 * for each aggregate, and WHERE for HAVING. Result names are resolved as in squirreling's `planSelect`.
 */
import { derivedAlias, type ExprNode, type SelectStatement } from 'squirreling';
import type { Aggregate, Grouping } from './groups.ts';
import {
  type Condition,
  conditionOf,
  conjuncts,
  type Getter,
  type Identifier,
  identifiers,
} from './predicate.ts';

type ColumnOf<Row> = (identifier: Identifier) => Getter<Row> | null;
type Call = Extract<ExprNode, { type: 'function' }>;

/** Aggregates that are computed while rows are read. */
const STREAMED: ReadonlySet<string> = new Set(['COUNT', 'SUM', 'AVG', 'MIN', 'MAX']);
/** Aggregates that need all values of a group at once. */
const WHOLE: ReadonlySet<string> = new Set([
  'STDDEV_SAMP',
  'STDDEV_POP',
  'MEDIAN',
  'PERCENTILE_CONT',
  'APPROX_QUANTILE',
  'JSON_ARRAYAGG',
  'ARRAY_AGG',
  'STRING_AGG',
]);
/** Expressions that can name columns of other tables or read other rows. */
const OTHER_ROWS: ReadonlySet<string> = new Set([
  'subquery',
  'in',
  'exists',
  'not exists',
  'window',
]);

export type Grouped<Row> = {
  readonly select: SelectStatement;
  readonly grouping: Grouping<Row>;
  /** Conditions on rows, before grouping. */
  readonly conditions: readonly Condition<Row>[];
};

/** Does the select group its rows, or aggregate all of them? */
export function hasGroups({ groupBy, columns }: SelectStatement): boolean {
  return groupBy.length > 0 || nodesOf([columns], isAggregate).length > 0;
}

/**
 * `select`, which is from one table, over the groups of that table. null where it has no aggregates and no GROUP BY,
 * or where the engine has to do it: a part of it cannot be compiled. `alias` is that of the table, and `name` gives the
 * name of the column for an aggregate, by number.
 */
export function groupedSelect<Row>(
  select: SelectStatement,
  alias: string,
  columnOf: ColumnOf<Row>,
  name: (number: number) => string,
): Grouped<Row> | null {
  const { columns, groupBy, having, orderBy, where } = select;
  const all = [columns, groupBy, having, orderBy];
  const calls = nodesOf([columns, having, orderBy], isAggregate);
  if (!hasGroups(select) || nodesOf(all, ({ type }) => OTHER_ROWS.has(type)).length > 0)
    return null;
  const conditions = conjuncts(where).map((part) => conditionOf<Row>(part, columnOf));
  if (!isWhole(conditions)) return null;

  const named = new Map<string, ExprNode>();
  for (const column of columns) {
    if (column.type === 'star') return null;
    if (column.alias !== undefined) named.set(column.alias, column.expr);
  }
  const keys = groupBy.map(
    (key) => conditionOf<Row>(withNames(key, named), columnOf)?.keeps ?? null,
  );
  if (!isWhole(keys)) return null;

  const aggregates = new Map<string, Aggregate<Row>>();
  const places = new Map<ExprNode, ExprNode>();
  for (const call of calls) {
    // The engine replaces a result name by its expression, which may be an aggregate.
    const isClear = identifiers(call).every(({ prefix, name: of }) => prefix || !named.has(of));
    const aggregate = isClear ? aggregateOf(call as Call, columnOf) : null;
    if (aggregate === null) return null;
    const column = name(aggregates.size);
    aggregates.set(column, aggregate);
    const { positionStart, positionEnd } = call;
    places.set(call, {
      type: 'identifier',
      prefix: alias,
      name: column,
      positionStart,
      positionEnd,
    });
  }
  const placed = <T>(part: T): T => replaced(part, (node) => places.get(node) ?? null);
  const written = columns.map((column) =>
    column.type === 'star'
      ? column
      : { ...placed(column), alias: column.alias ?? derivedAlias(column.expr) },
  );
  const results = new Map([...named].map(([of, expr]) => [of, placed(expr)]));
  const { having: _, where: __, ...rest } = select;
  return {
    grouping: { keys, aggregates },
    conditions,
    select: {
      ...rest,
      columns: written,
      groupBy: [],
      orderBy: placed(orderBy),
      ...(having && { where: withNames(placed(having), results) }),
    },
  };
}

function isWhole<T>(list: readonly (T | null)[]): list is readonly T[] {
  return !list.includes(null);
}

function isAggregate(node: ExprNode): boolean {
  if (node.type !== 'function') return false;
  const name = node.funcName.toUpperCase();
  return STREAMED.has(name) || WHOLE.has(name);
}

/** Returns the call as a streamed aggregate; null for another aggregate, or an argument that does not compile. */
function aggregateOf<Row>(
  { funcName, args, distinct = false, filter }: Call,
  columnOf: ColumnOf<Row>,
): Aggregate<Row> | null {
  const kind = funcName.toUpperCase();
  const [argument, ...others] = args;
  if (!STREAMED.has(kind) || argument === undefined || others.length > 0) return null;
  const isRows = argument.type === 'star' && kind === 'COUNT';
  const of = isRows ? null : (conditionOf<Row>(argument, columnOf)?.keeps ?? null);
  const passes = filter === undefined ? null : conditionOf<Row>(filter, columnOf);
  if ((of === null && !isRows) || (passes === null && filter !== undefined)) return null;
  const isDistinct = distinct && kind === 'COUNT';
  return { kind: kind as Aggregate<Row>['kind'], of, isDistinct, filter: passes };
}

/** Returns `expr` with the names of the result replaced by their expressions. */
function withNames(expr: ExprNode, names: ReadonlyMap<string, ExprNode>): ExprNode {
  return replaced(expr, (node) =>
    node.type === 'identifier' && node.prefix === undefined ? (names.get(node.name) ?? null) : null,
  );
}

/** Returns the nodes of a statement that pass, without those inside a node that passes. */
function nodesOf(part: unknown, passes: (node: ExprNode) => boolean): ExprNode[] {
  const found: ExprNode[] = [];
  replaced(part, (node) => {
    if (!passes(node)) return null;
    found.push(node);
    return node;
  });
  return found;
}

/** Copies a part of a statement with nodes replaced by `other`. Where `other` returns null, it is called for the children. */
function replaced<T>(part: T, other: (node: ExprNode) => ExprNode | null): T {
  if (typeof part !== 'object' || part === null) return part;
  if (Array.isArray(part)) return part.map((one) => replaced(one, other)) as T;
  const found = 'type' in part ? other(part as unknown as ExprNode) : null;
  if (found !== null) return found as T;
  return Object.fromEntries(
    Object.entries(part).map(([key, value]) => [key, replaced(value, other)]),
  ) as T;
}

/**
 * Rewrites a query with aggregates over one table, so that the scan of the table yields groups
 * (`groups.ts`). Each aggregate becomes a column of the scan, and HAVING becomes WHERE. Names of
 * result columns are resolved as in squirreling's `planSelect`.
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

/** Aggregates that can be computed while rows are read. */
const STREAMED: ReadonlySet<string> = new Set(['COUNT', 'SUM', 'AVG', 'MIN', 'MAX']);
/** Aggregates that need all values of a group in memory. */
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
/** Expressions that can refer to columns of other tables or to other rows. */
const OTHER_ROWS = new Set(['subquery', 'in', 'exists', 'not exists', 'window']);

export type Grouped<Row> = {
  readonly select: SelectStatement;
  readonly grouping: Grouping<Row>;
  /** Conditions that a row must pass before grouping. */
  readonly conditions: readonly Condition<Row>[];
};

/** Returns true if the SELECT has a GROUP BY or an aggregate. */
export function hasGroups({ groupBy, columns }: SelectStatement): boolean {
  return groupBy.length > 0 || nodesOf([columns], isAggregate).length > 0;
}

/**
 * Rewrites a SELECT over one table, whose name is `alias`. `name` returns the column name of the
 * n-th aggregate. Returns null if the SELECT has no groups, or has a part that does not compile.
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
  const aggregateColumns = new Map<ExprNode, ExprNode>();
  for (const call of calls) {
    // The engine replaces a result column's name by the column's expression, maybe an aggregate.
    const isClear = identifiers(call).every(({ prefix, name: of }) => prefix || !named.has(of));
    const aggregate = isClear ? aggregateOf(call as Call, columnOf) : null;
    if (aggregate === null) return null;
    const column = name(aggregates.size);
    aggregates.set(column, aggregate);
    const at = { positionStart: call.positionStart, positionEnd: call.positionEnd };
    aggregateColumns.set(call, { type: 'identifier', prefix: alias, name: column, ...at });
  }
  const ofGroups = <T>(part: T): T => replaced(part, (node) => aggregateColumns.get(node) ?? null);
  const written = columns.map((column) =>
    column.type === 'star'
      ? column
      : { ...ofGroups(column), alias: column.alias ?? derivedAlias(column.expr) },
  );
  const results = new Map([...named].map(([of, expr]) => [of, ofGroups(expr)]));
  const { having: _, where: __, ...rest } = select;
  return {
    grouping: { keys, aggregates },
    conditions,
    select: {
      ...rest,
      columns: written,
      groupBy: [],
      orderBy: ofGroups(orderBy),
      ...(having && { where: withNames(ofGroups(having), results) }),
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

/** Returns the aggregate of a call, or null if it cannot be computed while rows are read. */
function aggregateOf<Row>(
  { funcName, args, distinct = false, filter }: Call,
  columnOf: ColumnOf<Row>,
): Aggregate<Row> | null {
  const kind = funcName.toUpperCase();
  const [argument] = args;
  if (!STREAMED.has(kind) || argument === undefined || args.length > 1) return null;
  const isRows = argument.type === 'star' && kind === 'COUNT';
  const of = isRows ? null : (conditionOf<Row>(argument, columnOf)?.keeps ?? null);
  const passes = filter === undefined ? null : conditionOf<Row>(filter, columnOf);
  if ((of === null && !isRows) || (passes === null && filter !== undefined)) return null;
  const isDistinct = distinct && kind === 'COUNT';
  return { kind: kind as Aggregate<Row>['kind'], of, isDistinct, filter: passes };
}

/** Returns `expr` with the names of result columns replaced by their expressions. */
function withNames(expr: ExprNode, names: ReadonlyMap<string, ExprNode>): ExprNode {
  return replaced(expr, (node) =>
    node.type === 'identifier' && node.prefix === undefined ? (names.get(node.name) ?? null) : null,
  );
}

/** Returns the outermost nodes of a statement for which `passes` returns true. */
function nodesOf(part: unknown, passes: (node: ExprNode) => boolean): ExprNode[] {
  const nodes: ExprNode[] = [];
  replaced(part, (node) => {
    if (!passes(node)) return null;
    nodes.push(node);
    return node;
  });
  return nodes;
}

/** Copies a part of a statement. `replace` returns a node's replacement, or null to copy it. */
function replaced<T>(part: T, replace: (node: ExprNode) => ExprNode | null): T {
  if (typeof part !== 'object' || part === null) return part;
  if (Array.isArray(part)) return part.map((child) => replaced(child, replace)) as T;
  const replacement = 'type' in part ? replace(part as unknown as ExprNode) : null;
  if (replacement !== null) return replacement as T;
  const entries = Object.entries(part);
  return Object.fromEntries(entries.map(([key, child]) => [key, replaced(child, replace)])) as T;
}

/**
 * Rewrites a query for squirreling 0.12.11. The engine applies WHERE and LIMIT while it reads one
 * table (`planSelect`). Joins are slow: several equalities prevent a hash table
 * (`extractSimpleJoinKeys`), and tables are not filtered first (`planJoin`). So a join gets one
 * equality of joined keys, and conditions on one table move into its scan. Also expands `*`, makes
 * column names unique, and adds hidden columns with the goals of the result.
 */
import { derivedAlias, type ExprNode, type SelectStatement, type Statement } from 'squirreling';
import { append } from '#bytes/arrays.ts';
import { getOrCreate } from '#bytes/cache.ts';
import { groupedSelect, hasGroups } from './grouping.ts';
import type { Grouping } from './groups.ts';
import {
  type Condition,
  conditionOf,
  conjuncts,
  type Getter,
  type Identifier,
  identifiers,
  nestedIn,
} from './predicate.ts';
import { QueryError, spanOf } from './query-error.ts';
import { cellsOf, hasGoals, type QueryRow, type Table } from './table.ts';

/** A scan of one table in FROM or JOIN, with its hidden columns and its conditions on rows. */
export type Scan = {
  readonly table: Table;
  /** Prefix of the table's column names in the query; null without a prefix. */
  readonly alias: string | null;
  /** Join keys. Each is a list of column names, separated by commas, whose values form one key. */
  readonly keys: Set<string>;
  /** Names of the columns for whose cells the result needs goals. */
  readonly goals: Set<string>;
  readonly conditions: Condition<QueryRow>[];
  /**
   * Row that an empty scan yields, so that the engine knows the table's columns: nulls for a LEFT
   * JOIN, or a `marked` row, which the query removes by the column `MARK`.
   */
  standIn: 'none' | 'nulls' | 'marked';
  /** True if the engine keeps all rows in memory, as for sorting, joins and nested queries. */
  isKept: boolean;
  /** Groups that the scan yields in place of rows; null if the scan yields rows. */
  grouping: Grouping<QueryRow> | null;
};

/** Prefix of hidden column names, which the user cannot write in a query. */
const HIDDEN = '\ue000';
const KEY = `${HIDDEN}key:`;
const GOAL = `${HIDDEN}goal:`;
const AGGREGATE = `${HIDDEN}aggregate:`;
/** Hidden column that is null except in a `marked` row. */
export const MARK = `${HIDDEN}mark`;

export const isHidden = (column: string) => column.startsWith(HIDDEN);
/** Returns the number of the result column whose goals are in a hidden column, else null. */
export function goalColumn(column: string): number | null {
  return column.startsWith(GOAL) ? Number(column.slice(GOAL.length)) : null;
}

/** Returns the hidden columns of a scan, each with the columns it is computed from. */
export function hiddenColumns({ keys, goals, standIn }: Scan) {
  return {
    isMarked: standIn === 'marked',
    keys: [...keys].map((key) => ({ name: KEY + key, columns: key.split(',') })),
    goals: [...goals].map((goal) => ({ name: GOAL + goal, column: goal })),
  };
}

export type Rewritten = {
  readonly statement: Statement;
  /** Scans by the name that the rewritten statement has for their table. */
  readonly scans: ReadonlyMap<string, Scan>;
  /** Tables that the statement names, each with the columns that the statement names. */
  readonly used: ReadonlyMap<Table, ReadonlySet<string>>;
};

/** Rewrites a statement. Throws `QueryError` if a table or a column does not exist. */
export function rewritten(statement: Statement, tables: readonly Table[]): Rewritten {
  const rewriting = new Rewriting(tables);
  const { scans, used } = rewriting;
  return { statement: rewriting.statement(statement, true), scans, used };
}

/** A table that a SELECT can use, by its alias. */
type Source = { readonly alias: string; readonly table: Table; readonly scan: Scan };

type JoinClause = SelectStatement['joins'][number];

class Rewriting {
  readonly scans = new Map<string, Scan>();
  readonly used = new Map<Table, Set<string>>();
  readonly #tables: ReadonlyMap<string, Table>;
  /** Names defined in WITH, in lower case. They hide tables of the same name. */
  readonly #withNames = new Set<string>();

  constructor(tables: readonly Table[]) {
    this.#tables = new Map(tables.map((table) => [table.name, table]));
    for (const table of tables) this.scans.set(table.name, newScan(table, null));
  }

  statement(statement: Statement, isResult: boolean): Statement {
    if (statement.type === 'with') {
      const ctes = statement.ctes.map((cte) => {
        const query = this.statement(cte.query, false);
        this.#withNames.add(cte.name.toLowerCase());
        return { ...cte, query };
      });
      return { ...statement, ctes, query: this.statement(statement.query, isResult) };
    }
    if (statement.type === 'compound') {
      const left = this.statement(statement.left, false);
      const right = this.statement(statement.right, false);
      return { ...statement, left, right, orderBy: nullsLast(statement.orderBy) };
    }
    return this.#select(statement, isResult);
  }

  #select(written: SelectStatement, isResult: boolean): SelectStatement {
    const select = { ...written, orderBy: nullsLast(written.orderBy) };
    const { from } = select;
    const inner =
      from.type === 'subquery' ? { ...from, query: this.statement(from.query, false) } : from;
    const first = from.type === 'table' ? this.#source(from, from.alias) : null;
    const joined = select.joins.map((join) =>
      join.fromFunction === undefined ? this.#source({ ...join }, join.alias) : null,
    );
    const known = [first, ...joined].filter((source) => source !== null);
    this.#checkNested(select, known);
    const whole = { ...select, from: inner };
    const outer = select.joins.find(({ joinType }) => joinType === 'RIGHT' || joinType === 'FULL');
    const isPair = joined.length === 1 && joined[0] != null;
    if (outer !== undefined && !(first !== null && isPair)) {
      const message = `${outer.joinType} JOIN is only possible with two tables, and no other join`;
      throw new QueryError(message, spanOf(outer));
    }
    if (first === null || joined.includes(null)) return whole;
    const sources = [first, ...joined.filter((source) => source !== null)];
    checkNames(select, sources, this.used);
    const isRight = outer?.joinType === 'RIGHT';
    // A RIGHT JOIN is a LEFT JOIN with the tables swapped.
    const [begin = first, ...others] = isRight ? sources.toReversed() : sources;
    const joins = isRight
      ? select.joins.map((join) => ({ ...join, joinType: 'LEFT' as const }))
      : select.joins;
    const named: SelectStatement = {
      ...this.#joins({ ...whole, joins }, [begin, ...others]),
      from: { ...from, type: 'table', table: this.#add(begin), alias: begin.alias },
      columns: resultColumns(select, sources, isResult),
    };
    const isStreamed =
      isResult && !select.distinct && select.orderBy.length === 0 && !hasGroups(select);
    for (const { scan } of sources) scan.isKept = !isStreamed || scan !== begin.scan;
    return sources.length > 1 ? named : ofGroups(named, first);
  }

  /** Checks the names in nested queries of expressions. `outer` has the tables around them. */
  #checkNested(select: SelectStatement, outer: readonly Source[]): void {
    for (const statement of nestedIn(select)) this.#checkStatement(statement, outer);
  }

  #checkStatement(statement: Statement, outer: readonly Source[]): void {
    if (statement.type === 'with') {
      for (const { name, query } of statement.ctes) {
        this.#checkStatement(query, outer);
        this.#withNames.add(name.toLowerCase());
      }
      this.#checkStatement(statement.query, outer);
    } else if (statement.type === 'compound') {
      this.#checkStatement(statement.left, outer);
      this.#checkStatement(statement.right, outer);
    } else {
      const { from, joins } = statement;
      if (from.type === 'subquery') this.#checkStatement(from.query, outer);
      const sources = [
        from.type === 'table' ? this.#source(from, from.alias) : null,
        ...joins.map((join) =>
          join.fromFunction === undefined ? this.#source({ ...join }, join.alias) : null,
        ),
      ];
      const known = sources.filter((source) => source !== null);
      if (known.length === sources.length) checkNames(statement, known, this.used, outer);
      this.#checkNested(statement, [...known, ...outer]);
    }
  }

  /** Returns the table named in FROM or JOIN, or null for a name defined in WITH. */
  #source(
    { table, ...at }: { table: string; positionStart: number; positionEnd: number },
    alias = table,
  ): Source | null {
    if (this.#withNames.has(table.toLowerCase())) return null;
    const named = this.#tables.get(table);
    if (named === undefined) {
      const names = [...this.#tables.keys()].join(', ');
      throw new QueryError(`There is no table ${table}. The tables are ${names}`, spanOf(at));
    }
    return { alias, table: named, scan: newScan(named, alias) };
  }

  /** Adds the scan of a source under a unique table name. Returns the name. */
  #add({ table, scan }: Source): string {
    const name = `${table.name}${HIDDEN}${this.scans.size}`;
    this.scans.set(name, scan);
    return name;
  }

  /** Rewrites each join to a join by one key, and moves conditions on one table into its scan. */
  #joins(select: SelectStatement, sources: readonly Source[]): SelectStatement {
    const isInner = select.joins.every(({ joinType }) => joinType === 'INNER');
    const isLeft = select.joins.every(
      ({ joinType }) => joinType === 'LEFT' || joinType === 'INNER',
    );
    const rest: ExprNode[] = [];
    const joins = select.joins.map((join, i) => {
      const source = sources[i + 1];
      if (source === undefined) return join;
      const named = { ...join, table: this.#add(source), alias: source.alias };
      const keyed = join.on && keyedJoin(join.on, sources.slice(0, i + 1), source);
      if (join.joinType === 'LEFT') source.scan.standIn = 'nulls';
      if (join.joinType === 'FULL') {
        if (keyed == null)
          throw new QueryError('FULL JOIN needs columns that are equal', spanOf(join));
        for (const { alias, scan } of sources) {
          scan.standIn = 'marked';
          rest.push(isUnmarked(alias, join));
        }
      }
      if (keyed == null) return named;
      pushAlike(conjuncts(select.where), keyed, source);
      if (isInner) {
        append(rest, keyed.rest);
        return { ...named, on: keyed.on };
      }
      // In a LEFT JOIN, an ON condition on only the joined table filters that table before the
      // join.
      const ofJoined = (condition: ExprNode) =>
        join.joinType === 'LEFT' &&
        sourcesOf(condition, sources).every((owner) => owner === source) &&
        isPushed(condition, sources);
      const left = keyed.rest.filter((condition) => !ofJoined(condition));
      return { ...named, on: all([keyed.on, ...left]) ?? keyed.on };
    });
    // Conditions of WHERE on the first table of a LEFT JOIN can filter that table before the join.
    const mayPush = isLeft && joins.length > 0;
    const conditions = [...conjuncts(select.where), ...rest].filter((condition) => {
      const isOfFirst = () => sourcesOf(condition, sources).every((owner) => owner === sources[0]);
      return !(mayPush && (isInner || isOfFirst()) && isPushed(condition, sources));
    });
    return { ...select, joins, where: all(conditions) } as SelectStatement;
  }
}

/** Sorts nulls after all values, in both directions, as DuckDB does. */
const nullsLast = (orderBy: SelectStatement['orderBy']) =>
  orderBy.map((item) => ({ ...item, nulls: item.nulls ?? ('LAST' as const) }));

function newScan(table: Table, alias: string | null): Scan {
  return {
    table,
    alias,
    keys: new Set(),
    goals: new Set(),
    conditions: [],
    standIn: 'none',
    isKept: false,
    grouping: null,
  };
}

/** Moves GROUP BY and aggregates into the scan where possible. */
function ofGroups(select: SelectStatement, { alias, scan }: Source): SelectStatement {
  const grouped = groupedSelect<QueryRow>(
    select,
    alias,
    (identifier) => columnOf(scan, identifier),
    (number) => `${AGGREGATE}${number}`,
  );
  if (grouped === null) return select;
  scan.grouping = grouped.grouping;
  append(scan.conditions, grouped.conditions);
  return grouped.select;
}

/** Returns a condition that removes `marked` rows. */
function isUnmarked(
  alias: string,
  { positionStart, positionEnd }: ExprNode | JoinClause,
): ExprNode {
  const at = { positionStart, positionEnd };
  const argument: Identifier = { type: 'identifier', prefix: alias, name: MARK, ...at };
  return { type: 'unary', op: 'IS NULL', argument, ...at };
}

function all(conditions: readonly ExprNode[]): ExprNode | undefined {
  const [first, ...others] = conditions;
  return others.reduce<ExprNode | undefined>((left, right) => {
    if (left === undefined) return right;
    const at = { positionStart: left.positionStart, positionEnd: right.positionEnd };
    return { type: 'binary', op: 'AND', left, right, ...at };
  }, first);
}

/** Returns the source with the column, or null if no source or more than one has it. */
function sourceOf({ prefix, name }: Identifier, sources: readonly Source[]): Source | null {
  const owners = sources.filter(
    ({ alias, table }) =>
      (prefix === undefined || prefix === alias) && table.columns.some((c) => c.name === name),
  );
  return owners.length === 1 ? (owners[0] ?? null) : null;
}

/** Returns the sources whose columns a condition uses, with null for an ambiguous column. */
function sourcesOf(condition: ExprNode, sources: readonly Source[]): (Source | null)[] {
  return [...new Set(identifiers(condition).map((name) => sourceOf(name, sources)))];
}

/** Moves a condition into a scan. Returns false if it uses several tables or does not compile. */
function isPushed(condition: ExprNode, sources: readonly Source[]): boolean {
  const [source, ...others] = sourcesOf(condition, sources);
  if (source == null || others.length > 0) return false;
  const pushed = conditionOf<QueryRow>(condition, ({ name }) => getterOf(source.table, name));
  if (pushed === null) return false;
  source.scan.conditions.push(pushed);
  return true;
}

/** Returns the getter of a column named in a condition, or null for a column of another table. */
export function columnOf({ table, alias }: Scan, { prefix, name }: Identifier) {
  return prefix === undefined || prefix === alias ? getterOf(table, name) : null;
}

export function getterOf(table: Table, name: string): Getter<QueryRow> | null {
  const column = table.columns.find((candidate) => candidate.name === name);
  return column === undefined ? null : cellsOf(column);
}

/** Combines the equalities in a join condition into one; returns null if there is none. */
function keyedJoin(condition: ExprNode, before: readonly Source[], joined: Source) {
  const rest: ExprNode[] = [];
  /** The earlier table whose column the first equality compares. */
  let left: Source | null = null;
  const pairs: [left: string, right: string][] = [];
  for (const part of conjuncts(condition)) {
    const pair = equality(part, before, joined);
    if (pair === null || (left !== null && left !== pair.source)) rest.push(part);
    else {
      left = pair.source;
      pairs.push([pair.left, pair.right]);
    }
  }
  if (left === null) return null;
  const at = { positionStart: condition.positionStart, positionEnd: condition.positionEnd };
  const keyOf = (source: Source, columns: readonly string[]): Identifier => {
    const names = columns.join(',');
    if (columns.length > 1) source.scan.keys.add(names);
    const name = columns.length > 1 ? KEY + names : names;
    return { type: 'identifier', prefix: source.alias, name, ...at };
  };
  const leftKey = keyOf(
    left,
    pairs.map(([column]) => column),
  );
  const right = keyOf(
    joined,
    pairs.map(([, column]) => column),
  );
  const on: ExprNode = { type: 'binary', op: '=', left: leftKey, right, ...at };
  return { on, rest, left, pairs };
}

type Keyed = NonNullable<ReturnType<typeof keyedJoin>>;

/** Copies conditions `column = literal` to the column of the joined table that must be equal. */
function pushAlike(conditions: readonly ExprNode[], { left, pairs }: Keyed, joined: Source): void {
  for (const condition of conditions) {
    if (condition.type !== 'binary' || condition.op !== '=') continue;
    const { left: column, right: value } = condition;
    if (column.type !== 'identifier' || value.type !== 'literal') continue;
    const name = pairs.find(([equal]) => equal === column.name)?.[1];
    if (name === undefined || sourceOf(column, [left, joined]) !== left) continue;
    isPushed({ ...condition, left: { ...column, prefix: joined.alias, name } }, [joined]);
  }
}

function equality(part: ExprNode, before: readonly Source[], joined: Source) {
  if (part.type !== 'binary' || part.op !== '=') return null;
  const { left, right } = part;
  if (left.type !== 'identifier' || right.type !== 'identifier') return null;
  const sources = [...before, joined];
  const [a, b] = [sourceOf(left, sources), sourceOf(right, sources)];
  if (a === null || b === null) return null;
  if (b === joined && a !== joined) return { source: a, left: left.name, right: right.name };
  if (a === joined && b !== joined) return { source: b, left: right.name, right: left.name };
  return null;
}

type SelectColumn = SelectStatement['columns'][number];

/** Expands `*`. For a result, makes column names unique and adds hidden columns with goals. */
function resultColumns(
  { columns, distinct, ...select }: SelectStatement,
  sources: readonly Source[],
  isResult: boolean,
): SelectColumn[] {
  const at = { positionStart: select.positionStart, positionEnd: select.positionEnd };
  const written = columns.flatMap((column): SelectColumn[] => {
    if (column.type !== 'star') return [column];
    return sources
      .filter(({ alias }) => column.table === undefined || column.table === alias)
      .flatMap(({ alias, table }) =>
        table.columns.map(({ name }) => ({
          type: 'derived' as const,
          expr: { type: 'identifier' as const, prefix: alias, name, ...at },
          ...at,
        })),
      );
  });
  if (!isResult) return written;
  const names = new Set<string>();
  const named = written.map((column) => {
    if (column.type === 'star') return column;
    const { expr } = column;
    let name = column.alias ?? derivedAlias(expr);
    if (names.has(name) && expr.type === 'identifier' && expr.prefix !== undefined) {
      name = `${expr.prefix}.${expr.name}`;
    }
    for (let n = 2; names.has(name); n++) name = `${column.alias ?? derivedAlias(expr)} ${n}`;
    names.add(name);
    return name === derivedAlias(expr) ? column : { ...column, alias: name };
  });
  if (distinct) return named;
  const goals = named.flatMap((column, i): SelectColumn[] => {
    if (column.type === 'star' || column.expr.type !== 'identifier') return [];
    const { name } = column.expr;
    const source = sourceOf(column.expr, sources);
    const scanned = source?.table.columns.find((candidate) => candidate.name === name);
    if (source === null || scanned === undefined || !hasGoals(scanned)) return [];
    source.scan.goals.add(name);
    const expr = { type: 'identifier' as const, prefix: source.alias, name: GOAL + name, ...at };
    return [{ type: 'derived', expr, alias: `${GOAL}${i}`, ...at }];
  });
  return [...named, ...goals];
}

/**
 * Throws `QueryError` if a column of the SELECT is in none of its tables. In a nested query, a
 * column with a prefix may be of a table in `outer`. Adds the tables and their columns to `used`.
 */
function checkNames(
  select: SelectStatement,
  sources: readonly Source[],
  used: Map<Table, Set<string>>,
  outer: readonly Source[] = [],
): void {
  const aliases = new Set(
    select.columns.map((column) => (column.type === 'star' ? '' : column.alias)),
  );
  const parts = [
    ...select.columns.map((column) => (column.type === 'star' ? undefined : column.expr)),
    select.where,
    select.having,
    ...select.groupBy,
    ...select.orderBy.map(({ expr }) => expr),
    ...select.joins.map(({ on }) => on),
  ];
  for (const { table } of sources) getOrCreate(used, table, () => new Set());
  for (const identifier of parts.flatMap((part) => (part === undefined ? [] : identifiers(part)))) {
    const { prefix, name } = identifier;
    if (prefix === undefined && aliases.has(name)) continue;
    const named =
      prefix === undefined
        ? sources
        : [...sources, ...outer].filter(({ alias }) => prefix === alias);
    // The prefix may name a table of an outer query; the engine checks such columns.
    if (named.length === 0) continue;
    const owners = named.filter(({ table }) =>
      table.columns.some((column) => column.name === name),
    );
    for (const { table } of owners) used.get(table)?.add(name);
    if (owners.length > 0) continue;
    const has = named.map(
      ({ table }) => `${table.name} has ${table.columns.map((column) => column.name).join(', ')}`,
    );
    throw new QueryError(`There is no column ${name}. ${has.join('. ')}`, spanOf(identifier));
  }
}

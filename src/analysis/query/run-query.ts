/**
 * Runs SQL on the tables of the open files with squirreling, a JavaScript engine that reads rows
 * one by one. The page's policy forbids `wasm-unsafe-eval`, which sqlite-wasm and duckdb-wasm need.
 */
import {
  type AsyncDataSource,
  type AsyncRow,
  executePlan,
  parseSql,
  planSql,
  type QueryPlan,
  type QueryResults,
  type ScanOptions,
  type Statement,
} from 'squirreling';
import { getOrCreate } from '#bytes/cache.ts';
import { type Progress, SLICE_MS, Slices } from '#bytes/long-work.ts';
import { atlasRows, entryGoal } from './atlas-rows.ts';
import { BOUNDED_FUNCTIONS, withBoundedFunctions } from './bounded-functions.ts';
import { replaceDistinct, withGroupedSubqueries } from './distinct.ts';
import { readExactly } from './exact-numbers.ts';
import { GoalList, type QueryGoal, type QueryGoals } from './goals.ts';
import { hasGroups } from './grouping.ts';
import { type Group, type Grouping, Groups } from './groups.ts';
import { countKept, ROW_CELLS } from './kept-rows.ts';
import { checkLimits } from './limits.ts';
import { type Condition, conditionOf, conjuncts, isPlain } from './predicate.ts';
import { QueryError } from './query-error.ts';
import {
  columnOf,
  getterOf,
  goalColumn,
  hiddenColumns,
  isHidden,
  MARK,
  rewritten,
  type Scan,
} from './rewrite.ts';
import { withoutSubqueries } from './subqueries.ts';
import {
  cellsOf,
  isOfAtlas,
  type QueryFile,
  type QueryRow,
  type SqlValue,
  type Table,
} from './table.ts';
import { TABLES } from './tables.ts';

export type ResultColumn = {
  /** Name of the column, not escaped. */
  readonly name: string;
  /** Cells of the column, one per row. */
  readonly values: readonly SqlValue[];
  /** Goals of the cells; null if the column has no goals. */
  readonly goals: QueryGoals | null;
};

export type QueryResult =
  | {
      readonly kind: 'rows';
      readonly columns: readonly ResultColumn[];
      readonly count: number;
      /** True if the result had more rows than `maxRows` or text than the page can hold. */
      readonly isCut: boolean;
      /**
       * Rows without the LIMIT of the query, if the LIMIT left out rows: their number, or
       * 'unknown' if the query stops at the LIMIT. Null if the LIMIT left out none.
       */
      readonly unlimited: number | 'unknown' | null;
      /** Sentences on columns and tables of the query that an asked atlas does not have. */
      readonly notes: readonly string[];
    }
  /** Message and range of the error, in characters; null if the engine gives no range. */
  | {
      readonly kind: 'error';
      readonly message: string;
      readonly start: number | null;
      readonly end: number | null;
    };

export type QueryOptions = {
  readonly maxRows: number;
  /** Maximum cells of rows that the engine keeps in memory, see `MAX_KEPT`. */
  readonly maxKept?: number;
  readonly signal: AbortSignal;
  readonly onProgress: (progress: Progress) => void;
};

/** Maximum rows of a result in the page, which receives all rows in one message. */
export const MAX_ROWS = 20_000;
/** Maximum characters of a query. */
const MAX_SQL = 20_000;
/** Maximum characters of a cell. */
const MAX_CELL = 10_000;
/** Maximum characters of all cells in a result. */
const MAX_TEXT = 20_000_000;
/**
 * Maximum cells of rows that the engine keeps in memory, over all tables of a query; a row counts as
 * `ROW_CELLS` more. A cell takes about 100 bytes.
 */
const MAX_KEPT = 4_000_000;

/** Runs a query. Returns errors of the query as a result. Throws the signal's reason on abort. */
export async function runQuery(
  sql: string,
  files: readonly QueryFile[],
  options: QueryOptions,
): Promise<QueryResult> {
  try {
    if (sql.length > MAX_SQL) {
      throw new QueryError(`The query has more than ${MAX_SQL} characters`, { start: 0, end: 0 });
    }
    const { signal, onProgress } = options;
    const work: Work = {
      slices: new Slices(SLICE_MS, signal),
      signal,
      files,
      maxKept: options.maxKept ?? MAX_KEPT,
      kept: 0,
      scanned: 0,
      onProgress,
    };
    const notes = new Set<string>();
    const asked = parseSql({ query: sql });
    checkLimits(asked);
    readExactly(asked, sql);
    const statement = await withoutSubqueries(asked, TABLES, (inner, limit) =>
      firstColumn(executed(inner, work, notes), limit),
    );
    const limited = withoutLimit(statement);
    const results = executed(limited.statement, work, notes);
    const rows = await collected(results, work, options.maxRows, limited);
    return { ...rows, notes: [...notes] };
  } catch (error) {
    options.signal.throwIfAborted();
    return errorOf(error);
  }
}

/** Adds the notes on tables and columns that an atlas does not have to `notes`. */
function executed(statement: Statement, work: Work, notes: Set<string>): QueryResults {
  const { statement: named, scans, used } = rewritten(statement, TABLES);
  if (work.files.some((file) => 'atlas' in file)) {
    for (const [table, columns] of used) addNotes(table, columns, notes);
  }
  const query = withBoundedFunctions(withGroupedSubqueries(named));
  const functions = BOUNDED_FUNCTIONS;
  // Without a prototype, the engine finds no table `constructor`.
  const tables: Record<string, AsyncDataSource> = Object.create(null);
  for (const [name, scan] of scans) tables[name] = source(scan, work);
  const [ctePlans, cteColumns] = [new Map<string, QueryPlan>(), new Map<string, string[]>()];
  const plan = planSql({ query, functions, tables, ctePlans, cteColumns });
  replaceDistinct([plan, ...ctePlans.values()]);
  const scope = scopeOf(query);
  const { signal } = work;
  const context = { tables, functions, signal, ctePlans, cteColumns, ...(scope && { scope }) };
  let made = 0;
  countKept([plan, ...ctePlans.values()], context, (cells) => {
    made += cells;
    if (made > work.maxKept) throw keepsTooMuch('its joins and unions');
  });
  return executePlan({ plan, context });
}

/** Returns the aliases of the tables in FROM and JOIN, as `statementScope` of the engine. */
function scopeOf(statement: Statement): string[] | null {
  if (statement.type === 'with') return scopeOf(statement.query);
  if (statement.type === 'compound') return null;
  const { from, joins } = statement;
  const names = { table: 'table' in from ? from.table : '', subquery: 'table' };
  const name = from.type === 'function' ? from.funcName.toLowerCase() : names[from.type];
  return [from.alias ?? name, ...joins.map(({ alias, table }) => alias ?? table)];
}

async function firstColumn(results: QueryResults, limit: number): Promise<readonly SqlValue[]> {
  const values = new Set<SqlValue>();
  for await (const { columns, cells } of results.rows()) {
    const [first = ''] = columns;
    values.add(plainValue(await cells[first]?.()));
    if (values.size >= limit) break;
  }
  return [...values];
}

/** State shared by all scans of a query. */
type Work = {
  readonly signal: AbortSignal;
  readonly slices: Slices;
  readonly files: readonly QueryFile[];
  readonly maxKept: number;
  /** Cells of all rows that the engine keeps. */
  kept: number;
  readonly onProgress: QueryOptions['onProgress'];
  /** Rows read so far. */
  scanned: number;
};

/** A row that computes its cells when the engine first reads a cell. */
class ScanRow<Row> implements AsyncRow {
  readonly columns: string[];
  readonly #row: Row;
  readonly #cellOf: ReadonlyMap<string, Cell<Row>>;
  #cells: AsyncRow['cells'] | null = null;

  constructor(columns: string[], cellOf: ReadonlyMap<string, Cell<Row>>, row: Row) {
    this.columns = columns;
    this.#cellOf = cellOf;
    this.#row = row;
  }

  get cells(): AsyncRow['cells'] {
    if (this.#cells !== null) return this.#cells;
    const cells: AsyncRow['cells'] = Object.create(null);
    for (const name of this.columns) {
      const cell = this.#cellOf.get(name);
      cells[name] = async () => cell?.(this.#row) ?? null;
    }
    this.#cells = cells;
    return cells;
  }
}

/** Returns the row that represents an empty scan: the engine takes the columns from a row. */
function standInRow(columns: string[], standIn: Scan['standIn']): AsyncRow {
  // The engine converts a null key to the text 'null', which could equal another key. No real key
  // begins with U+E000.
  const value = standIn === 'marked' ? '\ue000' : null;
  const cells = Object.fromEntries(columns.map((name) => [name, async () => value]));
  return { columns, cells };
}

type Cell<Row> = (row: Row) => SqlValue | QueryGoal;

function source(scan: Scan, work: Work): AsyncDataSource {
  const cellOf = scanCells(scan, work.files);
  if (scan.grouping !== null) return groupSource(scan, scan.grouping, cellOf, work);
  const all = [...cellOf.keys()];
  let own = 0;
  return {
    columns: all,
    scan: ({ columns = all, where, limit, offset = 0 }: ScanOptions) => {
      const parts = conjuncts(where);
      const known = parts.flatMap((part) => {
        const condition = conditionOf<QueryRow>(part, (identifier) => columnOf(scan, identifier));
        return condition === null ? [] : [condition];
      });
      // If a part of the condition does not compile, the engine applies the whole condition.
      const isWhole = known.length === parts.length;
      const conditions = [...scan.conditions, ...known];
      const end = isWhole && limit !== undefined ? offset + limit : Number.POSITIVE_INFINITY;
      const cost = columns.length + ROW_CELLS;
      return {
        appliedWhere: isWhole,
        appliedLimitOffset: isWhole,
        rows: async function* () {
          let kept = 0;
          // A nested query reads its table again and again, and keeps the rows of one reading.
          work.kept -= own;
          own = 0;
          for await (const row of rowsOf(scan, conditions, work)) {
            if (kept >= end) return;
            if (scan.isKept) {
              own += cost;
              work.kept += cost;
              if (work.kept > work.maxKept) throw keepsTooMuch(scan.table.name);
            }
            if (!isWhole || kept >= offset) yield new ScanRow(columns, cellOf, row);
            if (++kept >= end) return;
          }
          if (kept === 0 && scan.standIn !== 'none') yield standInRow(columns, scan.standIn);
        },
      };
    },
  };
}

function keepsTooMuch(of: string): QueryError {
  const message = `The query keeps too many rows of ${of} in memory: add a condition, or name fewer columns`;
  return new QueryError(message, { start: 0, end: 0 });
}

/** Returns a source of groups. The engine applies its conditions to the groups. */
function groupSource(
  scan: Scan,
  grouping: Grouping<QueryRow>,
  rowCells: ReadonlyMap<string, Cell<QueryRow>>,
  work: Work,
): AsyncDataSource {
  const cellOf = new Map<string, Cell<Group<QueryRow>>>();
  for (const [name, cell] of rowCells) {
    cellOf.set(name, ({ first }) => (first === null ? null : cell(first)));
  }
  for (const name of grouping.aggregates.keys()) {
    cellOf.set(name, ({ results }) => results.get(name) ?? null);
  }
  const all = [...cellOf.keys()];
  return {
    columns: all,
    scan: ({ columns = all }: ScanOptions) => ({
      appliedWhere: false,
      appliedLimitOffset: false,
      rows: async function* () {
        const groups = new Groups(grouping);
        for await (const row of rowsOf(scan, scan.conditions, work)) groups.add(row);
        for (const group of groups.results()) yield new ScanRow(columns, cellOf, group);
      },
    }),
  };
}

async function* rowsOf({ table }: Scan, conditions: readonly Condition<QueryRow>[], work: Work) {
  for (const file of work.files) {
    for await (const rows of blocksOf(table, file, conditions)) {
      for (const row of rows) {
        work.scanned++;
        if (work.slices.isOver) await rest(work);
        if (conditions.every(({ keeps }) => Boolean(keeps(row)))) yield row;
      }
      if (work.slices.isOver) await rest(work);
    }
  }
}

function blocksOf(
  table: Table,
  file: QueryFile,
  conditions: readonly Condition<QueryRow>[],
): Iterable<Iterable<QueryRow>> | AsyncIterable<Iterable<QueryRow>> {
  if (!('atlas' in file)) return [table.rows(file)];
  return table.atlasRows === null ? [] : atlasRows(table.atlasRows, file, conditions);
}

async function rest({ slices, scanned, onProgress }: Work): Promise<void> {
  onProgress({ step: 'rows', done: scanned, total: 0 });
  await slices.rest();
}

/** Returns the getters of a scan's columns, including hidden columns. */
function scanCells(scan: Scan, files: readonly QueryFile[]): ReadonlyMap<string, Cell<QueryRow>> {
  const { table } = scan;
  const { keys, goals, isMarked } = hiddenColumns(scan);
  const numbers = new Map(files.map((file, i) => [file, i]));
  const cells = new Map<string, Cell<QueryRow>>(table.columns.map((c) => [c.name, cellsOf(c)]));
  if (isMarked) cells.set(MARK, () => null);
  for (const { name, columns } of keys) {
    const parts = columns.map((column) => getterOf(table, column));
    cells.set(name, (row) => joinedKey(parts.map((part) => part?.(row) ?? null)));
  }
  for (const { name, column } of goals) {
    const asked = table.columns.find((candidate) => candidate.name === column);
    cells.set(name, (row) => {
      const file = numbers.get(row.file) ?? 0;
      if (isOfAtlas(row)) {
        const entry = entryGoal(row, asked?.inAtlas?.names ?? null);
        return entry && { file, entry };
      }
      const selection = asked?.goal?.(row) ?? null;
      return selection && { file, selection };
    });
  }
  return cells;
}

/** Returns one key for several values, or null if a value is null: null equals nothing. */
function joinedKey(values: readonly SqlValue[]): string | null {
  return values.includes(null) ? null : values.join('\u0000');
}

function addNotes(table: Table, columns: ReadonlySet<string>, notes: Set<string>): void {
  if (table.atlasRows === null) {
    notes.add(`An atlas has no rows of the table ${table.name}`);
    return;
  }
  const missing = table.columns.filter(({ name, inAtlas }) => columns.has(name) && !inAtlas);
  for (const { name } of missing) notes.add(`In an atlas, ${table.name}.${name} is null`);
}

type Limited = {
  readonly statement: Statement;
  readonly limit: number;
  readonly offset: number;
  /** True if all rows are computed before the first one is known, so that counting them is free. */
  readonly isCounted: boolean;
};

/**
 * Removes the LIMIT of the result, or raises the LIMIT by one row if the query stops at it, so that
 * the result shows whether the LIMIT left out rows.
 */
function withoutLimit(statement: Statement): Limited {
  if (statement.type === 'with') {
    const inner = withoutLimit(statement.query);
    return { ...inner, statement: { ...statement, query: inner.statement } };
  }
  const { limit, offset = 0, orderBy } = statement;
  if (limit === undefined) return { statement, limit: Infinity, offset, isCounted: false };
  const isCounted = orderBy.length > 0 || (statement.type === 'select' && hasGroups(statement));
  const { limit: _, ...unlimited } = statement;
  const further = isCounted ? unlimited : { ...statement, limit: limit + 1 };
  return { statement: further, limit, offset, isCounted };
}

async function collected(
  results: QueryResults,
  work: Work,
  maxRows: number,
  { limit, offset, isCounted }: Limited,
): Promise<Omit<Extract<QueryResult, { kind: 'rows' }>, 'notes'>> {
  let names: readonly string[] = results.columns;
  const values = new Map<string, SqlValue[]>();
  const goals = new Map<number, GoalList>();
  let count = 0;
  let text = 0;
  let isCut = false;
  let further = 0;
  for await (const row of results.rows()) {
    if (count >= limit) {
      further++;
      if (!isCounted) break;
      if (work.slices.isOver) await work.slices.rest();
      continue;
    }
    if (count >= maxRows || text >= MAX_TEXT) {
      isCut = true;
      break;
    }
    if (count === 0) names = row.columns;
    for (const name of names) {
      const value: unknown = await row.cells[name]?.();
      const goalOf = goalColumn(name);
      if (goalOf !== null) {
        getOrCreate(goals, goalOf, () => new GoalList()).add((value ?? null) as QueryGoal | null);
      } else {
        const plain = plainValue(value);
        if (typeof plain === 'string') text += plain.length;
        getOrCreate(values, name, () => []).push(plain);
      }
    }
    count++;
    if (work.slices.isOver) await work.slices.rest();
  }
  // If the signal is aborted, the engine yields no more rows, but throws no error.
  work.signal.throwIfAborted();
  const shown = names.filter((name) => !isHidden(name));
  const columns = shown.map((name, i) => {
    return { name, values: values.get(name) ?? [], goals: goals.get(i)?.all ?? null };
  });
  const total = isCounted ? offset + count + further : 'unknown';
  return { kind: 'rows', columns, count, isCut, unlimited: further > 0 ? total : null };
}

/** Converts a cell to plain data of at most `MAX_CELL` characters; lists and objects to JSON. */
function plainValue(value: unknown): SqlValue {
  if (value === undefined || value === null) return null;
  if (typeof value !== 'string' && isPlain(value)) return value;
  const text = typeof value === 'string' ? value : JSON.stringify(value, bigintAsText);
  return text.length > MAX_CELL ? `${text.slice(0, MAX_CELL)}…` : text;
}

const bigintAsText = (_: string, value: unknown) =>
  typeof value === 'bigint' ? `${value}` : value;

type Placed = { readonly positionStart?: unknown; readonly positionEnd?: unknown };

function errorOf(error: unknown): QueryResult {
  if (error instanceof QueryError) {
    const { message, start, end } = error;
    return { kind: 'error', message, start, end };
  }
  if (error instanceof RangeError) {
    const message = 'The query is nested too deeply, or makes a text that is too long';
    return { kind: 'error', message, start: null, end: null };
  }
  if (!(error instanceof Error)) throw error;
  const { positionStart, positionEnd } = error as Error & Placed;
  const [start = null, end = null] = [positionStart, positionEnd].map((at) =>
    typeof at === 'number' ? at : null,
  );
  return { kind: 'error', message: plainMessage(error.message), start, end };
}

/** Returns the engine's message without its position and its hidden column names. */
function plainMessage(message: string): string {
  return message
    .replace(/ at position \d+/, '')
    .replace(/(?:, )?\ue000[^,]*/g, '')
    .replace(/\.$/, '');
}

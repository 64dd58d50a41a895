/** Runs a nested query once, not for each outer row (`evaluateExpr`), if it uses no outer row. */
import type { ExprNode, SelectStatement, Statement } from 'squirreling';
import { hasGroups } from './grouping.ts';
import { conjuncts, type Identifier, identifiers, nestedIn } from './predicate.ts';
import type { SqlValue, Table } from './table.ts';

/** Returns the distinct values in the first result column of a statement, at most `limit`. */
type Ask = (statement: Statement, limit: number) => Promise<readonly SqlValue[]>;

/** Maximum values of a nested query. */
const MAX_VALUES = 1_000_000;

/** Replaces nested queries such as `IN (SELECT …)` by their values if no outer row is needed. */
export async function withoutSubqueries(
  statement: Statement,
  tables: readonly Table[],
  ask: Ask,
): Promise<Statement> {
  const inner = (part: Statement) => withoutSubqueries(part, tables, ask);
  if (statement.type === 'with') {
    const ctes = [];
    for (const cte of statement.ctes) ctes.push({ ...cte, query: await inner(cte.query) });
    // Names defined in WITH hide tables of the same name.
    const named = new Set(ctes.map(({ name }) => name.toLowerCase()));
    const left = tables.filter(({ name }) => !named.has(name));
    return { ...statement, ctes, query: await withoutSubqueries(statement.query, left, ask) };
  }
  if (statement.type === 'compound') {
    const left = await inner(statement.left);
    return { ...statement, left, right: await inner(statement.right) };
  }
  return await inSelect(statement, tables, ask);
}

async function inSelect(select: SelectStatement, tables: readonly Table[], ask: Ask) {
  const answered = (node: ExprNode) => answeredIn(node, tables, ask);
  const { from, where, having } = select;
  const columns = [];
  for (const column of select.columns) {
    columns.push(
      column.type === 'star' ? column : { ...column, expr: await answered(column.expr) },
    );
  }
  return {
    ...select,
    columns,
    ...(from.type === 'subquery' && {
      from: { ...from, query: await withoutSubqueries(from.query, tables, ask) },
    }),
    ...(where && { where: await answered(where) }),
    ...(having && { having: await answered(having) }),
  };
}

async function answeredIn(node: ExprNode, tables: readonly Table[], ask: Ask): Promise<ExprNode> {
  const inner = (child: ExprNode) => answeredIn(child, tables, ask);
  const at = { positionStart: node.positionStart, positionEnd: node.positionEnd };
  switch (node.type) {
    case 'unary':
      return { ...node, argument: await inner(node.argument) };
    case 'binary':
      return { ...node, left: await inner(node.left), right: await inner(node.right) };
    case 'in': {
      const subquery = await withoutSubqueries(node.subquery, tables, ask);
      const expr = await inner(node.expr);
      if (!isAlone(subquery, tables)) return { ...node, expr, subquery };
      const values = await ask(subquery, MAX_VALUES);
      const literals = values.map((value) => ({ type: 'literal' as const, value, ...at }));
      return { type: 'in valuelist', expr, values: literals, ...at };
    }
    case 'exists':
    case 'not exists': {
      const subquery = await withoutSubqueries(node.subquery, tables, ask);
      if (!isAlone(subquery, tables)) {
        const semiJoin = asIn({ ...node, subquery }, tables);
        if (semiJoin === null) return perOuterRow({ ...node, subquery });
        const found = await inner(semiJoin);
        return node.type === 'exists'
          ? found
          : { type: 'unary', op: 'NOT', argument: found, ...at };
      }
      const hasRows = (await ask(subquery, 1)).length > 0;
      return { type: 'literal', value: hasRows === (node.type === 'exists'), ...at };
    }
    case 'subquery': {
      const subquery = await withoutSubqueries(node.subquery, tables, ask);
      if (!isAlone(subquery, tables)) return { ...node, subquery };
      const [value = null] = await ask(subquery, 1);
      return { type: 'literal', value, ...at };
    }
    default:
      return node;
  }
}

type ExistsNode = Extract<ExprNode, { readonly type: 'exists' | 'not exists' }>;

/**
 * Returns `EXISTS (SELECT … WHERE own = outer AND …)` as `outer IN (SELECT own … WHERE …)`, whose query
 * runs once; null if more than one comparison by `=` needs the outer row.
 */
function asIn({ subquery, ...at }: ExistsNode, tables: readonly Table[]): ExprNode | null {
  if (subquery.type !== 'select' || hasGroups(subquery) || subquery.having) return null;
  if (subquery.limit !== undefined || subquery.offset || nestedIn(subquery).length > 0) return null;
  const sources = sourcesOf(subquery, tables);
  if (sources === null) return null;
  const isOwn = (part: ExprNode) => identifiers(part).every((name) => isIn(sources, name));
  const parts = conjuncts(subquery.where);
  const [link, ...others] = parts.filter((part) => !isOwn(part));
  if (link?.type !== 'binary' || !/^==?$/.test(link.op) || others.length > 0) return null;
  const [own, outer] = isOwn(link.left) ? [link.left, link.right] : [link.right, link.left];
  if (!isOwn(own) || identifiers(outer).some((name) => isIn(sources, name))) return null;
  const { positionStart, positionEnd } = at;
  const place = { positionStart, positionEnd };
  const isKnown: ExprNode = { type: 'unary', op: 'IS NOT NULL', argument: own, ...place };
  const where = parts
    .filter((part) => part !== link)
    .reduce<ExprNode>(
      (left, right) => ({ type: 'binary', op: 'AND', left, right, ...place }),
      isKnown,
    );
  const columns = [{ type: 'derived' as const, expr: own, ...place }];
  const query = { ...subquery, distinct: false, columns, orderBy: [], where };
  return isAlone(query, tables) ? { type: 'in', expr: outer, subquery: query, ...place } : null;
}

/**
 * Returns EXISTS as `(SELECT 1 … LIMIT 1) IS NOT NULL`: the engine gives the outer row only to nested
 * queries that are values. Returns `node` itself if its query is more than one SELECT.
 */
function perOuterRow(node: ExistsNode): ExprNode {
  const { subquery, positionStart, positionEnd } = node;
  if (subquery.type !== 'select' || (subquery.distinct && subquery.offset)) return node;
  const at = { positionStart, positionEnd };
  // With groups, each row of the result is a group. COUNT(*) is null in none.
  const expr: ExprNode =
    hasGroups(subquery) || subquery.having
      ? { type: 'function', funcName: 'COUNT', args: [{ type: 'star', ...at }], ...at }
      : { type: 'literal', value: 1, ...at };
  const value: SelectStatement = {
    ...subquery,
    distinct: false,
    columns: [{ type: 'derived', expr, ...at }],
    orderBy: [],
    limit: Math.min(subquery.limit ?? 1, 1),
  };
  return {
    type: 'unary',
    op: node.type === 'exists' ? 'IS NOT NULL' : 'IS NULL',
    argument: { type: 'subquery', subquery: value, ...at },
    ...at,
  };
}

/** Returns true if the SELECT uses only columns of its own tables. */
function isAlone(statement: Statement, tables: readonly Table[]): boolean {
  if (statement.type !== 'select') return false;
  const sources = sourcesOf(statement, tables);
  return sources !== null && identifiers(statement).every((name) => isIn(sources, name));
}

/** A table of a SELECT, by the name that its columns have before them. */
type Source = { readonly alias: string; readonly columns: readonly string[] };

/** Returns the tables of a SELECT; null if one of them is none of `tables`. */
function sourcesOf({ from, joins }: SelectStatement, tables: readonly Table[]): Source[] | null {
  if (from.type !== 'table') return null;
  const sources: Source[] = [];
  for (const { table, alias = table } of [from, ...joins]) {
    const columns = tables.find(({ name }) => name === table)?.columns;
    if (columns === undefined) return null;
    sources.push({ alias, columns: columns.map(({ name }) => name) });
  }
  return sources;
}

function isIn(sources: readonly Source[], { prefix, name }: Identifier): boolean {
  return sources.some(
    ({ alias, columns }) => (prefix === undefined || prefix === alias) && columns.includes(name),
  );
}

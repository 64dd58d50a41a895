/** Limits of a query that are checked before it runs. */
import type { ExprNode, SelectStatement, Statement } from 'squirreling';
import { QueryError, spanOf } from './query-error.ts';

/** Maximum depth of queries in queries: the engine has a scan in memory for each level. */
const MAX_DEPTH = 16;
/** Maximum tables that a query reads: WITH names that name each other can double them with each name. */
const MAX_READS = 1000;
/** Maximum characters of a regular expression: V8 aborts on 2,000 groups in each other. */
const MAX_PATTERN = 500;

/**
 * Throws `QueryError` for queries that are nested too deep or read too many tables, and for patterns
 * that are too long.
 */
export function checkLimits(statement: Statement): void {
  const open: { readonly node: unknown; readonly depth: number }[] = [
    { node: statement, depth: 0 },
  ];
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    const { node } = at;
    if (typeof node !== 'object' || node === null) continue;
    const depth = at.depth + (isQuery(node) ? 1 : 0);
    if (isQuery(node) && depth > MAX_DEPTH) {
      throw new QueryError(`The query has more than ${MAX_DEPTH} levels of queries`, spanOf(node));
    }
    if (isCall(node) && /^REGEXP_/i.test(node.funcName)) checkPattern(node);
    for (const part of Object.values(node)) open.push({ node: part, depth });
  }
  if (readsOf(statement, new Map()) > MAX_READS) {
    const message = `The query reads more than ${MAX_READS} tables; a name of WITH counts as its query, each time that it is used`;
    throw new QueryError(message, { start: 0, end: 0 });
  }
}

/** Returns how many tables a statement reads. `named` has the number for each name of WITH. */
function readsOf(statement: Statement, named: ReadonlyMap<string, number>): number {
  let reads = 0;
  const open: unknown[] = [statement];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (typeof node !== 'object' || node === null) continue;
    if (isWith(node)) {
      const inner = new Map(named);
      for (const { name, query } of node.ctes) inner.set(name.toLowerCase(), readsOf(query, inner));
      reads += readsOf(node.query, inner);
      continue;
    }
    if (isTable(node)) reads += named.get(node.table.toLowerCase()) ?? 1;
    for (const part of Object.values(node)) if (typeof part === 'object') open.push(part);
  }
  return reads;
}

function isWith(node: object): node is Extract<Statement, { type: 'with' }> {
  return 'type' in node && node.type === 'with' && 'ctes' in node;
}

/** Returns true for a table or a name of WITH in FROM or JOIN. */
function isTable(node: object): node is { readonly table: string } {
  const isSource = 'joinType' in node || ('type' in node && node.type === 'table');
  return isSource && 'table' in node && typeof node.table === 'string';
}

function checkPattern(call: Call): void {
  const pattern = call.args[1];
  if (pattern === undefined) return;
  const { value } = pattern.type === 'literal' ? pattern : { value: undefined };
  if (typeof value === 'string' && value.length <= MAX_PATTERN) return;
  const message = `A regular expression is a text in quotes of at most ${MAX_PATTERN} characters`;
  throw new QueryError(message, spanOf(pattern));
}

function isQuery(node: object): node is SelectStatement {
  return 'type' in node && (node.type === 'select' || node.type === 'with');
}

type Call = Extract<ExprNode, { type: 'function' }>;

function isCall(node: object): node is Call {
  return 'type' in node && node.type === 'function' && 'args' in node;
}

/**
 * Replaces DISTINCT for squirreling 0.12.11, whose `executeDistinct` starts the keys of 256 rows and
 * then awaits one key after the other. An error in a cell rejects all keys, and nobody handles the
 * rejections after the first. UNION and GROUP BY await the key of each row before the next.
 */
import type { QueryPlan, SelectStatement, Statement } from 'squirreling';
import { hasGroups } from './grouping.ts';
import { QueryError, spanOf } from './query-error.ts';

/** Replaces each DISTINCT of a plan by a UNION with no rows, in place. */
export function replaceDistinct(plans: readonly QueryPlan[]): void {
  const open: unknown[] = [...plans];
  const done = new Set<unknown>();
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    if (typeof at !== 'object' || at === null || done.has(at)) continue;
    done.add(at);
    if ('type' in at && at.type === 'Distinct' && 'child' in at) {
      const right = { type: 'Limit', child: at.child, limit: 0 };
      Object.assign(at, { type: 'SetOperation', operator: 'UNION', left: at.child, right });
    }
    for (const part of Object.values(at)) if (typeof part === 'object') open.push(part);
  }
}

/**
 * Replaces DISTINCT by GROUP BY in the nested queries of expressions, which the engine plans for
 * each outer row. Throws `QueryError` for `*` and aggregates, which cannot be keys.
 */
export function withGroupedSubqueries(statement: Statement): Statement {
  return groupedIn(statement, false) as Statement;
}

function groupedIn(node: unknown, isNested: boolean): unknown {
  if (typeof node !== 'object' || node === null) return node;
  if (Array.isArray(node)) return node.map((part) => groupedIn(part, isNested));
  const made = Object.fromEntries(
    Object.entries(node).map(([key, part]) => [
      key,
      groupedIn(part, isNested || key === 'subquery'),
    ]),
  );
  return isNested && made.distinct === true && made.type === 'select'
    ? grouped(made as unknown as SelectStatement)
    : made;
}

function grouped(select: SelectStatement): SelectStatement {
  const groupBy = select.columns.flatMap((column) => (column.type === 'star' ? [] : [column.expr]));
  if (groupBy.length < select.columns.length || hasGroups(select)) {
    const message = 'SELECT DISTINCT in a nested query needs columns without * and aggregates';
    throw new QueryError(message, spanOf(select));
  }
  return { ...select, distinct: false, groupBy };
}

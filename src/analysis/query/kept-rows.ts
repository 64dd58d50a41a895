/**
 * Counts the rows that squirreling 0.12.11 keeps of joins and of UNION ALL, which can have many times
 * the rows of their tables. The engine keeps all rows for ORDER BY, GROUP BY and aggregates
 * (`executeSort`, `executeHashAggregate`, `executeScalarAggregate`), the keys of UNION without ALL,
 * and the right side of INTERSECT, EXCEPT and joins.
 */
import {
  type AsyncDataSource,
  type ExecuteContext,
  executePlan,
  type QueryPlan,
} from 'squirreling';

/** Cells that a row counts as more than its own. */
export const ROW_CELLS = 4;
/** Prefix of the tables that represent counted parts of a plan. Users cannot write it. */
const COUNTED = '\ue000counted:';

const KEEPS_CHILD: ReadonlySet<QueryPlan['type']> = new Set<QueryPlan['type']>([
  'Sort',
  'HashAggregate',
  'ScalarAggregate',
  'Window',
]);

/** Adds cells to those that the engine keeps. Throws if it keeps too many. */
type Count = (cells: number) => void;

/**
 * Replaces, in place, each part of the plans whose rows are kept and can be more than those of its
 * tables by a scan that counts them. Adds the sources of these scans to `context.tables`.
 */
export function countKept(
  plans: readonly QueryPlan[],
  context: ExecuteContext,
  count: Count,
): void {
  const multiplies = new Map<QueryPlan, boolean>();
  const order = childrenFirst(plans);
  for (const plan of order) {
    const isProduct =
      plan.type === 'NestedLoopJoin' ||
      plan.type === 'HashJoin' ||
      (plan.type === 'SetOperation' && plan.operator === 'UNION' && plan.all);
    multiplies.set(plan, isProduct || childrenOf(plan).some((child) => multiplies.get(child)));
  }
  const scans = new Map<QueryPlan, QueryPlan>();
  const counted = (plan: QueryPlan): QueryPlan => {
    if (multiplies.get(plan) !== true) return plan;
    const known = scans.get(plan);
    if (known !== undefined) return known;
    const table = `${COUNTED}${scans.size}`;
    context.tables[table] = countedSource(plan, context, count);
    const scan: QueryPlan = { type: 'Scan', table, hints: {} };
    scans.set(plan, scan);
    return scan;
  };
  for (const plan of order) {
    if ('child' in plan) {
      if (KEEPS_CHILD.has(plan.type) || keepsKeys(plan.child)) plan.child = counted(plan.child);
    } else if ('left' in plan) {
      if (keepsKeys(plan.left)) plan.left = counted(plan.left);
      if (keepsRight(plan) || keepsKeys(plan.right)) plan.right = counted(plan.right);
    }
  }
}

/** Returns true for UNION without ALL, which keeps a key of each row that it yields. */
function keepsKeys(plan: QueryPlan): boolean {
  return plan.type === 'SetOperation' && plan.operator === 'UNION' && !plan.all;
}

function keepsRight(plan: QueryPlan): boolean {
  if (plan.type === 'SetOperation') return plan.operator !== 'UNION';
  // The rows of a function such as UNNEST are read anew for each row of the left side.
  return plan.type !== 'NestedLoopJoin' || plan.lateral !== true;
}

function countedSource(plan: QueryPlan, context: ExecuteContext, count: Count): AsyncDataSource {
  let columns: string[] | null = null;
  let own = 0;
  return {
    get columns() {
      columns ??= [...executePlan({ plan, context }).columns];
      return columns;
    },
    scan: () => {
      const results = executePlan({ plan, context });
      columns ??= [...results.columns];
      return {
        appliedWhere: true,
        appliedLimitOffset: true,
        rows: async function* () {
          // A nested query reads its rows again and again, and keeps those of one reading.
          count(-own);
          own = 0;
          for await (const row of results.rows()) {
            const cells = row.columns.length + ROW_CELLS;
            own += cells;
            count(cells);
            yield row;
          }
        },
      };
    },
  };
}

function childrenOf(plan: QueryPlan): QueryPlan[] {
  if ('child' in plan) return [plan.child];
  return 'left' in plan ? [plan.left, plan.right] : [];
}

/** Returns all parts of the plans, each once, after the parts that it reads. */
function childrenFirst(plans: readonly QueryPlan[]): QueryPlan[] {
  const order = new Set<QueryPlan>();
  const open = plans.map((plan) => ({ plan, isLeft: false }));
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    const { plan, isLeft } = at;
    if (order.has(plan)) continue;
    if (isLeft) {
      order.add(plan);
      continue;
    }
    open.push({ plan, isLeft: true });
    for (const child of childrenOf(plan)) open.push({ plan: child, isLeft: false });
  }
  return [...order];
}

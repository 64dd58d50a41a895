// Measures the layout of a type graph, compared with dagre's layout of the same boxes and edges.
// The time should grow with the number of boxes, since the layout has a column per distance and
// sweeps once.
import { execFileSync } from 'node:child_process';

/** Limit of boxes for dagre, which takes minutes for more. */
const MAX_FOR_DAGRE = 110;
const GOAL_MS = 50;

export async function measureGraph({ input, runs, program }) {
  const run = await program('scripts/bench/graph-run.mjs');
  const args = [run, input.path, `${Math.max(5, runs)}`, `${MAX_FOR_DAGRE}`];
  const { kernels, growth } = JSON.parse(
    execFileSync(process.execPath, args, { encoding: 'utf8', maxBuffer: 16 * 1024 * 1024 }),
  );
  console.log(
    `\nGraph: layout of ${input.from}, median; dagre for at most ${MAX_FOR_DAGRE} types\n`,
  );
  console.log('type          steps   types   edges   first ms      ms   dagre ms   ratio');
  for (const row of kernels) console.log(lineOf(row));
  const slow = kernels.filter(({ depth, ms }) => depth <= 2 && ms > GOAL_MS);
  console.log(
    slow.length === 0
      ? `\nAll of one and two steps under ${GOAL_MS} ms`
      : `\nOver ${GOAL_MS} ms: ${slow.map(({ name, depth }) => `${name} ${depth}`).join(', ')}`,
  );
  console.log('\nA tree of structs: types, ms, µs for each');
  for (const { nodes, ms } of growth) {
    const each = ((1000 * ms) / nodes).toFixed(1);
    console.log(`${`${nodes}`.padStart(7)}${ms.toFixed(1).padStart(9)}${each.padStart(8)}`);
  }
}

function lineOf({ name, depth, nodes, edges, firstMs, ms, dagreMs }) {
  const right = (value, width) => `${value}`.padStart(width);
  const dagre = dagreMs === null ? '–' : dagreMs.toFixed(0);
  const ratio = dagreMs === null ? '–' : `${(dagreMs / ms).toFixed(0)} ×`;
  return [
    name.padEnd(13),
    right(depth, 6),
    right(nodes, 8),
    right(edges, 8),
    right(firstMs.toFixed(1), 11),
    right(ms.toFixed(1), 8),
    right(dagre, 11),
    right(ratio, 8),
  ].join('');
}

// Measures path queries on a kernel: building the access graph, and finding ten paths for each
// example query.
import { execFileSync } from 'node:child_process';
import { median } from './figures.mjs';
import { shown } from './processes.mjs';

const TIMES = 20;

/** Builds the graph in `runs` new processes; prints the times of the graph and of the queries. */
export async function measurePaths({ program, input, runs }) {
  const pathsRun = await program('scripts/bench/paths-run.mjs');
  const measurements = Array.from({ length: runs }, () => run(pathsRun, input.path));
  const [{ nodes, arcs, questions }] = measurements;
  console.log(`\nWays through ${input.from}, ${runs} runs, median\n`);
  const build = median(measurements.map(({ buildMs }) => buildMs));
  console.log(
    `  the graph of accesses            ${shown(build)} ms: ${nodes.toLocaleString('en')} types, ${arcs.toLocaleString('en')} steps`,
  );
  if (questions.length === 0) console.log('  no question: these are not the types of a kernel');
  questions.forEach(({ from, to, around, paths }, i) => {
    const times = measurements.flatMap((measurement) => measurement.questions[i].ms);
    const first = median(measurements.map((measurement) => measurement.questions[i].ms[0]));
    const name = `${from} > ${to}${around ? ', container_of' : ''}`;
    console.log(
      `  ${name.padEnd(33)}${shown(median(times))} ms, ${shown(first)} ms the first time: ${paths} paths`,
    );
  });
}

function run(program, kernel) {
  return JSON.parse(
    execFileSync(process.execPath, [program, kernel, `${TIMES}`], { encoding: 'utf8' }),
  );
}

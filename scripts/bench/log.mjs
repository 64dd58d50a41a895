// Measures reading a log of the verifier: a million lines, and a text of 100 MB, plain and with a
// logger's prefix before each line, compared with splitting the same text into strings.
import { execFileSync } from 'node:child_process';
import { median } from './figures.mjs';
import { shown } from './processes.mjs';
import { columns } from './table.mjs';

/** Time in which a million lines must be read. */
const GOAL_MS = 3000;

/** Reads each text `runs` times in a new process and prints a table. */
export async function measureLog({ program, runs }) {
  const path = await program('scripts/bench/log-run.mjs');
  const all = Array.from({ length: runs }, () =>
    JSON.parse(execFileSync(process.execPath, [path], { encoding: 'utf8' })),
  );
  const rows = [['', 'lines', 'MB', 'ms', '× split', 'MB of columns']];
  for (const [i, { name, lines, bytes, heldBytes }] of all[0].entries()) {
    const ms = median(all.map((run) => run[i].ms));
    const splitMs = median(all.map((run) => run[i].splitMs));
    rows.push([
      name,
      lines.toLocaleString('en'),
      (bytes / 1e6).toFixed(0),
      shown(ms),
      (ms / splitMs).toFixed(1),
      (heldBytes / 1e6).toFixed(1),
    ]);
  }
  const goal = `goal: a million lines within ${GOAL_MS} ms`;
  console.log(`\nLogs of the verifier, ${runs} runs, median; ${goal}\n\n${columns(rows)}`);
}

// Compares the cost per type in a file of a million types with that in a file of ten thousand.
// Measures in Node. Both files are generated with the same mix of kinds.
import { execFileSync } from 'node:child_process';
import { largeFile } from '../large/files.mjs';
import { columns, number } from './table.mjs';

const FILES = ['types-10k.btf', 'types-100k.btf', 'types-1m.btf'];
/** Number of runs in each process; only the shortest run is used. */
const WITHIN = 5;
const GROWTH_GOAL = 1.3;
const MEMORY_GOAL = 24;

const STEPS = [
  { key: 'index', label: 'open: walk the records' },
  { key: 'finder', label: 'names, for filter and palette' },
  { key: 'filter', label: 'filter types once' },
  { key: 'referrers', label: 'referrers of one type' },
];

/** Measures and prints nanoseconds and bytes per type, and their growth. */
export async function measureGrowth({ program, runs }) {
  const path = await program('scripts/bench/growth-run.mjs');
  const measured = FILES.map((name) => best(path, largeFile(name), Math.min(runs, 3)));
  const head = ['ns a type', ...measured.map(({ types }) => types.toLocaleString('en')), 'growth'];
  const time = STEPS.map(({ key, label }) => {
    const each = measured.map((one) => (one[key].ms * 1e6) / one.types);
    // Compares with the cheapest of the other files, because code is still cold in a small file.
    return [
      label,
      ...each.map(number),
      `${number(each.at(-1) / Math.min(...each.slice(0, -1)))} ×`,
    ];
  });
  console.log(columns([head, ...time]));
  console.log(`goal: at most ${GROWTH_GOAL} ×\n`);

  const memoryHead = ['bytes a type beyond the file', ...head.slice(1, -1)];
  const memory = STEPS.map(({ key, label }) => [
    label,
    ...measured.map((one) => number(one[key].held / one.types)),
  ]);
  const sum = measured.map((one) =>
    number(STEPS.reduce((all, { key }) => all + one[key].held, 0) / one.types),
  );
  console.log(columns([memoryHead, ...memory, ['all of them', ...sum]]));
  console.log(`goal: under ${MEMORY_GOAL} for all of them`);
}

/** Returns the shortest time of each step in several processes: other work can only add time. */
function best(program, file, runs) {
  const all = Array.from({ length: runs }, () =>
    JSON.parse(
      execFileSync(process.execPath, ['--expose-gc', program, file, `${WITHIN}`], {
        encoding: 'utf8',
      }),
    ),
  );
  const [first] = all;
  for (const { key } of STEPS) first[key].ms = Math.min(...all.map((one) => one[key].ms));
  return first;
}

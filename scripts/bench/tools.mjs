// Compares the command with the tools whose text it prints, on one file. Runs the processes of both
// in turn. Times include the start of Node, which is also listed separately.
import { execFileSync, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { median } from './figures.mjs';
import { isInstalled, shown, timeProcess } from './processes.mjs';

const HARNESS_SOURCE = fileURLToPath(new URL('./btf-new.c', import.meta.url));
const OUR_LOOP = fileURLToPath(new URL('./warm.mjs', import.meta.url));
/** Number of runs before the measurement, so that the code is optimized. */
const WARM_UP = 50;
/** Number of runs before the measurement of a text. Each takes 0.1 s. */
const TEXT_WARM_UP = 5;
/** Factor for the number of runs if a run takes only a millisecond. */
const TIMES_AS_OFTEN = 10;

/**
 * Comparisons: arguments of the command, command line of the tool, goal for the ratio of their
 * times, and the library function for the same text if it is measured warm too.
 */
const DUMPS = [
  {
    label: 'raw dump / bpftool',
    words: ['raw'],
    tool: 'bpftool',
    args: ['btf', 'dump', 'file', 'FILE', 'format', 'raw'],
    goal: 1,
  },
  {
    label: 'JSON dump / bpftool',
    words: ['json', '--bpftool', '7.1'],
    tool: 'bpftool',
    args: ['-j', 'btf', 'dump', 'file', 'FILE'],
    goal: 1,
  },
  {
    label: 'C dump / bpftool',
    words: ['c', '--bpftool', '7.1'],
    tool: 'bpftool',
    args: ['btf', 'dump', 'file', 'FILE', 'format', 'c'],
    goal: 2,
    warm: 'cText',
  },
  {
    label: 'pahole text / pahole',
    words: ['pahole', '--pahole', '1.24'],
    tool: 'pahole',
    args: ['-F', 'btf', 'FILE'],
    goal: 2,
    warm: 'paholeText',
  },
];

/** Measures each comparison `runs` times and prints a table; names tools that are missing. */
export async function compareWithTools({ program, input, scratch, runs }) {
  const cli = await program('src/cli/main.ts');
  const ingestModule = await program('src/ingest/ingest.ts');
  const library = await program('src/lib/main.ts');
  const rows = [indexRow(ingestModule, input, scratch, runs)];
  const startUp = [];
  const node = [];
  for (let run = 0; run < runs; run++) {
    startUp.push(timeProcess(process.execPath, [cli, '--help'], scratch));
    node.push(timeProcess(process.execPath, ['-e', '0'], scratch));
  }
  rows.push(rowOf('btfscope --help / node -e 0', startUp, node, 1.15, ''));
  for (const dump of DUMPS) {
    const { found, theirs } = dumpRow(dump, cli, input, scratch, runs, median(startUp));
    rows.push(found);
    if (dump.warm === undefined || theirs === null) continue;
    const words = [OUR_LOOP, library, input.path, `${runs + TEXT_WARM_UP}`, dump.warm];
    const warm = numbers(process.execPath, words).slice(TEXT_WARM_UP);
    rows.push(rowOf('  the text alone, warm', warm, theirs, 1, ''));
  }
  console.log(
    `\nBeside the tools: ${input.from}, ${runs} runs of each in turn, median and least in ms`,
  );
  console.log(`Node's start-up with our command: ${shown(median(startUp))} ms\n`);
  console.log(table(rows));
}

function dumpRow({ label, words, tool, args, goal }, cli, input, scratch, runs, startUp) {
  if (!isInstalled(tool)) return { found: [label, `${tool} is not installed`], theirs: null };
  const ours = [];
  const theirs = [];
  for (let run = 0; run < runs; run++) {
    ours.push(timeProcess(process.execPath, [cli, ...words, input.path], scratch));
    theirs.push(
      timeProcess(
        tool,
        args.map((a) => (a === 'FILE' ? input.path : a)),
        scratch,
      ),
    );
  }
  const apart = (median(ours) - startUp) / median(theirs);
  const note = `${apart.toFixed(2)} apart from start-up`;
  return { found: rowOf(label, ours, theirs, goal, note), theirs };
}

function indexRow(ingestModule, input, scratch, runs) {
  const label = 'index, warm / libbpf btf__new';
  const harness = buildHarness(scratch);
  if (harness === null)
    return [label, 'libbpf and its headers are not installed, or there is no cc'];
  const count = `${runs * TIMES_AS_OFTEN + WARM_UP}`;
  const ours = numbers(process.execPath, [
    OUR_LOOP,
    ingestModule,
    input.path,
    count,
    'ingestBytes',
  ]);
  const theirs = numbers(harness, [input.path, count]);
  const cold = `first run ${shown(ours[0])}, theirs ${shown(theirs[0])}`;
  return rowOf(label, ours.slice(WARM_UP), theirs.slice(WARM_UP), 1, cold);
}

function buildHarness(scratch) {
  const program = join(scratch, 'btf-new');
  const built = spawnSync('cc', ['-O2', '-o', program, HARNESS_SOURCE, '-lbpf']);
  return built.status === 0 ? program : null;
}

function rowOf(label, ours, theirs, goal, note) {
  const ratio = median(ours) / median(theirs);
  return [
    label,
    `${shown(median(ours))} (${shown(Math.min(...ours))})`,
    `${shown(median(theirs))} (${shown(Math.min(...theirs))})`,
    ratio.toFixed(2),
    goal === null ? '' : `goal ${goal}`,
    note,
  ];
}

function numbers(command, args) {
  return execFileSync(command, args, { encoding: 'utf8' }).trim().split('\n').map(Number);
}

function table(rows) {
  const all = [['', 'ours', 'theirs', 'ratio', '', ''], ...rows];
  const widths = [0, 1, 2, 3, 4].map((i) =>
    Math.max(...all.filter((row) => row.length > 2).map((row) => row[i].length)),
  );
  return all
    .map((row) =>
      row
        .map((cell, i) => cell.padEnd(row.length > 2 ? (widths[i] ?? 0) : 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

// Measures a keystroke in the search of a kernel, compared with a frame of 16.7 ms, and building
// the index. Uses new processes, so that the first keystrokes run cold code, as in use.
import { execFileSync } from 'node:child_process';
import { median } from './figures.mjs';
import { shown } from './processes.mjs';

const FRAME_MS = 1000 / 60;

/** Words to search for: each form of query, and names as users type them. */
const WORDS = [
  'task_struct',
  'tsk_st',
  'vas',
  'net_device',
  'bpf_prog_aux',
  'inode_op',
  'struct: sk_buff',
  'func:tcp_v4_connect',
  'task_struct.se.vruntime',
  'task_struct.mm.pgd',
  '*.sk_family',
  '0x58 in sk_buff',
  'size>1000',
  'enumerator:BPF_PROG_TYPE',
  'value:0x800',
  '#1234',
];

/** Types the words letter by letter, and prints the times. */
export async function measureFind({ program, input, runs }) {
  const path = await program('scripts/bench/find-run.mjs');
  console.log(
    `\nPalette: ${WORDS.length} questions typed on ${input.from}, ${runs} runs, median\n`,
  );
  const found = Array.from({ length: runs }, () => run(path, input.path));
  console.log(linesOf(found).join('\n'));
}

function run(program, kernel) {
  const text = execFileSync(process.execPath, ['--expose-gc', program, kernel, ...WORDS], {
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
  return JSON.parse(text);
}

function linesOf(runs) {
  const [first] = runs;
  const stringsMs = fastest(runs.map((one) => one.stringsMs));
  const strokes = first.strokes.map(({ text }, i) => ({
    text,
    ms: fastest(runs.map((one) => one.strokes[i].ms)),
  }));
  const sorted = strokes.map(({ ms }) => ms).sort((a, b) => a - b);
  const at = (part) => sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))];
  const slowest = strokes.reduce((a, b) => (b.ms > a.ms ? b : a));
  const ratio = (ms) => `${shown(ms)} ms, ${(ms / FRAME_MS).toFixed(2)} × a frame`;
  const within = sorted.filter((ms) => ms <= FRAME_MS).length;
  return [
    `${first.names.toLocaleString('en')} names of types, members and enumerators`,
    `  build the index    ${shown(fastest(runs.map(({ indexMs }) => indexMs)))} ms, once, in the background`,
    `  it holds           ${(median(runs.map(({ indexBytes }) => indexBytes)) / 1e6).toFixed(1)} MB`,
    `  a stroke, median   ${ratio(at(0.5))}`,
    `  95th of 100        ${ratio(at(0.95))} (goal: under 1)`,
    `  the slowest        ${ratio(slowest.ms)}: ${slowest.text}`,
    `  the first string:  ${shown(stringsMs)} ms: the strings have an index of their own`,
    `  within a frame     ${within} of ${sorted.length} strokes`,
  ];
}

function fastest(values) {
  return values.reduce((a, b) => Math.min(a, b));
}

// Measures the comparison of two kernels in new processes: all types in the worker; in the page the
// copied table, the list, and one type side by side.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { decompress } from 'fzstd';
import { median } from './figures.mjs';
import { shown } from './processes.mjs';

const KERNELS = fileURLToPath(new URL('../../../shared/corpus/kernels/', import.meta.url));
const PAIR = ['vmlinux-6.1.0-56-amd64.btf.zst', 'vmlinux-6.12.117-amd64.btf.zst'];

/** Compares two kernels of the corpus `runs` times; without a corpus, the input with itself. */
export async function measureCompare({ program, input, scratch, runs }) {
  const compareRun = await program('scripts/bench/compare-run.mjs');
  const paths = pairOf(input, scratch);
  const found = Array.from({ length: runs }, () => run(compareRun, paths));
  const [{ rows, same, types }] = found;
  const middle = (read) => shown(median(found.map(read)));
  console.log(`
Comparing ${paths.map((path) => basename(path)).join(' and ')}, ${runs} runs, median

  all types, in the worker        ${middle(({ wholeMs }) => wholeMs)} ms: ${rows.toLocaleString('en')} differ, ${same.toLocaleString('en')} are the same
  the longest step between rests  ${middle(({ longestMs }) => longestMs)} ms
  the page: a copy to send        ${middle(({ copyMs }) => copyMs)} ms
  the page: the list, sorted      ${middle(({ listMs }) => listMs.first)} ms
  the page: a stroke of a filter  ${middle(({ listMs }) => listMs.again)} ms, ${middle(({ listMs }) => listMs.filter)} ms the first`);
  types.forEach(({ name, lines }, i) => {
    const ms = middle((one) => one.types[i].ms);
    console.log(`  ${name.padEnd(30)}  ${ms} ms: ${lines.toLocaleString('en')} lines in lock-step`);
  });
}

function run(program, paths) {
  return JSON.parse(execFileSync(process.execPath, [program, ...paths], { encoding: 'utf8' }));
}

function pairOf(input, scratch) {
  if (!existsSync(join(KERNELS, PAIR[0]))) return [input.path, input.path];
  return PAIR.map((name) => {
    const path = join(scratch, basename(name, '.zst'));
    writeFileSync(path, decompress(readFileSync(join(KERNELS, name))));
    return path;
  });
}

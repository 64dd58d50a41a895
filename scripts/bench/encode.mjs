// Compares `btfscope encode` with pahole on one file with DWARF. Runs the processes of both in turn.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { median } from './figures.mjs';
import { isInstalled, shown, timeProcess } from './processes.mjs';
import { columns } from './table.mjs';

/** pahole, whose BTF is byte for byte the same from 1.31 on. */
const PAHOLE = process.env.PAHOLE ?? 'pahole';
const GOAL = 3;

/** Measures both `runs` times and prints the ratio. Without DWARF in the input nothing is measured. */
export async function measureEncode({ program, input, scratch, runs }) {
  if (!readFileSync(input.path).includes('.debug_info')) {
    console.log('\nEncode: name a file with DWARF, as a kernel module, with --file');
    return;
  }
  if (!isInstalled(PAHOLE)) {
    console.log(`\nEncode: ${PAHOLE} is not installed; the variable PAHOLE names another one`);
    return;
  }
  const cli = await program('src/cli/main.ts');
  const [ours, theirs] = [[], []];
  const mine = [cli, 'encode', input.path, '-o', join(scratch, 'ours.btf')];
  const other = [`--btf_encode_detached=${join(scratch, 'theirs.btf')}`, input.path];
  for (let run = 0; run < runs; run++) {
    ours.push(timeProcess(process.execPath, mine, scratch));
    theirs.push(timeProcess(PAHOLE, other, scratch));
  }
  const texts = [ours, theirs].map((ms) => `${shown(median(ms))} (${shown(Math.min(...ms))})`);
  const ratio = (median(ours) / median(theirs)).toFixed(2);
  const head = ['', 'ours', 'theirs', 'ratio', 'goal'];
  console.log(`\nEncode: ${input.from}, ${runs} runs of each in turn, median and least in ms\n`);
  console.log(columns([head, ['btfscope encode / pahole', ...texts, ratio, GOAL]]));
}

// Measures decompression: the project's decoders in one process, as in a worker, compared with
// processes of the tools that compressed the files.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { median } from './figures.mjs';
import { isInstalled, shown, timeProcess } from './processes.mjs';
import { columns } from './table.mjs';

const GOAL = 2;
/** Number of runs before the measurement, in which V8 compiles the decoders. */
const WARM_UP = 2;
/** Kinds of compression; the tools have the same names. */
const TOOLS = ['gzip', 'xz', 'zstd', 'lz4'];

/** Measures each kind of compression `runs` times and prints a table. */
export async function measureUnpack({ program, input, scratch, runs }) {
  const module = await program('src/formats/containers/decompress.ts');
  const { decompress } = await import(pathToFileURL(module).href);
  const rows = [['ms', 'ours', 'theirs', `ratio (goal: at most ${GOAL})`]];
  for (const tool of TOOLS) {
    if (!isInstalled(tool)) {
      rows.push([`${tool}: not installed`, '', '', '']);
      continue;
    }
    const options = { maxBuffer: 2 * input.size + 1e6 };
    const packed = new Uint8Array(execFileSync(tool, ['-c', input.path], options));
    const path = join(scratch, `input.${tool}`);
    writeFileSync(path, packed);
    const ours = [];
    const theirs = [];
    for (let run = -WARM_UP; run < runs; run++) {
      const start = performance.now();
      const { bytes } = await decompress(tool, packed, { region: tool, limit: input.size });
      if (run >= 0) ours.push(performance.now() - start);
      if (!readFileSync(input.path).equals(bytes)) throw new Error(`${tool}: other bytes`);
      if (run >= 0) theirs.push(timeProcess(tool, ['-dc', path], scratch));
    }
    const ratio = median(ours) / median(theirs);
    rows.push([tool, shown(median(ours)), shown(median(theirs)), ratio.toFixed(2)]);
  }
  console.log(
    `\nUnpacking ${input.name}, ${runs} runs of each in turn, median\n\n${columns(rows)}`,
  );
}

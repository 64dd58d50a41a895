// How fast the built app is, and how much memory it takes: `npm run bench`.
//
// Runs the parts that scripts/bench/parts.mjs lists, each of which prints what it found.
// No time is too long for it: it fails only when something does not work at all.
// What the times mean is said where they are taken, in scripts/bench/.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { prepareInput } from './bench/input.mjs';
import { readOptions, USAGE } from './bench/options.mjs';
import { PARTS } from './bench/parts.mjs';
import { buildApp, buildProgram } from './bench/site.mjs';

try {
  const options = readOptions(process.argv.slice(2));
  if (options.help) console.log(USAGE);
  else await bench(options);
} catch (error) {
  console.error(error);
  process.exitCode = 1;
}

async function bench({ file, parts, runs, throttle }) {
  const scratch = mkdtempSync(join(tmpdir(), 'btfscope-bench-'));
  try {
    const input = prepareInput(file, scratch);
    console.log(`File: ${input.from}`);
    const built = new Map();
    const once = (name, build) => {
      if (!built.has(name)) built.set(name, build(join(scratch, name.replaceAll('/', '-'))));
      return built.get(name);
    };
    const stage = {
      input,
      runs,
      throttle,
      scratch,
      /** Folder of the app, built as people get it. */
      app: () => once('app', buildApp),
      /** Path of a module of ours, built for Node: `src/cli/main.ts`, `scripts/bench/core-run.mjs`. */
      program: (source) => once(source, (folder) => buildProgram(source, folder)),
    };
    for (const part of parts) await PARTS[part].run(stage);
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

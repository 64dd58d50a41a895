// Measures speed and memory of the built app: `npm run bench`.
//
// Runs the parts of scripts/bench/parts.mjs, each of which prints its results. The bench has no
// time limits and fails only on errors. The files in scripts/bench/ describe each measurement.
import { mkdtempSync, rmSync } from 'node:fs';
import { cpus, loadavg, tmpdir, totalmem } from 'node:os';
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

async function bench({ file, parts, runs, throttle, markdown }) {
  const scratch = mkdtempSync(join(tmpdir(), 'btfscope-bench-'));
  try {
    const input = prepareInput(file, scratch);
    console.log(conditions(input, runs).join(markdown ? '  \n' : '\n'));
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
      /** Builds the app once; returns its folder. */
      app: () => once('app', buildApp),
      /**
       * Builds a module for Node once; returns its path. `source` is for example `src/cli/main.ts`
       * or `scripts/bench/core-run.mjs`.
       */
      program: (source) => once(source, (folder) => buildProgram(source, folder)),
    };
    for (const part of parts) {
      const { about, run } = PARTS[part];
      if (markdown) console.log(`\n### ${part}: ${about}\n\n\`\`\`text`);
      await run(stage);
      if (markdown) console.log('```');
    }
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

/** Returns the environment for the report. The load shows if the machine was idle. */
function conditions(input, runs) {
  const [cpu] = cpus();
  return [
    `File: ${input.from}, ${input.size.toLocaleString('en')} bytes`,
    `Machine: ${cpus().length} × ${cpu?.model ?? 'unknown processor'}, ${(totalmem() / 1e9).toFixed(0)} GB, ${process.platform}, Node ${process.version}`,
    `Date: ${new Date().toISOString().slice(0, 10)}, load before ${loadavg()
      .map((load) => load.toFixed(1))
      .join(', ')}, ${runs} runs`,
  ];
}

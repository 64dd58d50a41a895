// How fast the built app is, and how much memory it takes: `npm run bench`.
//
// Drops a kernel's BTF into fresh pages of a real Chromium and prints one table.
// No time is too long for it: it fails only when something does not work at all.
// What the times mean is said where they are taken, in scripts/bench/.
import { mkdtempSync, rmSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from 'playwright';
import { measureCore } from './bench/core.mjs';
import { Measured, median } from './bench/figures.mjs';
import { prepareInput } from './bench/input.mjs';
import { measureIngest } from './bench/measure-ingest.mjs';
import { measureMemory, readsProcessMemory } from './bench/measure-memory.mjs';
import { measureTasks } from './bench/measure-tasks.mjs';
import { measureUse } from './bench/measure-use.mjs';
import { readOptions, USAGE } from './bench/options.mjs';
import {
  buildApp,
  buildCommand,
  buildCoreRun,
  buildIngest,
  initialScriptBytes,
  serve,
} from './bench/site.mjs';
import { formatTable } from './bench/table.mjs';
import { compareWithTools } from './bench/tools.mjs';
import { ensureChromium } from './find-chromium.mjs';

try {
  const options = readOptions(process.argv.slice(2));
  if (options.help) console.log(USAGE);
  else await bench(options);
} catch (error) {
  console.error(error);
  process.exitCode = 1;
}

async function bench(options) {
  const scratch = mkdtempSync(join(tmpdir(), 'btfscope-bench-'));
  try {
    const input = prepareInput(options.file, scratch);
    console.log(`File: ${input.from}`);
    const needsIngest = options.page || options.tools;
    const ingestModule = needsIngest ? await buildIngest(join(scratch, 'headless')) : null;
    if (options.page) await benchPage(options, input, ingestModule, scratch);
    if (options.tools) {
      const cli = await buildCommand(join(scratch, 'command'));
      compareWithTools({ cli, ingestModule, input, scratch, runs: options.runs });
    }
    if (options.core) {
      const program = await buildCoreRun(join(scratch, 'core'));
      measureCore({ program, input, scratch, runs: options.runs });
    }
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

async function benchPage({ runs, throttle }, input, ingestModule, scratch) {
  let site = null;
  let browser = null;
  try {
    const executablePath = ensureChromium();
    const app = join(scratch, 'app');
    await buildApp(app);
    site = await serve(app);
    browser = await chromium.launch({ executablePath, args: chromiumArgs() });

    const setup = { browser, address: site.address, input, throttle };
    const measured = new Measured();
    measured.add('scriptBytes', initialScriptBytes(app) / 1000);
    let types = 0;
    for (let run = 1; run <= runs; run++) {
      console.log(`Run ${run} of ${runs}`);
      await measureUse(setup, measured);
      await measureTasks(setup, measured);
      await measureMemory(setup, measured);
      const readMs = median(measured.values('read'));
      types = await measureIngest(ingestModule, input, readMs, measured);
    }

    const [cpu] = cpus();
    console.log(`
File      ${input.from}: ${input.size.toLocaleString('en')} bytes, ${types.toLocaleString('en')} types
Machine   ${cpus().length} × ${cpu?.model ?? 'unknown processor'}, ${process.platform}
Software  Chromium ${browser.version()}, Node ${process.version}
Runs      ${runs}, in fresh pages${throttle > 1 ? `, main thread ${throttle} times slower` : ''}
Memory    ${readsProcessMemory ? 'resident set of the process of the page and its workers' : 'JavaScript heap of the main thread: there is no /proc here'}

${formatTable(measured)}`);
  } finally {
    await browser?.close();
    await site?.close();
  }
}

function chromiumArgs() {
  // Without the flag `performance.memory` is rounded so that it says nothing.
  const args = ['--enable-precise-memory-info', '--disable-background-networking'];
  // Chromium refuses its sandbox to root, which containers run as.
  if (process.getuid?.() === 0) args.push('--no-sandbox');
  return args;
}

// Measures the app in Chromium: drops a kernel's BTF into new pages and prints one table.
import { cpus } from 'node:os';
import { onBrowser } from './browser.mjs';
import { Measured, median } from './figures.mjs';
import { measureIngest } from './measure-ingest.mjs';
import { measureMemory, readsProcessMemory } from './measure-memory.mjs';
import { measureTasks } from './measure-tasks.mjs';
import { measureUse } from './measure-use.mjs';
import { initialScriptBytes } from './site.mjs';
import { formatTable } from './table.mjs';

/** Measures each figure in `runs` new pages and prints the table. */
export async function measurePage({ input, runs, throttle, app, program }) {
  const folder = await app();
  const ingestModule = await program('src/ingest/ingest.ts');
  await onBrowser(folder, async ({ browser, address }) => {
    const setup = { browser, address, input, throttle };
    const measured = new Measured();
    measured.add('scriptBytes', initialScriptBytes(folder) / 1000);
    let types = 0;
    for (let run = 1; run <= runs; run++) {
      console.error(`Run ${run} of ${runs}`);
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
  });
}

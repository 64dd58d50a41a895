// Files larger than any that people have, each in a fresh page of a real Chromium: until
// they are open, until their types are listed, and what they hold in memory.
import { statSync } from 'node:fs';
import { basename } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { LARGE, largeFile } from '../large/files.mjs';
import { onBrowser } from './browser.mjs';
import { median } from './figures.mjs';
import { atRest, memoryReader } from './measure-memory.mjs';
import { installProbe } from './page-probe.mjs';
import { ask, slowDown } from './stage.mjs';
import { columns, number } from './table.mjs';

const MOST_RUNS = 3;
const SETTLE_MS = 3000;

/** Opens each file in up to three fresh pages and prints medians. */
export async function measureSize({ app, runs, throttle }) {
  const folder = await app();
  const rows = [['', 'MB', 'opened', 'types listed', 'longest task', 'MB more', 'MB after close']];
  await onBrowser(folder, async (site) => {
    for (const [name, { about }] of Object.entries(LARGE)) {
      const path = largeFile(name);
      const rounds = [];
      for (let run = 0; run < Math.min(runs, MOST_RUNS); run++) {
        console.error(`${name}, ${run + 1}`);
        rounds.push(await measureFile(site, path, throttle));
      }
      const of = (key) => number(median(rounds.map((round) => round[key])));
      rows.push([
        about,
        number(statSync(path).size / 1e6),
        `${of('opened')} ms`,
        `${of('listed')} ms`,
        `${of('longest')} ms`,
        of('open'),
        of('closed'),
      ]);
    }
  });
  console.log(columns(rows));
  console.log('all from the drop; the longest task of the main thread up to the list of types');
}

async function measureFile({ browser, address }, path, throttle) {
  const context = await browser.newContext({
    viewport: { width: 1440, height: 900 },
    baseURL: address,
  });
  try {
    const page = await context.newPage();
    const devtools = await context.newCDPSession(page);
    await slowDown(devtools, throttle);
    await context.addInitScript(installProbe);
    await page.goto('./');
    await ask(page, () => globalThis.benchProbe.ready);
    const bytesNow = await memoryReader(browser, page);
    const before = await atRest(devtools, bytesNow);
    await page.evaluate(() => globalThis.benchProbe.plantInput());
    await page.locator('#bench-input').setInputFiles(path);
    const name = basename(path);
    const { opened, start } = await ask(page, openFile, name);
    await page.getByRole('tab', { name: 'Types', exact: true }).click();
    const { listed, longest } = await ask(page, typesListed, { name, start });
    const open = (await atRest(devtools, bytesNow)) - before;
    await page.getByRole('button', { name: `Close ${name}`, exact: true }).click();
    await page
      .getByRole('status')
      .filter({ hasText: `Closed ${name}` })
      .waitFor();
    // A worker that is ended in the middle of its work takes a moment to be gone.
    await sleep(SETTLE_MS);
    const closed = (await atRest(devtools, bytesNow)) - before;
    return { opened, listed, longest, open: open / 1e6, closed: closed / 1e6 };
  } finally {
    await context.close();
  }
}

/** In the page: drops the held file; when it was dropped, and how long until it was open and painted. */
async function openFile(name) {
  const { drop, openedSentence, watchLongTasks, whenShown } = globalThis.benchProbe;
  globalThis.benchStop = watchLongTasks();
  const said = whenShown(() => openedSentence(name) !== null);
  const start = drop();
  const { paintedAt } = await said;
  return { opened: paintedAt - start, start };
}

/** In the page: how long from the drop until all types are listed, and the longest task until then. */
async function typesListed({ name, start }) {
  const { listsAllOf, whenShown } = globalThis.benchProbe;
  const { paintedAt } = await whenShown(() => listsAllOf(name));
  return { listed: paintedAt - start, longest: globalThis.benchStop() };
}

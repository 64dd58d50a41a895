// Measures files larger than any real file, each in a new page of Chromium: time until the file is
// open, time until its types are listed, and memory.
import { statSync } from 'node:fs';
import { basename } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { LARGE, largeFile } from '../large/files.mjs';
import { onBrowser } from './browser.mjs';
import { median } from './figures.mjs';
import { atRest, givenBack, memoryReader } from './measure-memory.mjs';
import { installProbe } from './page-probe.mjs';
import { ask, slowDown } from './stage.mjs';
import { columns, number } from './table.mjs';

const MAX_RUNS = 3;
/** Time in ms for the page's idle work, which is not part of the measurement. */
const REST_MS = 1000;

/** Opens each file in up to three new pages and prints the medians. */
export async function measureSize({ app, runs, throttle }) {
  const folder = await app();
  const titles = ['opened', 'types listed', 'longest task', 'a struct selected', 'longest task'];
  const rows = [['', 'MB', ...titles, 'MB more', 'MB after close']];
  await onBrowser(folder, async (site) => {
    for (const [name, { about }] of Object.entries(LARGE)) {
      const path = largeFile(name);
      const rounds = [];
      for (let run = 0; run < Math.min(runs, MAX_RUNS); run++) {
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
        `${of('selected')} ms`,
        `${of('longestSelect')} ms`,
        of('open'),
        of('closed'),
      ]);
    }
  });
  console.log(columns(rows));
  console.log('opened: from the drop; types listed: from a click on their tab');
  console.log(
    'longest task of the main thread: from the drop to the list; from the click to the struct',
  );
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
    const opened = await ask(page, openFile, name);
    const { listed, longest } = await ask(page, typesListed, name);
    const { selected, longestSelect } = await structSelected(page);
    const open = (await atRest(devtools, bytesNow)) - before;
    await page.getByRole('button', { name: `Close ${name}`, exact: true }).click();
    await page
      .getByRole('status')
      .filter({ hasText: `Closed ${name}` })
      .waitFor();
    const closed = (await givenBack(devtools, bytesNow)) - before;
    const memory = { open: open / 1e6, closed: closed / 1e6 };
    return { opened, listed, longest, selected, longestSelect, ...memory };
  } finally {
    await context.close();
  }
}

/** Drops the file; returns the time until it is open and painted. Runs in the page. */
async function openFile(name) {
  const { drop, openedSentence, watchLongTasks, whenShown } = globalThis.benchProbe;
  globalThis.benchStop = watchLongTasks();
  const said = whenShown(() => openedSentence(name) !== null);
  const start = drop();
  const { paintedAt } = await said;
  return paintedAt - start;
}

/**
 * Returns the time from a click on the tab until all types are listed, and the longest task since
 * the drop. Runs in the page.
 */
async function typesListed(name) {
  const { listsAllOf, whenShown } = globalThis.benchProbe;
  const tab = [...document.querySelectorAll('[role=tab]')].find(({ textContent }) =>
    textContent.startsWith('Types'),
  );
  const start = performance.now();
  tab.click();
  const { paintedAt } = await whenShown(() => listsAllOf(name));
  return { listed: paintedAt - start, longest: globalThis.benchStop() };
}

/**
 * Returns the time from a click on the first struct until it is painted, and the longest task in
 * this time.
 */
async function structSelected(page) {
  await page.getByRole('searchbox', { name: 'Filter types', exact: true }).fill('struct ');
  const row = page.getByRole('option', { name: /^STRUCT / }).first();
  await row.waitFor();
  await sleep(REST_MS);
  await page.evaluate(() => {
    const { arm, watchLongTasks } = globalThis.benchProbe;
    globalThis.benchStop = watchLongTasks();
    arm('click', () => document.querySelector('[role=tabpanel] article') !== null);
  });
  await row.click();
  const { first } = await ask(page, () => globalThis.benchProbe.armedTime());
  return { selected: first, longestSelect: await page.evaluate(() => globalThis.benchStop()) };
}

// Many kernels: fifty open at once, and one opened and closed a hundred times.
import { linkSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { onBrowser } from './browser.mjs';
import { atRest, givenBack, memoryReader } from './measure-memory.mjs';
import { installProbe } from './page-probe.mjs';
import { ask } from './stage.mjs';
import { columns, number } from './table.mjs';

const KERNELS = 50;
const TIMES = 100;
/** The first openings fill caches of the browser and of the page. */
const WARM_UP = 10;
const GROWTH_GOAL = 5;

/** Prints the memory of both. */
export async function measureMany({ app, input, scratch }) {
  const folder = await app();
  await onBrowser(folder, async (site) => {
    await inPage(site, (at) => fifty(at, input, scratch));
    await inPage(site, (at) => again(at, input));
  });
}

async function inPage({ browser, address }, use) {
  const context = await browser.newContext({ baseURL: address });
  try {
    const page = await context.newPage();
    const devtools = await context.newCDPSession(page);
    await context.addInitScript(installProbe);
    await page.goto('./');
    await ask(page, () => globalThis.benchProbe.ready);
    const bytesNow = await memoryReader(browser, page);
    await use({
      page,
      rest: () => atRest(devtools, bytesNow),
      givenBack: () => givenBack(devtools, bytesNow),
    });
  } finally {
    await context.close();
  }
}

async function fifty({ page, rest, givenBack: free }, input, scratch) {
  const before = await rest();
  const folder = join(scratch, 'kernels');
  mkdirSync(folder, { recursive: true });
  const names = Array.from({ length: KERNELS }, (_, i) => `kernel-${i + 1}.btf`);
  for (const name of names) linkSync(input.path, join(folder, name));
  const start = performance.now();
  const files = page.getByLabel('Open file', { exact: true });
  await files.setInputFiles(names.map((name) => join(folder, name)));
  await said(page, `Opened ${names.at(-1)}: `);
  const seconds = (performance.now() - start) / 1000;
  const open = await rest();
  for (const name of names) await close(page, name);
  const closed = await rest();
  const later = await free();
  const megabytes = (bytes) => number((bytes - before) / 1e6);
  console.log(
    columns([
      [`${KERNELS} kernels at once`, '', ''],
      ['  opened, one after the other', number(seconds), 's'],
      ['  memory, all', megabytes(open), 'MB'],
      ['  memory, each', number((open - before) / 1e6 / KERNELS), 'MB'],
      ['    as multiple of the file', number((open - before) / input.size / KERNELS), '×'],
      ['  memory right after all were closed', megabytes(closed), 'MB'],
      ['  memory when the browser has handed it back', megabytes(later), 'MB'],
    ]),
  );
}

async function again({ page, givenBack: free }, input) {
  let warm = 0;
  for (let time = 1; time <= TIMES; time++) {
    await page.getByLabel('Open file', { exact: true }).setInputFiles(input.path);
    await said(page, `Opened ${input.name}: `);
    await close(page, input.name);
    if (time === WARM_UP) warm = await free();
  }
  const end = await free();
  const growth = (100 * (end - warm)) / warm;
  console.log(
    columns([
      [`one kernel opened and closed ${TIMES} times`, '', ''],
      [`  memory of the page after ${WARM_UP}`, number(warm / 1e6), 'MB'],
      [`  after ${TIMES}`, number(end / 1e6), 'MB'],
      [`  growth (goal: under ${GROWTH_GOAL} %)`, number(growth), '%'],
    ]),
  );
}

async function said(page, sentence) {
  await page.getByRole('status').filter({ hasText: sentence }).waitFor({ timeout: 300_000 });
}

/** The event alone: of fifty names in a row, some are outside the visible part. */
async function close(page, name) {
  await page.getByRole('button', { name: `Close ${name}`, exact: true }).dispatchEvent('click');
  await said(page, `Closed ${name}`);
}

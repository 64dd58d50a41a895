// Measures an atlas in the page: its memory, and the history of a struct with many members.
import { statSync } from 'node:fs';
import { basename } from 'node:path';
import { onBrowser } from './browser.mjs';
import { median } from './figures.mjs';
import { atRest, memoryReader, readsProcessMemory } from './measure-memory.mjs';
import { scrollBesideEmpty } from './measure-scroll.mjs';
import { installProbe } from './page-probe.mjs';
import { shown } from './processes.mjs';
import { ask, slowDown } from './stage.mjs';
import { columns } from './table.mjs';

const STRUCT = 'task_struct';
const VIEWPORT = { width: 1440, height: 900 };
const GRID = '[role=grid][aria-label="Members in all kernels"]';
const MEMORY_GOAL = 300;
const DRAWN_GOAL = 1000;
const PATIENCE_MS = 600_000;

/** Prints the memory of the tab, and the times to draw and scroll the history of a struct. */
export async function measureAtlasPage({ app, path, count, runs, throttle }) {
  const folder = await app();
  const rounds = [];
  await onBrowser(folder, async ({ browser, address }) => {
    for (let run = 0; run < runs; run++) {
      rounds.push(await oneRound({ browser, address, path, throttle }));
    }
  });
  const of = (key) => median(rounds.map((round) => round[key]));
  const mb = (key) => [shown(of(key) / 1e6), 'MB'];
  const goal = (value, most, unit) => `under ${most} ${unit}${value < most ? '' : ': missed'}`;
  const [first] = rounds;
  const what = readsProcessMemory
    ? "the memory of the tab's own process, as the browser's task manager shows it"
    : 'the JavaScript heap of the page';
  console.log(
    `\n${count} kernels in the page, ${(statSync(path).size / 1e6).toFixed(1)} MB; ${runs} runs, median\nmemory is ${what}\n`,
  );
  console.log(
    columns([
      ['memory of the page without a file', ...mb('empty')],
      ['  with the atlas and all its names', ...mb('open')],
      [
        `  with the history of ${STRUCT}, scrolled (goal: ${goal(of('history') / 1e6, MEMORY_GOAL, 'MB')})`,
        ...mb('history'),
      ],
      [
        `History of ${STRUCT}: Enter to its picture (goal: ${goal(of('drawn'), DRAWN_GOAL, 'ms')})`,
        shown(of('drawn')),
        'ms',
      ],
      ['  of which the processor works in the page and its workers', shown(of('drawnCpu')), 'ms'],
      [`  all kernels side by side, ${first.size}`, shown(of('unfolded')), 'ms'],
      ['    of which the processor works', shown(of('unfoldedCpu')), 'ms'],
      ['  only the members that change', shown(of('changed')), 'ms'],
      ['    of which the processor works', shown(of('changedCpu')), 'ms'],
      ['  longest task meanwhile, 0: none of 50 ms', shown(of('longest')), 'ms'],
      ['scroll the kernels for 3 s: frames dropped', of('dropped'), `of ${of('frames')}`],
      ['  of an empty page', of('droppedEmpty'), ''],
      ['  the processor works, for both', shown(of('scrolledCpu')), 'ms'],
      ['  longest task, 0: none of 50 ms', shown(of('longestScrolled')), 'ms'],
    ]),
  );
}

async function oneRound({ browser, address, path, throttle }) {
  const context = await browser.newContext({ viewport: VIEWPORT, baseURL: address });
  try {
    const page = await context.newPage();
    page.setDefaultTimeout(PATIENCE_MS);
    const devtools = await context.newCDPSession(page);
    await slowDown(devtools, throttle);
    await context.addInitScript(installProbe);
    await page.goto('./');
    await ask(page, () => globalThis.benchProbe.ready);
    const bytesNow = await memoryReader(browser, page, 'RssAnon');
    const empty = await atRest(devtools, bytesNow);
    await page.getByLabel('Open file', { exact: true }).setInputFiles(path);
    await page
      .getByRole('status')
      .filter({ hasText: `Opened atlas ${basename(path)}: ` })
      .waitFor();
    const box = page.getByRole('searchbox', { name: 'Find in all kernels' });
    await page.getByRole('option').first().waitFor();
    const open = await atRest(devtools, bytesNow);
    await box.fill(STRUCT);
    await page.getByRole('option', { name: STRUCT }).first().waitFor();

    const at = { page, cpu: await processorTime(browser) };
    await page.evaluate(() => {
      globalThis.benchStop = globalThis.benchProbe.watchLongTasks();
    });
    const drawn = await measureTime(at, 'keydown', () => box.press('Enter'));
    const fold = page.getByRole('checkbox', { name: 'Fold kernels that are alike' });
    const unfolded = await measureTime(at, 'click', () => fold.uncheck());
    const rows = await page.locator(GRID).getAttribute('aria-rowcount');
    const kernels = await page.locator(GRID).getAttribute('aria-colcount');
    const only = page.getByRole('checkbox', { name: 'Only what changes' });
    const changed = await measureTime(at, 'click', () => only.check());
    await only.uncheck();
    const longest = await ask(page, () => globalThis.benchStop());
    await page.evaluate(() => {
      globalThis.benchLong = globalThis.benchProbe.watchLongTasks();
    });
    const cpuBefore = await at.cpu();
    const scrolled = await scrollBesideEmpty(throttle, page, devtools, GRID, 'x');
    const scrolledCpu = (await at.cpu()) - cpuBefore;
    const longestScrolled = await ask(page, () => globalThis.benchLong());
    return {
      empty,
      open,
      history: await atRest(devtools, bytesNow),
      size: `${Number(kernels) - 1} × ${Number(rows) - 1} members`,
      drawn: drawn.ms,
      drawnCpu: drawn.cpu,
      unfolded: unfolded.ms,
      unfoldedCpu: unfolded.cpu,
      changed: changed.ms,
      changedCpu: changed.cpu,
      longest,
      longestScrolled,
      scrolledCpu,
      ...scrolled,
    };
  } finally {
    await context.close();
  }
}

/** Measures from the event that `act` causes until the page has painted its last change. */
async function measureTime({ page, cpu }, event, act) {
  const before = await cpu();
  await page.evaluate(
    ([type, grid]) => {
      const rows = () => document.querySelector(`${grid} [role=rowheader], ${grid} th[scope=row]`);
      globalThis.benchProbe.arm(type, () => rows() !== null, 300);
    },
    [event, GRID],
  );
  await act();
  const { last } = await ask(page, () => globalThis.benchProbe.armedTime());
  return { ms: last, cpu: (await cpu()) - before };
}

/** Returns the processor time of all page processes in ms. */
async function processorTime(browser) {
  const session = await browser.newBrowserCDPSession();
  return async () => {
    const { processInfo } = await session.send('SystemInfo.getProcessInfo');
    return processInfo
      .filter(({ type }) => type === 'renderer')
      .reduce((sum, { cpuTime }) => sum + 1000 * cpuTime, 0);
  };
}

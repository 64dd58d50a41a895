// Measures many kernels: fifty open at once, with an object judged on all; and one kernel that is
// opened and closed a hundred times.
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { onBrowser } from './browser.mjs';
import { atRest, givenBack, memoryReader } from './measure-memory.mjs';
import { neighbourName, neighbours } from './neighbours.mjs';
import { unpackedKernels } from './objects.mjs';
import { installProbe } from './page-probe.mjs';
import { ask } from './stage.mjs';
import { columns, number } from './table.mjs';

const OBJECT = fileURLToPath(new URL('../../public/samples/exec_trace.bpf.o', import.meta.url));
const KERNELS = 50;
const FIRST = 8;
const TIMES = 100;
/** Number of openings before the measurement, so that caches are full. */
const WARM_UP = 10;
const GROWTH_GOAL = 5;
const PATIENCE_MS = 600_000;

/** Opens fifty kernels, judges an object on them, closes them. Prints time and memory. */
export async function measureFleet({ app, input, scratch }) {
  const folder = await app();
  const kernels = fleetIn(join(scratch, 'fleet'), input);
  await onBrowser(folder, (site) => inPage(site, (at) => fleet(at, kernels)));
}

/** Opens and closes a kernel many times. Prints the memory. */
export async function measureMany({ app, input }) {
  const folder = await app();
  await onBrowser(folder, (site) => inPage(site, (at) => again(at, input)));
}

/** Returns the paths of fifty kernels: those of the corpus, then kernels derived from the input. */
function fleetIn(folder, input) {
  const { kernels } = unpackedKernels(folder);
  const real = kernels.slice(0, KERNELS);
  const neighbourPaths = [];
  for (const blob of neighbours(readFileSync(input.path), KERNELS - real.length, 1)) {
    const path = join(folder, `vmlinux-${neighbourName('6.18', neighbourPaths.length + 1)}.btf`);
    writeFileSync(path, blob);
    neighbourPaths.push(path);
  }
  const where = real.length === 0 ? 'there is no corpus' : `${real.length} of the corpus`;
  console.log(`\n${KERNELS} kernels: ${where}, ${neighbourPaths.length} made of ${input.name}`);
  return [...real, ...neighbourPaths];
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

async function fleet({ page, rest, givenBack: free }, kernels) {
  const choose = (paths) => page.getByLabel('Open file', { exact: true }).setInputFiles(paths);
  await choose(OBJECT);
  await waitForOpen(page, 1);
  const before = await rest();
  const first = await seconds(async () => {
    await choose(kernels.slice(0, FIRST));
    await waitForOpen(page, 1 + FIRST);
  });
  const otherSeconds = await seconds(async () => {
    await choose(kernels.slice(FIRST));
    await waitForOpen(page, 1 + KERNELS);
  });
  const open = await free();
  await page.getByRole('button', { name: basename(OBJECT), exact: true }).dispatchEvent('click');
  const judging = await seconds(async () => {
    await page.getByRole('tab', { name: 'Load', exact: true }).click();
    // Waits for rows instead of a status text, which exists only if no kernel fails.
    const grid = page.getByRole('grid', { name: 'Programs on kernels' });
    await grid.waitFor({ timeout: PATIENCE_MS });
    await grid
      .getByRole('progressbar')
      .first()
      .waitFor({ state: 'detached', timeout: PATIENCE_MS });
  });
  const judged = await rest();
  const closing = await seconds(async () => {
    for (const path of kernels) await close(page, basename(path));
  });
  const closed = await rest();
  const later = await free();
  const size = kernels.reduce((sum, path) => sum + statSync(path).size, 0);
  const more = (bytes) => [number((bytes - before) / 1e6), 'MB'];
  console.log(
    columns([
      [`opened, ${number(size / 1e6)} MB of files`, number(first + otherSeconds), 's'],
      [`  the first ${FIRST}`, number(first), 's'],
      ['  memory, all', ...more(open)],
      ['    as multiple of the files', number((open - before) / size), '×'],
      [`Load of ${basename(OBJECT)} on all`, number(judging), 's'],
      ['  memory with its results', ...more(judged)],
      ['all kernels closed', number(closing), 's'],
      ['  memory right after', ...more(closed)],
      ['  memory when the browser has handed it back', ...more(later)],
    ]),
  );
}

async function seconds(work) {
  const start = performance.now();
  await work();
  return (performance.now() - start) / 1000;
}

/** Waits until the file list has `count` files and none is opening. */
async function waitForOpen(page, count) {
  await page.waitForFunction(
    (wanted) => {
      const files = document.querySelector('nav[aria-label="Files"]');
      const isOpening = files?.querySelector('.lucide-loader-circle') != null;
      return files?.querySelectorAll('li').length === wanted && !isOpening;
    },
    count,
    { timeout: PATIENCE_MS },
  );
}

async function again({ page, givenBack: free }, input) {
  let warm = 0;
  for (let time = 1; time <= TIMES; time++) {
    await page.getByLabel('Open file', { exact: true }).setInputFiles(input.path);
    await waitForStatus(page, `Opened ${input.name}: `);
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

async function waitForStatus(page, sentence) {
  await page.getByRole('status').filter({ hasText: sentence }).waitFor({ timeout: PATIENCE_MS });
}

/** Dispatches the event instead of a click, because the button may be scrolled out of view. */
async function close(page, name) {
  const button = page.getByRole('button', { name: `Close ${name}`, exact: true });
  await button.dispatchEvent('click');
  // Waits for the button, because the status text may already be a later one.
  await button.waitFor({ state: 'detached', timeout: PATIENCE_MS });
}

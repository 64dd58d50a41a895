// Measures the memory of the page's process before a file is opened, while it is open, and after it
// is closed.
import { existsSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { ask, closerLookDone, onStage } from './stage.mjs';

const MEGABYTE = 1e6;
const BURN_MS = 300;
const ATTEMPTS = 20;
/** Factor by which the processor time of the page's process must exceed that of any other. */
const CLEARLY = 4;
const STEP_MS = 500;
const STEPS = 10;
/** Relative change of memory per step below which memory counts as stable. */
const REST = 0.005;
/**
 * Limit for the wait until the browser returns free memory: it takes some seconds, or none if the
 * browser is idle.
 */
const LATEST_MS = 45_000;
const POLL_MS = 2500;
/** Time after which the worker of a small file has returned the memory used for reading. */
const SETTLED_MS = 15_000;
/** Relative decrease that shows that the browser has returned memory. */
const FALL = 0.1;

export async function measureMemory(setup, measured) {
  await onStage(setup, async ({ page, devtools }) => {
    const bytesNow = await memoryReader(setup.browser, page);
    // Reading the small file has left garbage too.
    await sleep(SETTLED_MS);
    const before = await atRest(devtools, bytesNow);
    await page.evaluate(() => void globalThis.benchProbe.drop());
    await ask(
      page,
      (name) => globalThis.benchProbe.whenShown(() => globalThis.benchProbe.listsAllOf(name)),
      setup.input.name,
    );
    await closerLookDone(page, setup.input.sha256);
    const opened = await atRest(devtools, bytesNow);
    const open = await givenBack(devtools, bytesNow);
    await page.getByRole('button', { name: `Close ${setup.input.name}`, exact: true }).click();
    await page
      .getByRole('status')
      .filter({ hasText: `Closed ${setup.input.name}` })
      .waitFor();
    const closed = await atRest(devtools, bytesNow);

    const fileSize = setup.input.size / MEGABYTE;
    measured.add('memoryBefore', before / MEGABYTE);
    measured.add('memoryOpened', (opened - before) / MEGABYTE, fileSize);
    measured.add('memoryOpen', (open - before) / MEGABYTE, fileSize);
    measured.add('memoryClosed', (closed - before) / MEGABYTE, fileSize);
  });
}

/**
 * True if the memory of a whole process can be read; otherwise the figure is the JavaScript heap of
 * the main thread.
 */
export const readsProcessMemory = existsSync('/proc/self/statm');

/**
 * Returns a function that returns the memory of the page's process in bytes: all of it, or with
 * `RssAnon` the part not shared with the browser's other processes, which Chromium's task manager
 * shows.
 */
export async function memoryReader(browser, page, line = 'VmRSS') {
  if (!readsProcessMemory) return () => page.evaluate(() => performance.memory.usedJSHeapSize);
  const pid = await processOf(browser, page);
  return () => residentBytes(pid, line);
}

/** Reads /proc/PID/status, which is in kB: statm counts pages of an unknown size. */
function residentBytes(pid, line) {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const kilobytes = new RegExp(`^${line}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1];
  if (kilobytes === undefined) throw new Error(`/proc/${pid}/status has no ${line}`);
  return Number(kilobytes) * 1024;
}

/**
 * Finds the process of a page, which the browser does not expose: the process that works while the
 * page works. The browser's own pages work at times too, so the result counts only if no other
 * process used much time meanwhile.
 */
async function processOf(browser, page) {
  const session = await browser.newBrowserCDPSession();
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const before = await cpuSeconds(session);
    await page.evaluate((ms) => {
      const end = performance.now() + ms;
      while (performance.now() < end);
    }, BURN_MS);
    const after = await cpuSeconds(session);
    const [most, second] = [...after]
      .map(([id, seconds]) => ({ id, seconds: seconds - (before.get(id) ?? 0) }))
      .sort((a, b) => b.seconds - a.seconds);
    if (most !== undefined && most.seconds > CLEARLY * (second?.seconds ?? 0)) {
      await session.detach();
      return most.id;
    }
  }
  throw new Error('the process of the page could not be told from the others');
}

/** Returns the processor time of each process with web pages. */
async function cpuSeconds(session) {
  const { processInfo } = await session.send('SystemInfo.getProcessInfo');
  const renderers = processInfo.filter(({ type }) => type === 'renderer');
  return new Map(renderers.map(({ id, cpuTime }) => [id, cpuTime]));
}

/** Collects garbage until the memory is stable. */
export async function atRest(devtools, bytesNow) {
  let bytes = await bytesNow();
  for (let step = 0; step < STEPS; step++) {
    await devtools.send('HeapProfiler.collectGarbage');
    await sleep(STEP_MS);
    const next = await bytesNow();
    const change = Math.abs(next - bytes);
    bytes = next;
    if (change < bytes * REST) break;
  }
  return bytes;
}

/** Runs `atRest`, then waits until the browser has returned free memory, up to a limit. */
export async function givenBack(devtools, bytesNow) {
  const first = await atRest(devtools, bytesNow);
  const end = performance.now() + LATEST_MS;
  let bytes = first;
  while (bytes > first * (1 - FALL) && performance.now() < end) {
    await sleep(POLL_MS);
    bytes = Math.min(bytes, await atRest(devtools, bytesNow));
  }
  await sleep(POLL_MS);
  return Math.min(bytes, await atRest(devtools, bytesNow));
}

// Measures the memory of the page's process before, while and after a file is open.
import { existsSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { ask, closerLookDone, onStage } from './stage.mjs';

const MEGABYTE = 1e6;
const BURN_MS = 300;
const ATTEMPTS = 20;
/** How many times more processor time the page's process must use than any other process. */
const CLEARLY = 4;
const STEP_MS = 500;
const STEPS = 10;
/** Relative change of the memory in a step below which it counts as stable. */
const REST = 0.005;
/** Time limit for the browser to return free memory. That takes some seconds, or never happens. */
const LATEST_MS = 45_000;
const POLL_MS = 2500;
/** Time after which a small file's worker has returned the memory that reading needed. */
const SETTLED_MS = 15_000;
/** Relative decrease which shows that the browser has returned memory. */
const FALL = 0.1;

export async function measureMemory(setup, measured) {
  await onStage(setup, async ({ page, devtools }) => {
    const bytesNow = await memoryReader(setup.browser, page);
    // Waits for the garbage that reading the small file has left.
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

/** True if the memory of a whole process can be read; otherwise the JavaScript heap is measured. */
export const readsProcessMemory = existsSync('/proc/self/statm');

/**
 * Returns a function that returns the memory of the page's process in bytes. With `RssAnon` it
 * leaves out memory shared with the browser's other processes, as Chromium's task manager does.
 */
export async function memoryReader(browser, page, line = 'VmRSS') {
  if (!readsProcessMemory) return () => page.evaluate(() => performance.memory.usedJSHeapSize);
  const pid = await processOf(browser, page);
  return () => residentBytes(pid, line);
}

/** Reads /proc/PID/status, which is in kB; statm counts in pages, whose size is not known here. */
function residentBytes(pid, line) {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const kilobytes = new RegExp(`^${line}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1];
  if (kilobytes === undefined) throw new Error(`/proc/${pid}/status has no ${line}`);
  return Number(kilobytes) * 1024;
}

/**
 * Finds the process of a page, which the browser does not tell: keeps the page busy and takes the
 * process that uses most processor time. Tries again if another process uses much, too.
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

/** Returns the processor time of each renderer process. */
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

/** Runs `atRest`, then waits until the browser has returned free memory, at most `LATEST_MS`. */
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

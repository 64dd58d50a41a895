// What the page's process holds before a file is opened, while it is, and after.
import { existsSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { ask, closerLookDone, onStage } from './stage.mjs';

const MEGABYTE = 1e6;
const BURN_MS = 300;
const ATTEMPTS = 20;
/** So many times the processor time of any other. */
const CLEARLY = 4;
const STEP_MS = 500;
const STEPS = 10;
/** Memory is at rest when it changes by less than this from step to step. */
const REST = 0.005;
/** The browser hands back what was freed some seconds later, and at once where it has little to do. */
const LATEST_MS = 45_000;
const POLL_MS = 2500;
/** By then the worker of a small file has handed back what reading it left. */
const SETTLED_MS = 15_000;
/** A fall by this much is it. */
const FALL = 0.1;

export async function measureMemory(setup, measured) {
  await onStage(setup, async ({ page, devtools }) => {
    const bytesNow = await memoryReader(setup.browser, page);
    // The small file that is open has left something behind, too.
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

/** Whether the memory of a whole process can be read here; else it is the JavaScript heap of the main thread. */
export const readsProcessMemory = existsSync('/proc/self/statm');

/**
 * A function that gives the bytes that the page's process holds in memory: all, or with `RssAnon` what it does not
 * share with the browser's other processes, which is what Chromium's task manager shows.
 */
export async function memoryReader(browser, page, line = 'VmRSS') {
  if (!readsProcessMemory) return () => page.evaluate(() => performance.memory.usedJSHeapSize);
  const pid = await processOf(browser, page);
  return () => residentBytes(pid, line);
}

/** In /proc/PID/status, in kB: statm counts in pages, whose size would have to be asked for. */
function residentBytes(pid, line) {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const kilobytes = new RegExp(`^${line}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1];
  if (kilobytes === undefined) throw new Error(`/proc/${pid}/status has no ${line}`);
  return Number(kilobytes) * 1024;
}

/**
 * The browser does not expose the process of a page: it is the one that works when the page
 * does. The browser's own pages work too, now and then, so that it counts only when no other
 * process did much meanwhile.
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

/** Processor time that each process with web pages has had. */
async function cpuSeconds(session) {
  const { processInfo } = await session.send('SystemInfo.getProcessInfo');
  const renderers = processInfo.filter(({ type }) => type === 'renderer');
  return new Map(renderers.map(({ id, cpuTime }) => [id, cpuTime]));
}

/** Collects garbage until the memory no longer shrinks or grows. */
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

/** As `atRest`, and then waits until the browser has handed back what is free, or some time has passed. */
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

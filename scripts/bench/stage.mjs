// Opens a new page that shows a small file's types: the state from which figures are measured.
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { median } from './figures.mjs';
import { installProbe } from './page-probe.mjs';

const SAMPLE = fileURLToPath(new URL('../../public/samples/exec_trace.bpf.o', import.meta.url));
const SAMPLE_NAME = 'exec_trace.bpf.o';
const VIEWPORT = { width: 1440, height: 900 };
const READS = 7;
const PATIENCE_SECONDS = 120;
/** Time in ms in which the page prepares for the next file; users need longer between drops. */
const REST_MS = 1000;

/**
 * Calls `use` with a new page in which the small file is open and the big file is ready, and with
 * `readMs`, the time to read the big file there. Throws if the page logs an error or takes too
 * long.
 */
export async function onStage(setup, use) {
  const { browser, address, input, throttle } = setup;
  const context = await browser.newContext({ viewport: VIEWPORT, baseURL: address });
  const page = await context.newPage();
  page.setDefaultTimeout(PATIENCE_SECONDS * 1000);
  const noise = hear(page);
  try {
    const devtools = await context.newCDPSession(page);
    await slowDown(devtools, throttle);
    await context.addInitScript(installProbe);
    await page.goto('./');
    const firstPaint = await ask(page, () => globalThis.benchProbe.firstContentfulPaint());
    const ready = await ask(page, () => globalThis.benchProbe.ready);

    await page.evaluate(() => globalThis.benchProbe.plantInput());
    const held = page.locator('#bench-input');
    await held.setInputFiles(SAMPLE);
    await page.evaluate(() => globalThis.benchProbe.drop());
    await ask(
      page,
      (name) => globalThis.benchProbe.whenShown(() => globalThis.benchProbe.openedSentence(name)),
      SAMPLE_NAME,
    );
    await page.getByRole('tab', { name: 'Types', exact: true }).click();
    await ask(
      page,
      (name) => globalThis.benchProbe.whenShown(() => globalThis.benchProbe.listsAllOf(name)),
      SAMPLE_NAME,
    );
    await closerLookDone(page, 'file=');
    await sleep(REST_MS);

    await held.setInputFiles(input.path);
    const reads = await ask(page, (times) => globalThis.benchProbe.readTimes(times), READS);
    await use({ page, devtools, firstPaint, ready: ready.paintedAt, readMs: median(reads) });
  } catch (error) {
    // Reports a message of the page instead of the timeout, because it is the likelier cause.
    throw noise.length > 0 ? faulty(noise, error) : error;
  } finally {
    await context.close();
  }
  if (noise.length > 0) throw faulty(noise);
}

function faulty(noise, cause) {
  return new Error(`the page has faults: ${noise.join('; ')}`, { cause });
}

/** Calls `question` in the page and waits for its promise, up to a limit. */
export async function ask(page, question, argument) {
  let timer;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => {
      const what = question.toString().replace(/\s+/g, ' ');
      reject(new Error(`not seen within ${PATIENCE_SECONDS} s: ${what}`));
    }, PATIENCE_SECONDS * 1000);
  });
  try {
    return await Promise.race([page.evaluate(question, argument), late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Slows the page's main thread by the factor `rate`. */
export async function slowDown(devtools, rate) {
  if (rate > 1) await devtools.send('Emulation.setCPUThrottlingRate', { rate });
}

/** Waits until the address contains `words`: the file's hash is the worker's last result. */
export async function closerLookDone(page, words) {
  await page.waitForURL((url) => url.href.includes(words));
}

function hear(page) {
  const noise = [];
  page.on('console', (message) => {
    if (message.type() === 'error') noise.push(message.text());
  });
  page.on('pageerror', (error) => noise.push(error.message));
  page.on('crash', () => noise.push('it crashed'));
  return noise;
}

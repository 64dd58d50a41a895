// A fresh page with a small file open and its types in sight: where each figure starts.
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { median } from './figures.mjs';
import { installProbe } from './page-probe.mjs';

const SAMPLE = fileURLToPath(new URL('../../public/samples/exec_trace.bpf.o', import.meta.url));
const SAMPLE_NAME = 'exec_trace.bpf.o';
const VIEWPORT = { width: 1440, height: 900 };
const READS = 7;
const PATIENCE_SECONDS = 120;
/** The page prepares the next file when it is idle; users do not drop two files within a second. */
const REST_MS = 1000;

/**
 * Gives `use` a page of its own where the small file is open and the big one is
 * held ready; `use` gets the page with `readMs`, the time that reading the big
 * file takes there. Throws when the page logs an error or something does not
 * come in time.
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
    // A message of the page is the cause more often than the timeout.
    throw noise.length > 0 ? faulty(noise, error) : error;
  } finally {
    await context.close();
  }
  if (noise.length > 0) throw faulty(noise);
}

function faulty(noise, cause) {
  return new Error(`the page has faults: ${noise.join('; ')}`, { cause });
}

/** Evaluates `question` in the page and waits for its promise, but not for ever. */
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

/** Makes the page's main thread that many times slower. */
export async function slowDown(devtools, rate) {
  if (rate > 1) await devtools.send('Emulation.setCPUThrottlingRate', { rate });
}

/** The worker's inspection of a file ends with its hash, which is then in the address. */
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

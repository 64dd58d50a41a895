/**
 * Opens files and links made to be slow in every view. No task may block the page for long, and no
 * request may block the worker.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { deflateRawSync } from 'node:zlib';
import { type Browser, type CDPSession, expect, type Locator, type Page } from '@playwright/test';
import { typesLink } from '../src/analysis/links/carried-link.ts';
import { fnv1a } from '../src/bytes/fnv1a.ts';
import { typeId } from '../src/model/ids.ts';
import { attackFiles } from '../src/testing/attack-files.ts';
import { btfBlob } from '../src/testing/btf-blob.ts';
import { int, struct } from '../src/testing/btf-types.ts';
import { corpusPath, isLargeCorpus } from '../src/testing/corpus.ts';
import { tableOf } from '../src/testing/type-table.ts';
import { AppPage, longUnless, type TestFile } from './app-page.ts';
import { test } from './test.ts';

test.use({ trace: 'off' });

/** Tabs, with the labels of the buttons that choose between a tab's modes. */
const VIEWS: readonly (readonly [tab: string, modes: readonly string[]])[] = [
  ['Overview', []],
  ['Types', ['Zig', 'Rust', 'Go', 'Raw', 'Layout', 'Reorder', 'Declaration']],
  ['Graph', ['Paths', 'Explore']],
  ['Text', ['JSON', 'Raw', 'pahole', 'C']],
  ['Query', ['Run']],
  ['Bytes', []],
  ['Code', []],
  ['Data', ['Decode a value', 'In this file']],
  ['Relocations', []],
  ['CO-RE', ['Needs', 'Matrix', 'Simulate libbpf log', 'Explain a log', 'Playground', 'Records']],
  ['Compare', ['All types']],
  ['Check', []],
  ['Issues', []],
];

const LONGEST_TASK_MS = 1000;
const LONGEST_LINK_TASK_MS = 500;
/**
 * Limit in MB for the peak memory of a file's tab, beyond that of a small file, after all views
 * were shown. The browser does not release memory between views. docs/robustness.md has measured
 * values.
 */
const MAX_MEGABYTES = 256;
/** Time limit of a request in ms. The page ends a worker that is silent for 30 seconds. */
const LONGEST_REQUEST_MS = 10_000;

type WatchedWork = {
  /** Durations in ms of the tasks longer than 50 ms. */
  readonly tasks: number[];
  /** Requests to workers without an answer yet. */
  readonly open: Map<string, { readonly method: string; readonly begun: number }>;
  readonly answered: { readonly method: string; readonly ms: number }[];
};

type Devtools = { readonly session: CDPSession; processorMs: number };
const devtoolsOf = new WeakMap<Page, Devtools>();

/**
 * Returns the processor time in ms that the page's main thread has used since the last call. Other
 * processes make tasks longer but do not change this time.
 */
async function processorMs(page: Page): Promise<number> {
  const devtools = devtoolsOf.get(page);
  if (devtools === undefined) throw new Error('the page is not watched');
  const { metrics } = await devtools.session.send('Performance.getMetrics');
  const now = 1000 * (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0);
  const spent = now - devtools.processorMs;
  devtools.processorMs = now;
  return spent;
}

/** Starts recording the page's tasks and its requests to workers, with their durations. */
async function watchWork(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  devtoolsOf.set(page, { session, processorMs: 0 });
  await page.addInitScript(() => {
    const watched: WatchedWork = { tasks: [], open: new Map(), answered: [] };
    Object.assign(globalThis, { watched });
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) watched.tasks.push(duration);
    }).observe({ entryTypes: ['longtask'] });
    let workers = 0;
    globalThis.Worker = class extends Worker {
      readonly #number = workers++;

      constructor(url: string | URL, options?: WorkerOptions) {
        super(url, options);
        this.addEventListener('message', ({ data }) => {
          const key = `${this.#number} ${data.id}`;
          const request = watched.open.get(key);
          if (request === undefined || (data.kind !== 'ok' && data.kind !== 'failed')) return;
          watched.open.delete(key);
          const ms = performance.now() - request.begun;
          watched.answered.push({ method: request.method, ms });
        });
      }

      override postMessage(
        message: unknown,
        options?: StructuredSerializeOptions | Transferable[],
      ) {
        const { id, method } = message as { readonly id?: number; readonly method: string };
        const key = `${this.#number} ${id}`;
        if (method === 'cancel') watched.open.delete(key);
        else if (id !== undefined) watched.open.set(key, { method, begun: performance.now() });
        super.postMessage(message, options as Transferable[]);
      }
    };
  });
}

/** Waits until the workers have answered all requests of the page. */
async function waitForAnswers(page: Page): Promise<void> {
  await page.waitForFunction(
    () => (globalThis as unknown as { watched: WatchedWork }).watched.open.size === 0,
    null,
    { timeout: LONGEST_REQUEST_MS },
  );
}

/** Fails if a task or request since the last call took too long; `where` is for the message. */
async function expectShort(page: Page, where: string, task = LONGEST_TASK_MS): Promise<void> {
  const recorded = await page.evaluate(() => {
    const { tasks, answered } = (globalThis as unknown as { watched: WatchedWork }).watched;
    return { tasks: tasks.splice(0), answered: answered.splice(0) };
  });
  const spent = await processorMs(page);
  await expectSmall(page, where);
  const longest = Math.max(0, ...recorded.tasks);
  if (longest > task) {
    test.info().annotations.push({
      type: 'long task',
      description: `${where}: ${Math.round(longest)} ms; all tasks ${Math.round(spent)} ms of the processor`,
    });
  }
  // Leaves out waiting: no task works longer than the processor time of all tasks together.
  expect
    .soft(Math.min(longest, spent), `${where}: longest task of the page, in ms`)
    .toBeLessThanOrEqual(task);
  expect
    .soft(
      recorded.answered.filter(({ ms }) => ms > LONGEST_REQUEST_MS),
      `${where}: requests of the worker`,
    )
    .toEqual([]);
}

/** Returns the peak memory of a renderer process in MB; null if the system does not tell it. */
async function peakMegabytes(browser: Browser): Promise<number | null> {
  const session = await browser.newBrowserCDPSession();
  const { processInfo } = await session.send('SystemInfo.getProcessInfo');
  await session.detach();
  const peaks = processInfo
    .filter(({ type, id }) => type === 'renderer' && existsSync(`/proc/${id}/status`))
    .map(({ id }) => /^VmHWM:\s+(\d+) kB/m.exec(readFileSync(`/proc/${id}/status`, 'utf8')))
    .map((found) => Number(found?.[1]) / 1024)
    .filter((megabytes) => megabytes > 0);
  return peaks.length === 0 ? null : Math.max(...peaks);
}

const SMALL_FILE = fileURLToPath(new URL('../public/samples/layout.bpf.o', import.meta.url));
/** Peak memory in MB with a small file in all views, for comparison; null until it is measured. */
let usualPeak: number | null = null;

/** Pages over the memory limit. They are reported once, since a peak never falls. */
const large = new WeakSet<Page>();

/** Fails if the memory is over the limit, at the first view where this happens. */
async function expectSmall(page: Page, where: string): Promise<void> {
  const browser = page.context().browser();
  const peak = browser === null ? null : await peakMegabytes(browser);
  if (peak === null || usualPeak === null || large.has(page)) return;
  const more = Math.max(0, Math.round(peak - usualPeak));
  if (more > MAX_MEGABYTES) large.add(page);
  test.info().annotations.push({ type: 'memory', description: `${where}: ${more} MB` });
  expect.soft(more, `${where}: memory up to here, in MB`).toBeLessThanOrEqual(MAX_MEGABYTES);
}

/** Selects a struct or union, or else any type, because some views show the selected type. */
async function selectType(page: Page): Promise<void> {
  const options = page.getByRole('listbox', { name: 'Types' }).getByRole('option');
  const structs = page.getByRole('option', { name: /^(STRUCT|UNION) \w/ });
  const filter = page.getByRole('searchbox', { name: 'Filter types' });
  // Without types there is no filter.
  if (!(await filter.isVisible())) return;
  await filter.fill('struct ');
  await waitForAnswers(page);
  if ((await structs.count()) === 0) {
    await filter.fill('');
    await waitForAnswers(page);
  }
  const chosen = (await structs.count()) > 0 ? structs : options;
  if ((await chosen.count()) > 0) await chosen.last().click();
}

/** Opens all views of the open file, and each mode of each view. */
async function walkViews(page: Page, app: AppPage, file: string): Promise<void> {
  const panel = page.getByRole('tabpanel').first();
  for (const [name, modes] of VIEWS) {
    if (!(await app.tab(name).isVisible())) continue;
    await app.show(name);
    await expect(panel).toContainText(/\w/);
    await waitForAnswers(page);
    if (name === 'Types') await selectType(page);
    if (name === 'Data') await selectVariable(panel);
    await waitForAnswers(page);
    await expectShort(page, `${file}, ${name}`);
    for (const mode of modes) {
      const button = panel.getByText(mode, { exact: true }).first();
      if (!(await button.isVisible())) continue;
      await button.click();
      await expect(panel).toContainText(/\w/);
      await waitForAnswers(page);
      await expectShort(page, `${file}, ${name}, ${mode}`);
    }
  }
}

async function selectVariable(panel: Locator): Promise<void> {
  const first = panel.getByRole('option').first();
  if (await first.isVisible()) await first.click();
}

/** Opens all views of a file. Compares its peak memory with that of a small file. */
async function tourBesideSmall(page: Page, name: string, file: TestFile): Promise<void> {
  const browser = page.context().browser();
  if (browser === null) throw new Error('no browser');
  if (usualPeak === null) {
    const { baseURL = '' } = test.info().project.use;
    const context = await browser.newContext({ baseURL });
    await tour(await context.newPage(), 'a small file', SMALL_FILE);
    usualPeak = await peakMegabytes(browser);
    await context.close();
  }
  await tour(page, name, file);
}

async function tour(page: Page, name: string, file: TestFile): Promise<void> {
  const app = new AppPage(page);
  await watchWork(page);
  await app.open();
  await app.chooseFile(file);
  if ((await app.status()).outcome !== 'opened') return;
  await expectShort(page, `${name}, opening`);
  await walkViews(page, app, name);
  app.expectQuiet();
}

for (const file of attackFiles()) {
  test(`no view is held up by ${file.name}`, { tag: '@long' }, async ({ page }) => {
    // Long time limit: the first of these tests also opens a small file for comparison.
    test.setTimeout(180_000);
    await tourBesideSmall(page, file.name, file);
  });
}

// The whole corpus takes half an hour; the test fails for files that docs/robustness.md lists.
const isWhole = isLargeCorpus && process.env.BTFSCOPE_ATTACK !== undefined;
const files = isWhole
  ? readdirSync(corpusPath('attack')).filter((name) => /\.(o|btf)$/.test(name))
  : [];

for (const name of files) {
  test(`no view is held up by ${name} of the corpus`, { tag: '@long' }, async ({ page }) => {
    test.setTimeout(600_000);
    await tourBesideSmall(page, name, corpusPath(`attack/${name}`));
  });
}

/** Packs bytes as in a link after `md1:`. */
function packLink(bytes: Uint8Array): string {
  const hash = fnv1a(bytes);
  const check = Buffer.from([hash & 255, (hash >>> 8) & 255, (hash >>> 16) & 255]);
  return Buffer.concat([check, deflateRawSync(bytes, { level: 9 })]).toString('base64url');
}

function lessonLink(marks: string): string {
  const head = '---\ntitle: T\nabout: a\nobject: sample:kinds.btf\n---\n\n## One\n\n';
  return `/?lesson=md1:${packLink(new TextEncoder().encode(`${head}${marks}x`))}`;
}

/**
 * Returns a link to a struct with `count` members, one of which has the struct itself as its type.
 */
async function linkOfTypes(count: number): Promise<string> {
  const members = Array.from({ length: count }, (_, i) => ({
    name: i === 0 ? '' : `m${i}`,
    type: i === 0 ? 2 : 1,
    bitOffset: 32 * i,
  }));
  const { bytes } = btfBlob({ types: [int('int', 4), struct('s', 4 * count, members)] });
  const link = await typesLink(tableOf(bytes), typeId(2), 60_000, new AbortController().signal);
  return `/types?file=${link?.key}&name=s&type=struct:s&as=layout`;
}

/** Returns the longest task in ms while a small link opens. It shows how busy the machine is. */
async function usualTask(page: Page): Promise<number> {
  await new AppPage(page).open(await linkOfTypes(3));
  await expect(page.locator('body')).toContainText(/struct s/);
  await waitForAnswers(page);
  const longest = await page.evaluate(() => {
    const { tasks } = (globalThis as unknown as { watched: WatchedWork }).watched;
    return Math.max(0, ...tasks);
  });
  await page.goto('about:blank');
  return longest;
}

const LINKS: readonly (readonly [what: string, hash: () => Promise<string>, said: RegExp])[] = [
  ['types that hold themselves', () => linkOfTypes(300), /struct s/],
  ['a list nested 12,000 deep', async () => lessonLink('- '.repeat(12_000)), /nested too deeply/],
  ['24,000 marks of emphasis', async () => lessonLink('_*'.repeat(12_000)), /too many marks/],
  ['5,000 quotes', async () => lessonLink('> '.repeat(5000)), /nested too deeply/],
];

for (const [what, hash, said] of LINKS) {
  test(
    `a link to ${what} does not hold up the page`,
    longUnless('types that hold themselves', what),
    async ({ page }) => {
      const app = new AppPage(page);
      await watchWork(page);
      const usual = await usualTask(page);
      await app.open(await hash());
      await expect(page.locator('body')).toContainText(said);
      await waitForAnswers(page);
      await expectShort(page, what, LONGEST_LINK_TASK_MS + usual);
      app.expectQuiet();
    },
  );
}

const links = isLargeCorpus
  ? readdirSync(corpusPath('attack')).filter((name) => /link.*\.txt$/.test(name))
  : [];

for (const name of links) {
  test(`the link ${name} of the corpus does not hold up the page`, { tag: '@long' }, async ({
    page,
  }) => {
    const [, hash = ''] = readFileSync(corpusPath(`attack/${name}`), 'utf8')
      .trim()
      .split('#');
    const app = new AppPage(page);
    await watchWork(page);
    const usual = await usualTask(page);
    await app.open(hash);
    await expect(page.getByRole('status').first()).toBeAttached();
    await waitForAnswers(page);
    await expectShort(page, name, LONGEST_LINK_TASK_MS + usual);
    if (name.startsWith('link-')) await walkViews(page, app, name);
    app.expectQuiet();
  });
}

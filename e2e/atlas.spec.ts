/** Tests an atlas in the page: its kernels, the history of a name, a program on all kernels. */
import { readFileSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, type Locator, type Page } from '@playwright/test';
import { bufferSource } from '../src/bytes/source.ts';
import { AtlasFile } from '../src/formats/atlas/atlas-file.ts';
import { EntryKind } from '../src/formats/atlas/entry.ts';
import { corpusKernels, isLargeCorpus, readCorpusFile } from '../src/testing/corpus.ts';
import { sampleBytes } from '../src/testing/samples.ts';
import { atlasBytes } from '../src/testing/small-atlas.ts';
import { AppPage, type TestFile } from './app-page.ts';
import { expectAccessible, LOOKS } from './expect-accessible.ts';
import { test } from './test.ts';

const NAME = 'fleet.btfatlas';
const DIST = fileURLToPath(new URL('../dist', import.meta.url));
const LATENCY_MS = 50;
const TYPES: Readonly<Record<string, string>> = {
  js: 'text/javascript',
  css: 'text/css',
  html: 'text/html',
  svg: 'image/svg+xml',
};
let atlas: Uint8Array;

test.beforeAll(async () => {
  test.setTimeout(180_000);
  const kernels = corpusKernels().map((kernel) => [
    kernel.name.replace(/^vmlinux-|\.btf$/g, ''),
    readCorpusFile(kernel),
  ]);
  atlas = await atlasBytes(Object.fromEntries(kernels));
});

const file = (buffer = atlas): TestFile => ({ name: NAME, buffer });

async function openAtlas(page: Page, hash = ''): Promise<AppPage> {
  const app = new AppPage(page);
  await app.open(hash);
  await app.dropFile(file());
  await expect(page.getByRole('status').first()).toHaveText(/^Opened atlas fleet\.btfatlas: /);
  return app;
}

const grid = (page: Page) => page.getByRole('grid', { name: 'Members in all kernels' });
const row = (page: Page, name: string): Locator =>
  grid(page)
    .getByRole('row')
    .filter({ has: page.getByRole('rowheader', { name, exact: true }) });

/** Searches for a name and opens its history. */
async function find(page: Page, name: string): Promise<void> {
  const box = page.getByRole('searchbox', { name: 'Find in all kernels' });
  await box.fill(name);
  await expect(
    page.getByRole('option', { name: new RegExp(`\\b${name}\\b`) }).first(),
  ).toBeVisible();
  await box.press('Enter');
  await expect(page.getByRole('heading', { name: new RegExp(`\\b${name}$`) })).toBeVisible();
}

test('a dropped atlas opens the history of a struct, one kernel, and a comparison of two', async ({
  page,
}) => {
  const app = await openAtlas(page);
  const count = corpusKernels().length;
  await expect(page.getByText(`An atlas of ${count} kernels`)).toBeVisible();
  await find(page, 'sk_buff');
  await expect(grid(page)).toHaveAttribute('aria-colcount', /\d/);
  await expect(row(page, 'dev')).toBeVisible();
  const folded = Number(await grid(page).getAttribute('aria-colcount'));
  await page.getByRole('checkbox', { name: 'Fold kernels that are alike' }).uncheck();
  await expect(grid(page)).toHaveAttribute('aria-colcount', `${count + 1}`);
  expect(folded).toBeLessThanOrEqual(count + 1);
  await expect(page).toHaveURL(/#\/history\?file=[0-9a-f]{64}.*&entry=struct:sk_buff/);

  await row(page, 'dev').getByRole('gridcell').nth(1).click();
  const detail = page.getByRole('region', { name: 'Active cell' });
  await expect(detail).toContainText('dev: offset 16, struct net_device *, 8 bytes');
  await detail.getByRole('button', { name: /^Compare with / }).click();
  await expect(page.getByRole('tab', { name: 'Compare' })).toHaveAttribute('aria-selected', 'true');
  await expect(page.getByRole('heading', { name: /sk_buff/ }).first()).toBeVisible();

  // Going back to the atlas shows the same detail as before.
  await page.getByRole('button', { name: NAME, exact: true }).click();
  await expect(detail).toContainText('dev: offset 16');
  await detail.getByRole('button', { name: 'Open this kernel' }).click();
  await expect(page.getByRole('tab', { name: 'Types' })).toHaveAttribute('aria-selected', 'true');
  await expect(page.getByRole('heading', { name: /sk_buff/ })).toBeVisible();
  app.expectQuiet();
});

test('shows whether a member is safe to read on all kernels, and the code to write if not', async ({
  page,
}) => {
  const app = await openAtlas(page);
  await find(page, 'task_struct');
  await page.getByRole('searchbox', { name: 'Filter members' }).fill('pid');
  await row(page, 'pid').getByRole('rowheader').click();
  await page.getByRole('button', { name: 'Safe everywhere?' }).click();
  await expect(page.getByText(/^reads it on \d+ kernels?: safe everywhere$/)).toBeVisible({
    timeout: 60_000,
  });
  await expect(page.getByText('BPF_CORE_READ(p, pid)')).toBeVisible();

  await page.getByRole('searchbox', { name: 'Filter members' }).fill('state');
  await row(page, 'state').getByRole('rowheader').click();
  await page.getByRole('button', { name: 'Safe everywhere?' }).click();
  await expect(page.getByText(/^finds no such member on \d+ kernels?: /)).toBeVisible({
    timeout: 60_000,
  });
  // One kernel has another name for the member: the generated code uses a flavour for this kernel.
  await expect(page.getByText(/struct task_struct___other \{/)).toBeVisible();
  await expect(
    page.getByText(/bpf_core_field_exists\(struct task_struct, state\)/).first(),
  ).toBeVisible();
  app.expectQuiet();
});

test('the attach points of a function on each kernel, and why', async ({ page }) => {
  await openAtlas(page);
  await page.getByRole('button', { name: 'functions' }).click();
  await find(page, 'do_exit');
  await page.getByText('Attach points', { exact: true }).click();
  const points = page.getByRole('grid', { name: 'Attach points in all kernels' });
  const kind = (name: string) =>
    points.getByRole('row').filter({ has: page.getByRole('rowheader', { name, exact: true }) });
  await expect(kind('fentry').getByRole('gridcell').first()).toHaveText('traceable');
  await kind('kprobe').getByRole('gridcell').first().click();
  const detail = page.getByRole('region', { name: 'Active cell' });
  await expect(detail).toContainText('undecided: It needs an address of do_exit');
  await expect(page).toHaveURL(/part=attach/);
});

test('names of all kinds, and only those that differ', async ({ page }) => {
  const app = await openAtlas(page);
  const names = page.getByRole('listbox', { name: 'Names' });
  await page.getByRole('button', { name: 'functions' }).click();
  await expect(names.getByRole('option').first()).toBeVisible();
  await page.getByRole('button', { name: 'functions' }).click();
  await page.getByRole('checkbox', { name: 'Not alike in all kernels' }).check();
  await find(page, 'task_struct');
  await page.keyboard.press('Escape');
  await page.getByRole('searchbox', { name: 'Find in all kernels' }).fill('nothing has this name');
  await expect(page.getByText('No name matches.')).toBeVisible();
  app.expectQuiet();
});

test('an object is judged on the kernels of an atlas, and a link brings both back', {
  tag: '@long',
}, async ({ page }) => {
  const app = new AppPage(page);
  await app.open();
  await app.chooseFile(fileURLToPath(new URL('fixtures/load.bpf.o', import.meta.url)));
  await app.opened();
  await app.show('Load');
  await page
    .getByLabel('Kernels to load on')
    .setInputFiles({ name: NAME, mimeType: '', buffer: Buffer.from(atlas) });
  const table = page.getByRole('grid', { name: 'Programs on kernels' });
  await expect(page.getByRole('status').filter({ hasText: /^Judged on \d+ kernels/ })).toBeAttached(
    {
      timeout: 120_000,
    },
  );
  await expect(table.getByRole('columnheader').nth(1)).toContainText(/\d of \d+ load/);
  await expect(page).toHaveURL(/kernels=[0-9a-f]{64}~fleet\.btfatlas/);
  await page.reload();
  await expect(table.getByRole('columnheader').nth(1)).toContainText(/\d of \d+ load/, {
    timeout: 120_000,
  });
  app.expectQuiet();
});

test('a dropped folder of kernels becomes an atlas', async ({ page }) => {
  const app = new AppPage(page);
  await app.open();
  // Passes file-system entries as a drop does: Chromium takes a real folder only by
  // `webkitdirectory`.
  const kernels = corpusKernels()
    .slice(0, 2)
    .map(({ name, ...kernel }) => ({
      name,
      base64: Buffer.from(readCorpusFile({ name, ...kernel })).toString('base64'),
    }));
  await page.evaluate((given) => {
    const files = given.map(({ name, base64 }) => {
      const file = new File([Uint8Array.from(atob(base64), (c) => c.charCodeAt(0))], name);
      const give = (done: (file: File) => void) => done(file);
      return { isFile: true, isDirectory: false, name, fullPath: `/k/${name}`, file: give };
    });
    const left = [files, []];
    const createReader = () => ({
      readEntries: (done: (entries: unknown) => void) => done(left.shift() ?? []),
    });
    const folder = { isFile: false, isDirectory: true, name: 'k', fullPath: '/k', createReader };
    DataTransferItem.prototype.webkitGetAsEntry = () => folder as never;
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(new File([], 'k'));
    document.body.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true }));
  }, kernels);
  await expect(page.getByRole('status').first()).toHaveText('Opened atlas k.btfatlas: 2 kernels', {
    timeout: 60_000,
  });
  await find(page, 'task_struct');
  await expect(row(page, 'stack')).toBeVisible();
  app.expectQuiet();
});

/**
 * Serves the built page and the atlas. Records the requested ranges and delays each response. `lie`
 * answers requests for the atlas in place of the true answer.
 */
async function servedPage(
  hasRanges: boolean,
  lie: ((response: ServerResponse, range: string) => void) | null = null,
) {
  const ranges: string[] = [];
  const server = createServer((request, response) => {
    const path = new URL(request.url ?? '/', 'http://a').pathname;
    const type = TYPES[path === '/' ? 'html' : path.replace(/^.*\./, '')];
    if (!path.endsWith(`/${NAME}`)) {
      response.writeHead(200, { 'content-type': type ?? 'application/octet-stream' });
      response.end(readFileSync(join(DIST, path === '/' ? 'index.html' : path)));
      return;
    }
    const [, from, to] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '') ?? [];
    const [start, end] = [Number(from), Math.min(Number(to) + 1, atlas.length)];
    ranges.push(`${start}-${end}`);
    if (lie !== null) {
      lie(response, `bytes ${start}-${end - 1}/${atlas.length}`);
      return;
    }
    setTimeout(() => {
      response.writeHead(hasRanges ? 206 : 200, {
        ...(hasRanges && { 'content-range': `bytes ${start}-${end - 1}/${atlas.length}` }),
      });
      response.end(hasRanges ? atlas.subarray(start, end) : atlas);
    }, LATENCY_MS);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  return { address, ranges, close: () => server.close() };
}

test('an atlas on the page’s server is read by ranges, and queried in SQL on its own', async ({
  page,
}) => {
  const served = await servedPage(true);
  try {
    const app = new AppPage(page);
    await page.goto(`${served.address}#/history?src=${NAME}&entry=struct:task_struct`);
    await page.getByRole('dialog').getByRole('button', { name: 'Open it' }).click();
    await expect(row(page, 'stack')).toBeVisible();
    // At most six ranges: for the header, the list of kernels and the name.
    expect(served.ranges.length).toBeLessThanOrEqual(6);
    await expect(page).toHaveURL(/#\/history\?file=at:fleet\.btfatlas.*&entry=struct:task_struct/);

    await find(page, 'sk_buff');
    await app.dropFile({ name: 'k.btf', buffer: sampleBytes('kernel.btf') });
    await page.getByRole('button', { name: NAME, exact: true }).click();
    await page.getByRole('radio', { name: 'Query' }).check({ force: true });
    await page.getByRole('textbox', { name: 'SQL' }).fill('SELECT kernel FROM kernels');
    await page.keyboard.press('Control+Enter');
    const count = corpusKernels().length;
    await expect(page.getByText(new RegExp(`^${count} rows of 1 file in`))).toBeVisible();

    // In the result, a name links to its history and a kernel's row to the kernel.
    await page
      .getByRole('textbox', { name: 'SQL' })
      .fill("SELECT type, name FROM members WHERE type = 'sk_buff' AND name = 'dev' LIMIT 1");
    await page.keyboard.press('Control+Enter');
    const result = page.getByRole('region', { name: 'Result' });
    await result.getByRole('button', { name: 'dev', exact: true }).click();
    await expect(page).toHaveURL(/#\/history\?.*&entry=struct:sk_buff&item=dev&kernel=/);
    await expect(page.getByRole('region', { name: 'Active cell' })).toContainText('dev: offset 16');
    app.expectQuiet();
  } finally {
    served.close();
  }
});

test('an atlas of another server, or of a server without ranges, is refused with a reason', async ({
  page,
}) => {
  const served = await servedPage(false);
  try {
    const app = new AppPage(page);
    await page.goto(`${served.address}#/history?src=${NAME}`);
    await page.getByRole('dialog').getByRole('button', { name: 'Open it' }).click();
    await expect(page.getByRole('main')).toContainText('only as a whole, not in ranges');
    await page.goto('about:blank');
    await page.goto(`${served.address}#/history?src=http://127.0.0.1:1/${NAME}`);
    await expect(page.getByRole('main')).toContainText('requests files only from its own server');
    expect(served.ranges).toHaveLength(1);
    app.expectQuiet();
  } finally {
    served.close();
  }
});

test('an atlas of a server that redirects to another origin, or never ends, is refused', async ({
  page,
}) => {
  const elsewhere = await servedPage(true);
  const redirecting = await servedPage(true, (response) => {
    response.writeHead(302, { location: `${elsewhere.address}${NAME}` }).end();
  });
  let isEnded = false;
  const endless = await servedPage(true, (response, range) => {
    response.writeHead(206, { 'content-range': range });
    const timer = setInterval(() => response.write(new Uint8Array(0x10000)), 1);
    response.on('close', () => {
      clearInterval(timer);
      isEnded = true;
    });
  });
  const openAt = async (address: string) => {
    await page.goto('about:blank');
    await page.goto(`${address}#/history?src=${NAME}`);
    await page.getByRole('dialog').getByRole('button', { name: 'Open it' }).click();
  };
  try {
    await openAt(endless.address);
    await expect(page.getByRole('main')).toContainText(/sent another range|cannot be read/);
    await expect.poll(() => isEnded).toBe(true);
    await openAt(redirecting.address);
    await expect(page.getByRole('main')).toContainText(`${NAME} cannot be read`);
    expect(redirecting.ranges).toHaveLength(1);
    expect(elsewhere.ranges).toEqual([]);
  } finally {
    for (const server of [elsewhere, redirecting, endless]) server.close();
  }
});

test('a damaged atlas is refused, or shown but for the damaged part', { tag: '@long' }, async ({
  page,
}) => {
  const app = new AppPage(page);
  await app.open();
  await app.dropFile(file(atlas.slice(0, 30)));
  expect(await app.status()).toMatchObject({ outcome: 'refused' });
  await expect(page.getByRole('main')).toContainText('the header of the atlas is cut off');

  const future = atlas.slice();
  future[8] = 9;
  await app.dropFile(file(future));
  await expect(page.getByRole('main')).toContainText('is an atlas of version 9');

  const { entries } = (await AtlasFile.open(bufferSource(NAME, atlas))).directory;
  const functions = entries.find(({ kind }) => kind === EntryKind.func);
  const damaged = atlas.slice();
  damaged.fill(0xff, functions?.offset, (functions?.offset ?? 0) + (functions?.length ?? 0));
  await app.dropFile(file(damaged));
  await expect(page.getByRole('region', { name: 'Names' })).toContainText(
    'The names of 1 damaged block are missing',
  );
  await find(page, 'task_struct');
  await expect(row(page, 'stack')).toBeVisible();
  app.expectQuiet();
});

for (const { name, ...look } of LOOKS) {
  test.describe(name, () => {
    test.use(look);
    test('has no axe violation', { tag: '@long' }, async ({ page }) => {
      const app = await openAtlas(page);
      await expect(page.getByRole('option').first()).toBeVisible();
      await expectAccessible(page, 'the kernels');
      await find(page, 'task_struct');
      await page.getByRole('searchbox', { name: 'Filter members' }).fill('pid');
      await row(page, 'pid').getByRole('rowheader').click();
      await page.getByRole('button', { name: 'Safe everywhere?' }).click();
      await expect(page.getByText(/safe everywhere$/)).toBeVisible({ timeout: 60_000 });
      await expectAccessible(page, 'the history');
      app.expectQuiet();
    });
  });
}

test.describe('the real kernels', { tag: '@long' }, () => {
  test.skip(!isLargeCorpus, 'needs the large corpus');
  test('the history of task_struct over all of them', async ({ page }) => {
    const app = await openAtlas(page);
    await find(page, 'task_struct');
    await expect(row(page, '__state')).toBeVisible();
    app.expectQuiet();
  });
});

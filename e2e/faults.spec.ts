/**
 * Tests faults from outside: a worker that ends or hangs, a file changed on disk, storage that is
 * full or forbidden, a reload, a second tab, a slow machine. The page must show a message and keep
 * everything else.
 */
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, type Page } from '@playwright/test';
import { AppPage } from './app-page.ts';
import { test } from './test.ts';

const SAMPLES = fileURLToPath(new URL('../public/samples', import.meta.url));
const sample = (name: string) => join(SAMPLES, name);

let folder: string;
test.beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'btfscope-faults-'));
});
test.afterEach(() => rmSync(folder, { recursive: true, force: true }));

async function openTwo(page: Page): Promise<AppPage> {
  const app = new AppPage(page);
  await app.open();
  await app.chooseFile(sample('kinds.btf'));
  await app.opened();
  await app.chooseFile(sample('xdp_counter.bpf.o'));
  await app.opened();
  return app;
}

/** Fails unless filtering the current file's types gives rows, which shows that its worker runs. */
async function expectFilter(app: AppPage, text: string, first: string): Promise<void> {
  const { page } = app;
  await app.show('Types');
  await page.getByRole('searchbox', { name: 'Filter types' }).fill(text);
  const options = page.getByRole('listbox', { name: 'Types' }).getByRole('option');
  await expect(options.first()).toContainText(first);
}

async function switchTo(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name, exact: true }).click();
}

test('a worker that ends is replaced, and the other file stays unchanged', async ({ page }) => {
  const app = await openTwo(page);
  await expectFilter(app, 'counter', 'counter');
  const [, second] = page.workers();
  await second?.evaluate(() => globalThis.close());
  await expect(page.getByRole('status')).toContainText(
    /^xdp_counter\.bpf\.o: The worker of this file stopped.*Worker restarted/,
  );
  await expectFilter(app, 'flow', 'flow');
  await switchTo(page, 'kinds.btf');
  await expectFilter(app, 'integers', 'integers');
  app.expectQuiet();
});

test('a hanging worker is ended, and the message names its step', { tag: '@long' }, async ({
  page,
}) => {
  await page.clock.install();
  const app = await openTwo(page);
  await app.show('Types');
  const [, second] = page.workers();
  // Never ends, so that the worker does not answer.
  const hanging = second?.evaluate(() => {
    for (;;);
  });
  hanging?.catch(() => undefined);
  // Before the loop has begun, the worker would answer.
  await page.waitForTimeout(1000);
  const list = page.getByRole('listbox', { name: 'Types' });
  await page.getByRole('searchbox', { name: 'Filter types' }).fill('iphdr');
  for (let i = 0; i < 17; i++) await page.clock.runFor(2000);
  await expect(page.getByRole('status')).toContainText(
    'xdp_counter.bpf.o: The worker of this file did not answer for 30 seconds',
  );
  await expect(list.getByRole('option').first()).toContainText('iphdr');
  await switchTo(page, 'kinds.btf');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('kinds.btf');
  app.expectQuiet();
});

test('a file changed on disk gives a message, and the loaded parts stay', { tag: '@long' }, async ({
  page,
}) => {
  const path = join(folder, 'large.btf');
  copyFileSync(sample('kinds.btf'), path);
  // More bytes than the worker's cache can hold.
  truncateSync(path, 16 << 20);
  const app = new AppPage(page);
  await app.open('/types');
  await app.chooseFile(sample('layout.bpf.o'));
  await app.opened();
  await app.chooseFile(path);
  await app.opened();
  writeFileSync(path, 'something else');
  await app.show('Bytes');
  await expect(
    page
      .getByRole('alert')
      .or(page.getByText(/can no longer be read/))
      .first(),
  ).toBeVisible();
  await expect(page.getByRole('status')).toContainText('large.btf can no longer be read');
  await app.show('Types');
  await expect(page.getByRole('tabpanel')).toContainText(/struct/);
  await switchTo(page, 'layout.bpf.o');
  await app.show('Bytes');
  await expect(page.getByRole('gridcell', { name: /^0x0000: 7f/ })).toBeVisible();
  app.expectQuiet();
});

test('a dropped folder is refused with advice, and files dropped with it open', async ({
  page,
}) => {
  const dropped = join(folder, 'objects');
  mkdirSync(dropped);
  const app = new AppPage(page);
  await app.open();
  const devtools = await page.context().newCDPSession(page);
  const data = { items: [], files: [dropped, sample('kinds.btf')], dragOperationsMask: 1 };
  for (const type of ['dragEnter', 'dragOver', 'drop'] as const) {
    await devtools.send('Input.dispatchDragEvent', { type, x: 200, y: 200, data });
  }
  await switchTo(page, 'objects');
  await expect(page.getByRole('main')).toContainText('objects is a folder');
  await expect(page.getByRole('main')).toContainText('Drop the files in it');
  await switchTo(page, 'kinds.btf');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('kinds.btf');
  app.expectQuiet();
});

test('a worker that ends while it opens a file is replaced once', { tag: '@long' }, async ({
  page,
}) => {
  await page.addInitScript(() => {
    const post = Worker.prototype.postMessage;
    let isFirst = true;
    Worker.prototype.postMessage = function (this: Worker, message: { method?: string }) {
      post.call(this, message);
      if (message.method !== 'open' || !isFirst) return;
      isFirst = false;
      this.dispatchEvent(new ErrorEvent('error', { message: 'ended by the test' }));
    };
  });
  const app = new AppPage(page);
  await app.open();
  await app.chooseFile(sample('kinds.btf'));
  expect((await app.opened()).types).toBe(95);
  await app.show('Types');
  await expectFilter(app, 'integers', 'integers');
  app.expectQuiet();
});

test('a worker whose script cannot be loaded refuses the file at once', { tag: '@long' }, async ({
  page,
  context,
}) => {
  let isCut = true;
  await context.route('**/file.worker-*.js', (route) => (isCut ? route.abort() : route.continue()));
  const app = new AppPage(page);
  await app.open();
  await app.chooseFile(sample('kinds.btf'));
  expect(await app.status()).toMatchObject({
    outcome: 'refused',
    reason: expect.stringContaining('The worker of this file stopped'),
  });
  isCut = false;
  await app.chooseFile(sample('layout.bpf.o'));
  await app.opened();
});

test('forbidden storage disables only recent files', { tag: '@long' }, async ({ page }) => {
  await page.addInitScript(() => {
    const forbidden = () => {
      throw new DOMException('not allowed', 'SecurityError');
    };
    for (const name of ['indexedDB', 'localStorage', 'sessionStorage', 'caches']) {
      Object.defineProperty(globalThis, name, { get: forbidden, configurable: true });
    }
  });
  const app = new AppPage(page);
  await app.open();
  await app.chooseFile(sample('doc_core.bpf.o'));
  expect((await app.opened()).coreRelocations).toBe(15);
  for (const name of ['Types', 'Bytes', 'CO-RE', 'Compare']) {
    await app.show(name);
    await expect(page.getByRole('tabpanel')).not.toContainText(/could not be drawn|^Loading/);
  }
  // The browser has not stored the file, so the page asks for it after a reload.
  await expect(page).toHaveURL(/file=[0-9a-f]{64}/);
  await page.reload();
  await expect(page.getByRole('main')).toContainText('Open that file to see it');
  await app.chooseFile(sample('doc_core.bpf.o'));
  await expect(app.tab('Compare')).toHaveAttribute('aria-selected', 'true');
  app.expectQuiet();
});

test('full storage keeps no file and gives no false message', { tag: '@long' }, async ({
  page,
}) => {
  await page.addInitScript(() => {
    IDBObjectStore.prototype.put = () => {
      throw new DOMException('full', 'QuotaExceededError');
    };
    Storage.prototype.setItem = () => {
      throw new DOMException('full', 'QuotaExceededError');
    };
  });
  const app = new AppPage(page);
  await app.open();
  await app.chooseFile(sample('layout.bpf.o'));
  await app.opened();
  await page.getByRole('button', { name: 'Settings' }).click();
  await page.getByRole('menuitem', { name: 'Theme: dark' }).click();
  await app.show('Types');
  await expect(page.getByRole('tabpanel')).toContainText('struct');
  await expect(page).toHaveURL(/file=[0-9a-f]{64}/);
  await page.reload();
  await expect(page.getByRole('main')).toContainText('Open that file to see it');
  app.expectQuiet();
});

test('a reload during work restores the same place', { tag: '@long' }, async ({ page }) => {
  const app = new AppPage(page);
  await app.open();
  await app.chooseFile(sample('xdp_counter.bpf.o'));
  await app.opened();
  await app.show('Types');
  await page.getByRole('searchbox', { name: 'Filter types' }).fill('iphdr');
  await page.getByRole('listbox', { name: 'Types' }).getByRole('option').first().click();
  await expect(page).toHaveURL(/type=struct:iphdr/);
  await expect(page).toHaveURL(/file=[0-9a-f]{64}/);
  await page.reload();
  await expect(page.getByRole('heading', { name: /iphdr/ })).toBeVisible();
  app.expectQuiet();
});

test('two tabs at once do not disturb each other', { tag: '@long' }, async ({ page, context }) => {
  const app = await openTwo(page);
  const secondTab = new AppPage(await context.newPage());
  await secondTab.open();
  await secondTab.chooseFile(sample('layout.bpf.o'));
  await secondTab.opened();
  await secondTab.page.workers()[0]?.evaluate(() => globalThis.close());
  await expect(secondTab.page.getByRole('status')).toContainText('Worker restarted');
  await expectFilter(app, 'counter', 'counter');
  await secondTab.page.close();
  await expectFilter(app, 'flow', 'flow');
  app.expectQuiet();
});

test.describe('an odd clock and an odd locale', () => {
  test.use({ locale: 'ar-EG', timezoneId: 'Pacific/Apia' });

  test('numbers and names look as in any locale', { tag: '@long' }, async ({ page }) => {
    await page.clock.setSystemTime(new Date('1970-01-01T00:00:00Z'));
    const app = new AppPage(page);
    await app.open();
    await app.chooseFile(sample('xdp_counter.bpf.o'));
    expect((await app.opened()).types).toBe(75);
    await app.show('Bytes');
    await expect(page.getByRole('gridcell', { name: /^0x0000: 7f/ })).toBeVisible();
    await expect(page.getByRole('main')).not.toContainText(/[٠-٩]/);
    app.expectQuiet();
  });
});

test('a page without WebGL and without locks has all views', { tag: '@long' }, async ({ page }) => {
  await page.addInitScript(() => {
    HTMLCanvasElement.prototype.getContext = () => null;
    Object.defineProperty(Navigator.prototype, 'locks', { get: () => undefined });
  });
  const app = new AppPage(page);
  await app.open();
  await app.chooseFile(sample('xdp_counter.bpf.o'));
  await app.opened();
  for (const name of ['Types', 'Graph', 'Bytes', 'Code']) {
    await app.show(name);
    await expect(page.getByRole('tabpanel')).not.toContainText(/could not be drawn|^Loading/);
  }
  app.expectQuiet();
});

test('a damaged file says so over every view, and the number of its issues is red', async ({
  page,
}) => {
  const buffer = readFileSync(sample('doc_core.bpf.o'));
  const table = Number(buffer.readBigUInt64LE(0x28));
  // Gives sections 2 to 5 a size that goes beyond the end of the file.
  for (const row of [2, 3, 4, 5]) buffer.writeBigUInt64LE(1n << 40n, table + 64 * row + 0x20);
  const app = new AppPage(page);
  await app.open();
  await app.chooseFile({ name: 'damaged.o', buffer });
  await app.opened();
  const banner = page.getByText(/^Error: 4 of \d+ sections are damaged$/);
  for (const view of ['Overview', 'Types', 'Bytes', 'CO-RE']) {
    await app.show(view);
    await expect(banner).toBeVisible();
  }
  await expect(app.tab('Issues').locator('[data-tone="danger"]')).toHaveText(/^\d+$/);
  await page.getByRole('button', { name: 'Show issues' }).click();
  await expect(app.tab('Issues')).toHaveAttribute('aria-selected', 'true');
  app.expectQuiet();
});

/**
 * Tests the page without a network: after a visit, from its service worker; and the single-file
 * page on disk.
 */
import { mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { expect, type Page } from '@playwright/test';
import { AppPage } from './app-page.ts';
import { serveCopies } from './serve-copies.ts';
import { test } from './test.ts';

const fromRoot = (path: string) => fileURLToPath(new URL(`../${path}`, import.meta.url));
const SAMPLE = fromRoot('public/samples/kinds.be.bpf.o');

/** Line that is known as a log's by the table of cilium/ebpf's messages only. */
const RARE_LINE = "can't load BigEndian program on LittleEndian\n";

test.use({ serviceWorkers: 'allow' });

/** Opens an example, a file from disk, and parts of the page that load on demand. */
async function tour(app: AppPage): Promise<void> {
  await app.openExample('XDP packet counter');
  await expect(app.page.getByRole('status')).toContainText('Opened ');
  await learn(app.page);
  // The worker loads what reads logs, and first the lines by which this one is known.
  await app.chooseFile({ name: 'a.log', buffer: new TextEncoder().encode(RARE_LINE) });
  await expect(app.page.getByRole('heading', { level: 1 })).toHaveText('a.log');
  await expect(app.page.getByRole('region', { name: 'Line 1' })).toContainText(
    'this machine LittleEndian',
  );
  await app.chooseFile(SAMPLE);
  expect(await app.opened()).toMatchObject({ name: 'kinds.be.bpf.o' });
  for (const view of ['Types', 'Bytes', 'Code', 'Relocations', 'CO-RE']) {
    await app.show(view);
    await expect(app.tab(view)).toHaveAttribute('aria-selected', 'true');
    await expect(app.page.getByRole('tabpanel')).not.toContainText(/^Loading|could not be drawn/);
  }
  await app.show('Types');
  await expect(
    app.page.getByRole('listbox', { name: 'Types' }).getByRole('option').first(),
  ).toBeVisible();
}

/** Opens a lesson, a glossary card and the workbench, whose scripts load on demand. */
async function learn(page: Page): Promise<void> {
  await run(page, 'Lesson 3:');
  const lesson = page.getByRole('region', { name: 'Lesson', exact: true });
  await expect(lesson).toContainText('Step 1 of');
  await lesson.getByRole('button', { name: 'Next step' }).click();
  await expect(lesson).toContainText('Step 2 of');
  await expect(page.getByRole('grid', { name: 'Bytes' })).toBeVisible();
  await run(page, 'Glossary: vlen');
  // Not the palette, which is also a dialog with this word.
  const glossary = page.getByRole('dialog', { name: 'Glossary', exact: true });
  await expect(glossary).toContainText('vlen');
  await glossary.getByRole('button', { name: 'Close', exact: true }).click();
  await expect(glossary).toBeHidden();
  await lesson.getByRole('button', { name: 'Close lesson' }).click();
  await run(page, 'Open the workbench');
  await page.getByLabel('C declarations').fill('struct away { char c; long l; };');
  await expect(page.getByRole('tabpanel').first()).toContainText("STRUCT 'away' size=16 vlen=2");
}

/** Runs a palette command. */
async function run(page: Page, command: string): Promise<void> {
  await page.keyboard.press('Control+k');
  await page.getByRole('dialog').getByRole('combobox').fill(command);
  await page
    .getByRole('option', { name: new RegExp(command) })
    .first()
    .click();
}

async function expectStored(page: Page): Promise<void> {
  await page.evaluate(async () => {
    await navigator.serviceWorker.ready;
  });
}

test('a page that was visited works with the network cut', async ({ page, context }) => {
  const app = new AppPage(page);
  await app.open();
  await expectStored(page);
  await context.setOffline(true);
  await page.reload();
  await tour(app);
  app.expectQuiet();
});

test('the single-file page opens from disk', async ({ page, context }) => {
  await context.setOffline(true);
  const app = new AppPage(page);
  await page.goto(pathToFileURL(fromRoot('dist-single/btfscope.html')).href);
  await tour(app);
  const typed = page.url();
  expect(typed).toContain('#/types?');
  app.expectQuiet();
});

test('the single-file page opens a lesson by its query, and says that its links work on this computer only', async ({
  page,
}) => {
  const app = new AppPage(page);
  const single = pathToFileURL(fromRoot('dist-single/btfscope.html')).href;
  await page.goto(`${single}?lesson=btf-header&at=version-and-flags`);
  const lesson = page.getByRole('region', { name: 'Lesson', exact: true });
  await expect(lesson.getByRole('heading', { level: 3 })).toHaveText('Version and flags');
  await page.getByRole('button', { name: 'Copy link' }).click();
  await expect(page.getByRole('dialog')).toContainText('works on this computer only');
  await page.keyboard.press('Escape');
  // If the single-file page knows the address of its hosted copy, its links use that address.
  await page.evaluate(() => {
    const meta = document.createElement('meta');
    meta.name = 'btfscope-hosted';
    meta.content = 'https://tools.example/btfscope/';
    document.head.append(meta);
  });
  await page.getByRole('button', { name: 'Copy link' }).click();
  await expect(page.getByRole('textbox', { name: 'Link' })).toHaveValue(
    /^https:\/\/tools\.example\/btfscope\/#\/bytes\?/,
  );
  await expect(page.getByRole('dialog')).not.toContainText('works on this computer only');
  app.expectQuiet();
});

/** Makes the copy in the folder a new version, with another script name for the Graph view. */
function release(folder: string, version: string): void {
  change(folder, 'index.html', '<html lang="en"', `<html lang="en" data-version="${version}"`);
  change(folder, 'service-worker.js', /"version":"[0-9a-f]+"/, `"version":"${version}"`);
  const graph = readdirSync(join(folder, 'assets')).find((name) => /^GraphView-.*js$/.test(name));
  if (graph === undefined) throw new Error('no script of the view Graph');
  renameSync(join(folder, 'assets', graph), join(folder, 'assets', 'GraphView-renamed.js'));
  change(folder, 'service-worker.js', graph, 'GraphView-renamed.js');
}

/** Waits until the page has the version `version`. */
async function expectVersion(page: Page, version: string): Promise<void> {
  const read = () => document.documentElement.dataset.version ?? '';
  // Evaluating fails while the page reloads; then it is tried again.
  await expect.poll(() => page.evaluate(read).catch(() => 'loading')).toBe(version);
}

test('a new version is announced, and loads on request', { tag: '@long' }, async ({ page }) => {
  await serveCopies([''], async ({ root, address }) => {
    await page.goto(address);
    await expectStored(page);
    await page.reload();
    await expect(page).toHaveTitle('btfscope');
    await expect(page.getByRole('alert')).toHaveCount(0);
    // The second tab has not loaded the Graph view. Its script exists in the old version only.
    const second = new AppPage(await page.context().newPage());
    await second.page.goto(address);
    await second.chooseFile(SAMPLE);
    await second.opened();

    release(root, 'newer');
    await page.reload();
    // The open files stay until the user loads the new version.
    await page.getByRole('alert').getByRole('button', { name: 'Reload' }).click();
    await expectVersion(page, 'newer');
    await expect(page.getByRole('button', { name: /^All examples/ })).toBeVisible();

    await second.show('Graph');
    await expect(second.page.getByRole('tabpanel')).not.toContainText(
      /^Loading|could not be drawn/,
    );
    await second.page.getByRole('alert').getByRole('button', { name: 'Reload' }).click();
    await expectVersion(second.page, 'newer');
    second.expectQuiet();
  });
});

test('two builds of one origin each work with the network cut', { tag: '@long' }, async ({
  page,
  context,
}) => {
  await serveCopies(['stable', 'beta', ''], async ({ root, address }) => {
    release(join(root, 'beta'), 'beta');
    for (const folder of ['stable/', 'beta/', '']) {
      await page.goto(address + folder);
      await expectStored(page);
    }
    await context.setOffline(true);
    for (const folder of ['stable/', 'beta/', '']) {
      await page.goto(address + folder);
      await expectVersion(page, folder === 'beta/' ? 'beta' : '');
      await expect(page.getByRole('button', { name: /^All examples/ })).toBeVisible();
    }
  });
});

test('the service worker answers its own page only', async ({ page }) => {
  await serveCopies([''], async ({ root, address }) => {
    mkdirSync(join(root, 'notes'));
    for (const file of ['other.html', 'notes/index.html']) {
      writeFileSync(join(root, file), '<!doctype html><title>another page</title>');
    }
    await page.goto(address);
    await expectStored(page);
    await page.reload();
    for (const path of ['other.html', 'notes/', 'notes/index.html']) {
      await page.goto(address + path);
      await expect(page).toHaveTitle('another page');
    }
    await page.goto(`${address}index.html?from=notes`);
    await expect(page).toHaveTitle('btfscope');
  });
});

function change(folder: string, file: string, from: string | RegExp, to: string): void {
  const path = join(folder, file);
  const before = readFileSync(path, 'utf8');
  const after = before.replace(from, to);
  if (after === before) throw new Error(`${file} has no ${from}`);
  writeFileSync(path, after);
}

/** Tests reopening: all open files after a reload, and the last closed file. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, type Page } from '@playwright/test';
import { AppPage } from './app-page.ts';
import { test } from './test.ts';

const sample = (name: string) =>
  fileURLToPath(new URL(`../public/samples/${name}`, import.meta.url));

const names = (page: Page) =>
  page.getByRole('navigation', { name: 'Files' }).getByRole('listitem').allTextContents();

async function openThree(page: Page): Promise<AppPage> {
  const app = new AppPage(page);
  await app.open();
  for (const name of ['kernel.btf', 'doc_core.bpf.o', 'kinds.btf']) {
    await app.chooseFile(sample(name));
    await app.opened();
    // Waits for the hash in the address: the browser stores the file only after that.
    await expect(page).toHaveURL(/file=[0-9a-f]{64}/);
    await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 500)));
  }
  return app;
}

test('a reload opens all files again, and shows the one that was in sight', async ({ page }) => {
  const app = await openThree(page);
  await page.getByRole('button', { name: 'Open files: 3' }).click();
  await page.getByRole('menuitem', { name: 'doc_core.bpf.o' }).click();
  await app.show('Types');
  await page.reload();
  await expect(app.tab('Types')).toHaveAttribute('aria-selected', 'true');
  await expect
    .poll(async () => (await names(page)).sort())
    .toEqual(['doc_core.bpf.o', 'kernel.btf', 'kinds.btf']);
  await expect(page).toHaveTitle(/doc_core/);
  app.expectQuiet();
});

test('an address without a hash opens the start page', async ({ page }) => {
  const app = await openThree(page);
  await page.goto('./');
  await expect(page.getByRole('button', { name: 'Lesson 1', exact: false }).first()).toBeVisible();
  await app.chooseFile(sample('kernel.btf'));
  await app.opened();
  expect(await names(page)).toEqual(['kernel.btf']);
  // The start page opens all files of the last visit together.
  await page.getByRole('button', { name: 'btfscope' }).first().click();
  await page.getByRole('button', { name: 'Open all' }).click();
  await expect
    .poll(async () => (await names(page)).sort())
    .toEqual(['doc_core.bpf.o', 'kernel.btf', 'kinds.btf']);
  app.expectQuiet();
});

test('a file that was closed opens again where it was', async ({ page }) => {
  const app = await openThree(page);
  await app.show('Types');
  await page.getByRole('option').nth(2).click();
  const address = page.url();
  await app.close('kinds.btf');
  await page.getByRole('button', { name: 'Open files: 2' }).click();
  await page.getByRole('menuitem', { name: 'Reopen kinds.btf' }).click();
  await expect(page).toHaveURL(address);
  expect(await names(page)).toEqual(['kernel.btf', 'doc_core.bpf.o', 'kinds.btf']);
  app.expectQuiet();
});

test('the bar of files shows whole letters, scrolls sideways, and lists every file', {
  tag: '@long',
}, async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  const app = new AppPage(page);
  await app.open();
  const buffer = readFileSync(sample('kinds.btf'));
  const fileNames = ['task_struct_gyp_1.btf', 'task_struct_gyp_2.btf', 'task_struct_gyp_3.btf'];
  for (const name of fileNames) {
    await app.chooseFile({ name, buffer });
    await app.opened();
  }
  const bar = page.getByRole('navigation', { name: 'Files' });
  // With a small line height, letters reach below their line and must not be cut off.
  for (const text of await bar.locator('bdi').all()) {
    expect(await text.evaluate((element) => getComputedStyle(element).overflowY)).toBe('visible');
  }
  const strip = bar.getByRole('list');
  const scrolled = () => strip.evaluate((element) => element.scrollLeft);
  await expect.poll(scrolled).toBeGreaterThan(0);
  const before = await scrolled();
  await strip.hover();
  await page.mouse.wheel(0, -120);
  await expect.poll(scrolled).toBeLessThan(before);
  await page.getByRole('button', { name: 'Open files: 3' }).click();
  for (const name of fileNames) await expect(page.getByRole('menuitem', { name })).toBeVisible();
  await page.getByRole('menuitem', { name: 'task_struct_gyp_1.btf' }).click();
  await expect(page).toHaveTitle(/gyp_1/);
  app.expectQuiet();
});

/** Tests the start page: its height on a phone, the struct over six kernels, the links to places. */
import { readFileSync } from 'node:fs';
import { expect } from '@playwright/test';
import { AppPage } from './app-page.ts';
import { expectAccessible } from './expect-accessible.ts';
import { test } from './test.ts';

/** Screens that the page may take on a phone. */
const SCREENS = 1.5;

test('fits into one and a half screens of a phone', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  const app = new AppPage(page);
  await app.open();
  const last = page.getByRole('button', { name: /^Alpha eCOFF/ });
  await expect(last).toBeVisible();
  await expect(page.getByText('6.18', { exact: true })).toBeVisible();
  const box = await last.boundingBox();
  expect((box?.y ?? Infinity) + (box?.height ?? 0)).toBeLessThanOrEqual(SCREENS * 844);
  await expectAccessible(page, 'start page of a phone');
  app.expectQuiet();
});

test('a struct over six kernels: point at a member, open its history', async ({ page }) => {
  const app = new AppPage(page);
  await app.open();
  const pid = page.locator('button', { hasText: /^pid$/ });
  await expect(pid).toHaveCount(6);
  await pid.first().hover();
  await expect(
    page.getByText('pid: byte 40 in 5.10 to 6.6; byte 48 in 6.12 and 6.18'),
  ).toBeVisible();
  await pid.first().click();
  await expect(page.getByRole('heading', { name: 'struct task_struct' })).toBeVisible();
  await expect(page.getByRole('rowheader', { name: 'on_rq' })).toBeVisible();
  await expect(page).toHaveURL(/item=pid/);
  app.expectQuiet();
});

test('the links lead to an access string and to a type of the link itself', async ({ page }) => {
  const app = new AppPage(page);
  await app.open();
  await page.getByRole('link', { name: /access string/ }).click();
  await expect(page.getByText('(0:1:0:0 @ offset 4)')).toBeVisible();
  await app.open();
  await page.getByRole('link', { name: /carries a type/ }).click();
  await expect(page.getByRole('heading', { name: /task_struct/ }).first()).toBeVisible();
  app.expectQuiet();
});

/** Keys of the browser's storage that "Remove all" does not clear; docs/privacy.md has them all. */
const OTHER_KEYS = [
  'btfscope-class',
  'btfscope-drafts',
  'btfscope-lessons',
  'btfscope-linked-lessons',
  'btfscope-settings',
  'btfscope-tables',
  'btfscope-theme',
];

/** Returns keys and values of all that the browser stores for the page. Runs in the page. */
async function storedText(): Promise<{ readonly keys: string[]; readonly text: string }> {
  const entries: (readonly [string, string])[] = [];
  for (const [key, value] of Object.entries({ ...localStorage })) entries.push([key, value]);
  for (const { name = '' } of await indexedDB.databases()) {
    const opening = indexedDB.open(name);
    await new Promise((settle) => opening.addEventListener('success', settle));
    for (const store of opening.result.objectStoreNames) {
      const at = opening.result.transaction(store).objectStore(store);
      const reading = [at.getAllKeys(), at.getAll()] as const;
      await new Promise((settle) => reading[1].addEventListener('success', settle));
      for (const key of reading[0].result) entries.push([`${name} ${String(key)}`, '']);
      for (const value of reading[1].result) {
        entries.push([name, value instanceof Blob ? await value.text() : JSON.stringify(value)]);
      }
    }
    opening.result.close();
  }
  for (const name of await caches.keys()) {
    for (const { url } of await (await caches.open(name)).keys()) entries.push([name, url]);
  }
  return { keys: entries.map(([key]) => key), text: JSON.stringify(entries) };
}

test('“Remove all” leaves no file, note or text in the browser', async ({ page }) => {
  const app = new AppPage(page);
  await app.open();
  const buffer = readFileSync(new URL('../public/samples/exec_trace.bpf.o', import.meta.url));
  await app.dropFile({ name: 'secret-file.o', buffer });
  await app.opened();
  await page.getByRole('tab', { name: 'Types' }).click();
  await page.getByRole('searchbox', { name: 'Filter types' }).fill('struct task_struct');
  const first = page.getByRole('listbox', { name: 'Types' }).getByRole('option').first();
  await expect(first).toContainText('task_struct');
  await first.click();
  await page.getByRole('grid', { name: 'Members' }).getByRole('row').nth(1).click();
  await page.keyboard.press('m');
  await page.getByRole('dialog', { name: 'Notes' }).getByRole('textbox').fill('secret note');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Escape');
  await page.goto('about:blank');
  await app.open();
  await page.getByRole('button', { name: 'Open the workbench' }).click();
  await page.getByLabel('C declarations').fill('struct secret_text { int a; };');
  await expect.poll(async () => (await page.evaluate(storedText)).text).toContain('secret_text');
  const before = await page.evaluate(storedText);
  for (const each of ['secret-file.o', 'secret note', 'secret_text']) {
    expect(before.text).toContain(each);
  }
  await page.goto('about:blank');
  await app.open();
  await page.getByRole('button', { name: 'Remove all', exact: true }).click();
  await expect(page.getByRole('heading', { name: 'Recent files' })).toBeHidden();
  const after = await page.evaluate(storedText);
  expect(after.keys.filter((key) => !OTHER_KEYS.includes(key))).toEqual([]);
  expect(after.text).not.toContain('secret');
  app.expectQuiet();
});

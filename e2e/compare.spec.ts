/**
 * Tests the Compare tab: two types side by side, all differences between two files, and duplicate
 * types in one file. Uses small blobs, and two kernels if the corpus is installed.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, type Page } from '@playwright/test';
import { btfBlob } from '../src/testing/btf-blob.ts';
import { enumeration, int, struct, type TypeRecord, typedef } from '../src/testing/btf-types.ts';
import { corpusKernels, isLargeCorpus, readCorpusFile } from '../src/testing/corpus.ts';
import { AppPage, type TestFile } from './app-page.ts';
import { cutTexts } from './cut-texts.ts';
import { expectAccessible, LOOKS, showAs } from './expect-accessible.ts';
import { test } from './test.ts';

const at = (name: string, type: number, bytes: number) => ({ name, type, bitOffset: 8 * bytes });

const blob = (name: string, types: readonly TypeRecord[]): TestFile => ({
  name,
  buffer: btfBlob({ types }).bytes,
});

const BEFORE = blob('kernel-6.1.btf', [
  int('u32', 4),
  int('u64', 8),
  struct('task', 24, [at('state', 1, 0), at('flags', 1, 4), at('inner', 5, 8), at('last', 2, 16)]),
  struct('gone', 4, [at('x', 1, 0)]),
  struct('inner', 8, [at('a', 1, 0)]),
  enumeration('mode', [
    ['SUSPENDED_BY_DEVICE', 0],
    ['ON', 1],
  ]),
  struct('twice', 4, [at('x', 1, 0)]),
  struct('twice', 8, [at('x', 2, 0)]),
]);
const AFTER = blob('kernel-6.12.btf', [
  int('u32', 4),
  int('u64', 8),
  struct('task', 32, [
    at('state', 2, 0),
    at('fresh', 1, 8),
    at('flags', 1, 12),
    at('inner', 5, 16),
    at('last', 2, 24),
  ]),
  typedef('fresh_t', 1),
  struct('inner', 8, [at('a', 1, 0), at('b', 1, 4)]),
  enumeration('mode', [
    ['SUSPENDED_BY_DEVICE', 0],
    ['ON', 2],
  ]),
  struct('twice', 4, [at('x', 1, 0)]),
  struct('twice', 8, [at('x', 2, 0)]),
]);

/** Opens both files. Compare takes the file opened last as the older file. */
async function openBoth(page: Page): Promise<AppPage> {
  const app = new AppPage(page);
  await app.open();
  await app.chooseFile(AFTER);
  await app.opened();
  await app.chooseFile(BEFORE);
  await app.opened();
  await app.show('Compare');
  return app;
}

const list = (page: Page) => page.getByRole('grid', { name: 'Types that differ' });
const lines = (page: Page) => page.getByRole('grid', { name: 'Lines of both types' });
const selected = (page: Page) => lines(page).getByRole('row', { selected: true });
/** Checks a radio button. Forced, because the button's label covers it. */
const show = (page: Page, part: string) =>
  page.getByRole('radio', { name: part, exact: true }).check({ force: true });

test('differences are listed, filtered, sorted, and exported', async ({ page }) => {
  const app = await openBoth(page);
  await expect(
    list(page)
      .getByRole('row')
      .filter({ hasText: /changed.*task/ }),
  ).toBeVisible();
  await expect(page.getByRole('button', { name: '3 changed' })).toBeVisible();
  await expect(page.getByRole('button', { name: '1 added' })).toBeVisible();
  await expect(page.getByRole('button', { name: '1 removed' })).toBeVisible();
  await expect(page.getByText('4 the same')).toBeVisible();

  await page.getByRole('button', { name: '1 removed' }).click();
  await expect(list(page).getByRole('row')).toHaveCount(2);
  await expect(list(page)).toContainText('gone');
  await page.getByRole('button', { name: '1 removed' }).click();
  await page.getByRole('button', { name: 'Value', exact: true }).click();
  await expect(list(page).getByRole('row')).toHaveCount(2);
  await expect(list(page)).toContainText('mode');
  await page.getByRole('button', { name: 'Value', exact: true }).click();

  await page.keyboard.press('/');
  await page.keyboard.type('TAS');
  await expect(page.getByText('1 of 5')).toBeVisible();
  await expect(page).toHaveURL(/filter=TAS/);
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Export' }).click();
  await page.getByRole('menuitem', { name: /^CSV/ }).click();
  const saved = await download;
  expect(saved.suggestedFilename()).toBe('kernel-6.1.btf-to-kernel-6.12.btf.csv');
  const csv = readFileSync(await saved.path(), 'utf8');
  expect(csv.split('\r\n')).toHaveLength(3);
  expect(csv).toContain('changed,struct,task,24,32,');
  app.expectQuiet();
});

test('a changed type is shown side by side, difference by difference', async ({ page }) => {
  const app = await openBoth(page);
  await list(page).getByRole('row').filter({ hasText: 'task' }).click();
  await expect(page.getByRole('heading', { name: /task/ })).toBeVisible();
  await page.getByRole('button', { name: 'Open', exact: true }).click();
  await expect(page).toHaveURL(/show=types/);
  await expect(page).toHaveURL(/type=struct:task/);

  await expect(page.getByText('Difference 1 of 3')).toBeVisible();
  await expect(selected(page)).toContainText('type u32 → u64');
  await page.keyboard.press('n');
  await expect(selected(page)).toContainText('added');
  await page.keyboard.press('n');
  await expect(selected(page)).toContainText('changed inside');
  await expect(page.getByText('Difference 3 of 3')).toBeVisible();
  await page.keyboard.press('p');
  await expect(page.getByText('Difference 2 of 3')).toBeVisible();
  // The member after the added one moved: its row shows the offset but counts as no difference.
  await expect(lines(page).getByRole('row').filter({ hasText: 'last' })).toContainText(
    'moved by +0x8',
  );

  // Enter opens the type in the current row.
  await page.keyboard.press('n');
  await lines(page).focus();
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/type=struct:inner/);
  await expect(selected(page)).toContainText('added');

  await page.getByRole('button', { name: 'Swap before and after' }).click();
  await expect(page).toHaveTitle(/kernel-6\.12\.btf/);
  await expect(page.getByRole('button', { name: /^After kernel-6\.1\.btf/ })).toBeVisible();
  app.expectQuiet();
});

test('any two types can be compared, and duplicates show their first difference', {
  tag: '@long',
}, async ({ page }) => {
  const app = await openBoth(page);
  await list(page).getByRole('row').filter({ hasText: 'gone' }).click();
  await page.getByRole('button', { name: 'Open', exact: true }).click();
  await expect(page.getByText(/has no type of this name/)).toBeVisible();
  await page.getByRole('button', { name: /^Type after/ }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('searchbox', { name: 'Find a type' }).fill('inner');
  await expect(dialog.getByRole('option')).toHaveCount(1);
  await dialog.getByRole('searchbox', { name: 'Find a type' }).press('Enter');
  await expect(page).toHaveURL(/b=struct:inner/);
  // Until the dialog has faded out it covers the page.
  await expect(dialog).toHaveCount(0);
  await expect(page.getByText('name gone → inner')).toBeVisible();

  await show(page, 'Duplicates');
  const duplicates = page.getByRole('grid', { name: 'Types that share a name' });
  await expect(duplicates.getByRole('row').filter({ hasText: 'twice' })).toContainText(
    'size 4 → 8',
  );
  app.expectQuiet();
});

test('a link opens both sides again', async ({ page }) => {
  const app = new AppPage(page);
  await app.open('/compare?file=sample:kernel.btf&with=sample:exec_trace.bpf.o&show=whole');
  await expect(list(page)).toBeVisible();
  await expect(page.getByRole('button', { name: /^After exec_trace\.bpf\.o/ })).toBeVisible();
  await expect(page).toHaveTitle(/kernel\.btf/);
  app.expectQuiet();
});

test('a single open file can be compared with a file that Compare opens', { tag: '@long' }, async ({
  page,
}) => {
  const app = new AppPage(page);
  await app.open();
  await app.chooseFile(BEFORE);
  await app.opened();
  await app.show('Compare');
  await expect(page.getByText('Nothing to compare with')).toBeVisible();
  const folder = mkdtempSync(join(tmpdir(), 'btfscope-compare-'));
  const path = join(folder, 'other.btf');
  writeFileSync(path, typeof AFTER === 'string' ? '' : AFTER.buffer);
  await page.getByLabel('Open another file').setInputFiles(path);
  await expect(list(page)).toBeVisible();
  rmSync(folder, { recursive: true, force: true });
  app.expectQuiet();
});

test('two kernels', { tag: '@long' }, async ({ page }) => {
  test.skip(!isLargeCorpus, 'the corpus is not here');
  test.setTimeout(180_000);
  const kernel = (id: string): TestFile => {
    const file = corpusKernels().find((one) => one.id === id);
    if (file === undefined) throw new Error(`the corpus has no ${id}`);
    return { name: file.name, buffer: readCorpusFile(file) };
  };
  const app = new AppPage(page);
  await app.open();
  await app.chooseFile(kernel('6.12.117-amd64'));
  await app.opened();
  await app.chooseFile(kernel('6.1.0-56-amd64'));
  await app.opened();
  await app.show('Compare');
  await expect(list(page)).toBeVisible({ timeout: 60_000 });
  await page.getByRole('searchbox', { name: 'Filter differences' }).fill('task_struct');
  await list(page).getByRole('row').filter({ hasText: 'task_struct' }).first().click();
  await expect(page.getByRole('heading', { name: /task_struct/ })).toBeVisible();
  await expect(selected(page)).toContainText('saved_state');
  app.expectQuiet();
});

test('an enumerator is drawn whole beside free width', async ({ page }) => {
  const app = await openBoth(page);
  await list(page).getByRole('row').filter({ hasText: 'mode' }).click();
  await expect(lines(page)).toContainText('SUSPENDED_BY_DEVICE');
  expect(await cutTexts(page)).toEqual([]);
  app.expectQuiet();
});

test('has no axe violation', { tag: '@long' }, async ({ page }) => {
  test.setTimeout(180_000);
  const app = await openBoth(page);
  // Selects a type, because Compare shows no lines without one.
  await list(page).getByRole('row').filter({ hasText: 'task' }).click();
  for (const look of LOOKS) {
    await showAs(page, look);
    await show(page, 'All types');
    await expect(list(page)).toBeVisible();
    await expectAccessible(page, `all types, ${look.name}`);
    await show(page, 'Two types');
    await expect(lines(page)).toBeVisible();
    await expectAccessible(page, `two types, ${look.name}`);
  }
  await show(page, 'Duplicates');
  await expect(page.getByRole('grid', { name: 'Types that share a name' })).toBeVisible();
  await expectAccessible(page, 'duplicates');
  app.expectQuiet();
});

test('before can be chosen, versions can be put in order, and a legend says what signs mean', {
  tag: '@long',
}, async ({ page }) => {
  const app = await openBoth(page);
  const order = page.getByRole('button', { name: 'Put versions in order' });
  await expect(order).toHaveCount(0);
  await expect(list(page).getByRole('columnheader', { name: 'Holes' })).toBeVisible();
  await expect(page.getByText('its own lines are the same')).toBeVisible();
  await page.getByRole('button', { name: /^Before kernel-6\.1\.btf/ }).click();
  const items = page.getByRole('menuitem');
  await expect(items).toHaveText([/^kernel-6\.1\.btf/, /^kernel-6\.12\.btf/]);
  await items.nth(1).click();
  await expect(page.getByRole('button', { name: /^Before kernel-6\.12\.btf/ })).toBeVisible();
  await expect(page.getByRole('button', { name: /^After kernel-6\.1\.btf/ })).toBeVisible();
  await order.click();
  await expect(page.getByRole('button', { name: /^Before kernel-6\.1\.btf/ })).toBeVisible();
  await expect(order).toHaveCount(0);
  app.expectQuiet();
});

/**
 * The matrix of the CO-RE tab: one object on eight kernels. With the corpus an
 * object of some 550 relocations on real kernels; without it an example on eight
 * copies of the sample kernel.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, type Page, test } from '@playwright/test';
import {
  corpusKernels,
  corpusObjects,
  isLargeCorpus,
  readCorpusFile,
} from '../src/testing/corpus.ts';
import { AppPage } from './app-page.ts';
import { expectAccessible } from './expect-accessible.ts';

test.setTimeout(180_000);

const sample = (name: string) =>
  fileURLToPath(new URL(`../public/samples/${name}`, import.meta.url));

const TARGETS = 8;
const MANY = 'hand__bitfields';

let scratch = '';
let object = '';
let kernels: readonly string[] = [];

test.beforeAll(() => {
  scratch = mkdtempSync(join(tmpdir(), 'btfscope-matrix-'));
  const save = (name: string, bytes: Uint8Array) => {
    writeFileSync(join(scratch, name), bytes);
    return join(scratch, name);
  };
  const many = !isLargeCorpus ? undefined : corpusObjects().find(({ id }) => id === MANY);
  if (many === undefined) {
    object = sample('exec_trace.bpf.o');
    const bytes = readFileSync(sample('kernel.btf'));
    kernels = Array.from({ length: TARGETS }, (_, i) => save(`kernel-6.${i + 1}.btf`, bytes));
    return;
  }
  object = save(many.name, readCorpusFile(many));
  kernels = corpusKernels()
    .slice(0, TARGETS)
    .map((kernel) => save(kernel.name, readCorpusFile(kernel)));
});
test.afterAll(() => rmSync(scratch, { recursive: true, force: true }));

async function openMatrix(page: Page): Promise<AppPage> {
  const app = new AppPage(page);
  await app.open();
  await app.chooseFile(object);
  await app.opened();
  await app.tab('CO-RE').click();
  await page.getByRole('radio', { name: 'Matrix' }).check({ force: true });
  return app;
}

const addKernels = (page: Page) =>
  page.getByLabel('Kernels for the matrix').setInputFiles([...kernels]);
const grid = (page: Page) => page.getByRole('grid', { name: 'CO-RE relocations on targets' });
const resolved = (page: Page) =>
  expect(page.getByRole('status')).toHaveText(`Resolved against ${TARGETS} targets`, {
    timeout: 90_000,
  });
/** A record's line: groups have no number. */
const firstRecord = (page: Page) =>
  grid(page)
    .getByRole('row')
    .filter({ has: page.getByRole('rowheader', { name: /^#\d+/ }) })
    .first();

test('eight kernels fill the table, with progress', async ({ page }) => {
  const app = await openMatrix(page);
  await expect(page.getByText('No kernel open')).toBeVisible();
  // What is shown for some milliseconds only is seen by an observer, and by no assertion.
  await page.evaluate(() => {
    const seen = new Set<string>();
    new MutationObserver(() => {
      for (const bar of document.querySelectorAll('[role="progressbar"]')) {
        seen.add(bar.getAttribute('aria-valuetext') ?? '');
      }
      const words = [...seen].join('; ');
      // The observer sees this too, and must come to rest.
      if (document.body.dataset.progress !== words) document.body.dataset.progress = words;
    }).observe(document.body, { subtree: true, childList: true, attributes: true });
  });
  await addKernels(page);
  await resolved(page);
  await expect(page.locator('body')).toHaveAttribute('data-progress', /\d+ of \d+ targets?/);
  await expect(grid(page).getByRole('columnheader')).toHaveCount(TARGETS + 1);
  await expect(
    page.getByRole('button', { name: `Targets ${TARGETS} of ${TARGETS}` }),
  ).toBeVisible();
  await expect(firstRecord(page).getByRole('gridcell')).toHaveCount(TARGETS);
  for (const cell of await firstRecord(page).getByRole('gridcell').all()) {
    await expect(cell).toHaveText(/^(same|changed|absent|poisoned|fails)/);
  }
  await expect(
    grid(page)
      .getByText(/loads on \d of 8/)
      .first(),
  ).toBeVisible();
  // The object is still the file that is looked at.
  await expect(page).toHaveTitle(new RegExp(basename(object).replaceAll('.', '\\.')));
  app.expectQuiet();
});

test('the work can be cancelled, and gone on with', async ({ page }) => {
  const app = await openMatrix(page);
  await page.evaluate(() => {
    const observer = new MutationObserver(() => {
      const table = document.querySelector('[role="grid"]');
      for (const button of table?.querySelectorAll('button') ?? []) {
        if (button.textContent !== 'Cancel') continue;
        observer.disconnect();
        button.click();
      }
    });
    observer.observe(document.body, { subtree: true, childList: true });
  });
  await addKernels(page);
  await expect(page.getByText(/^Stopped after \d of \d/)).toBeVisible();
  await expect(page.getByRole('button', { name: `Targets ${TARGETS} of ${TARGETS}` })).toBeVisible({
    timeout: 60_000,
  });
  await expect(grid(page).getByText('waiting').first()).toBeVisible();
  await page.getByRole('button', { name: 'Resume' }).click();
  await resolved(page);
  await expect(grid(page).getByText('waiting')).toHaveCount(0);
  app.expectQuiet();
});

test('a cell opens the record on its kernel, and Back returns to the cell', async ({ page }) => {
  const app = await openMatrix(page);
  await addKernels(page);
  await resolved(page);
  const second = firstRecord(page).getByRole('gridcell').nth(1);
  const state = ((await second.textContent()) ?? '').replace('guarded', '');
  const head = (await grid(page).getByRole('columnheader').nth(2).getAttribute('title')) ?? '';
  await second.click();
  await expect(page.getByRole('radio', { name: 'Records' })).toBeChecked();
  await expect(page.getByRole('button', { name: new RegExp(`Target ${head}`) })).toBeVisible();
  const records = page.getByRole('grid', { name: 'CO-RE relocations', exact: true });
  await expect(records.getByRole('row', { selected: true })).toContainText(state);

  await page.getByRole('radio', { name: 'Matrix' }).check({ force: true });
  await expect(page.getByRole('region', { name: 'Active cell' })).toContainText(head);
  app.expectQuiet();
});

test('by keyboard alone: cells, folding, and into a record', async ({ page }) => {
  const app = await openMatrix(page);
  await addKernels(page);
  await resolved(page);
  const detail = page.getByRole('region', { name: 'Active cell' });
  await grid(page).focus();
  await page.keyboard.press('ArrowDown');
  await expect(detail).toContainText('relocations');
  const group = grid(page).getByRole('rowheader').first();
  for (const expanded of ['false', 'true']) {
    await page.keyboard.press('Enter');
    await expect(group).toHaveAttribute('aria-expanded', expanded);
  }
  for (const key of ['ArrowDown', 'ArrowRight']) await page.keyboard.press(key);
  await expect(detail.getByRole('button', { name: 'Why?' })).toBeVisible();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('radio', { name: 'Records' })).toBeChecked();
  app.expectQuiet();
});

test('rows are grouped and filtered', async ({ page }) => {
  const app = await openMatrix(page);
  await addKernels(page);
  await resolved(page);
  await page.getByRole('radio', { name: 'Root type' }).check({ force: true });
  await expect(
    grid(page)
      .getByRole('rowheader', { name: /^(struct|union|enum)/ })
      .first(),
  ).toBeVisible();
  await page.getByRole('searchbox', { name: 'Filter the matrix' }).fill('field_exists');
  const kinds = grid(page).getByRole('rowheader', { name: /^#\d+/ });
  for (const text of await kinds.allTextContents()) expect(text).toContain('field_exists');
  await page.getByRole('searchbox', { name: 'Filter the matrix' }).fill('no such thing');
  await expect(page.getByText('No matching relocations')).toBeVisible();
  app.expectQuiet();
});

test('the table leaves as CSV and as JSON', async ({ page }) => {
  const app = await openMatrix(page);
  const { length } = kernels;
  await addKernels(page);
  await resolved(page);
  const texts: string[] = [];
  for (const form of ['CSV', 'JSON']) {
    await page.getByRole('button', { name: 'Export' }).click();
    const download = page.waitForEvent('download');
    await page.getByRole('menuitem', { name: new RegExp(form) }).click();
    const file = await download;
    expect(file.suggestedFilename()).toBe(`${basename(object)}.matrix.${form.toLowerCase()}`);
    texts.push(readFileSync(await file.path(), 'utf8'));
  }
  const [csv = '', json = ''] = texts;
  const { relocations, targets } = JSON.parse(json);
  expect(targets).toHaveLength(length);
  expect(csv.trimEnd().split('\r\n')).toHaveLength(relocations.length + 1);
  expect(csv).toMatch(/(same|changed|poisoned)/);
  app.expectQuiet();
});

test('has no axe violation and no cut text', { tag: '@long' }, async ({ page }) => {
  const app = await openMatrix(page);
  await expectAccessible(page, 'empty');
  await addKernels(page);
  await resolved(page);
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    for (const width of [1440, 390]) {
      await page.setViewportSize({ width, height: 900 });
      await grid(page).focus();
      for (const key of ['ArrowDown', 'ArrowDown', 'ArrowRight']) await page.keyboard.press(key);
      await expectAccessible(page, `${colorScheme}, ${width}`);
    }
  }
  await page.getByRole('button', { name: /^Targets/ }).click();
  await expect(page.getByRole('checkbox').nth(TARGETS)).toBeVisible();
  await expectAccessible(page, 'targets');
  app.expectQuiet();
});

/** Tests split BTF with and without its base. */
import { fileURLToPath } from 'node:url';
import { expect, type Page } from '@playwright/test';
import { AppPage } from './app-page.ts';
import { test } from './test.ts';

const sample = (name: string) =>
  fileURLToPath(new URL(`../public/samples/${name}`, import.meta.url));

const bar = (page: Page) => page.getByRole('region', { name: 'Base of the split BTF' });

async function open(page: Page, ...names: readonly string[]): Promise<AppPage> {
  const app = new AppPage(page);
  await app.open();
  for (const name of names) {
    await app.chooseFile(sample(name));
    await app.opened();
  }
  return app;
}

test('a module without its base names the base in every view', async ({ page }) => {
  const app = await open(page, 'module.btf');
  for (const view of ['Overview', 'Types', 'Bytes']) {
    await app.show(view);
    await expect(bar(page)).toContainText(
      /It needs 82 base types and 1\s191 bytes of base strings/,
    );
  }
  app.expectQuiet();
});

test('the open kernel can be chosen with one click; its names replace the ids', async ({
  page,
}) => {
  const app = await open(page, 'kernel.btf', 'module.btf');
  await app.show('Types');
  await page
    .getByRole('option', { name: /watch_stats/ })
    .first()
    .click();
  await expect(page.getByRole('article')).not.toContainText('task_struct');
  await bar(page).getByRole('button', { name: 'Use kernel.btf' }).click();
  await expect(page.getByRole('status')).toHaveText('module.btf is shown on the base kernel.btf');
  await expect(bar(page)).toContainText('on the base kernel.btf: 82 types');

  // The selection is the same, and now the names of base types are shown.
  const article = page.getByRole('article');
  await expect(article.getByRole('heading', { level: 2 })).toContainText('watch_stats');
  const last = article.getByRole('button', { name: /struct task_struct \*/ }).first();
  await last.click();
  await article
    .getByRole('button', { name: /struct task_struct/ })
    .first()
    .click();
  await expect(article.getByRole('heading', { level: 2 })).toContainText('task_struct');
  await expect(article).toContainText('kernel.btf');
  await expect(article).toContainText('tgid');

  // Closing the file of the base does not remove the base: the module has a copy.
  await app.close('kernel.btf');
  await expect(article).toContainText('tgid');
  await bar(page).getByRole('button', { name: 'Remove base' }).click();
  await expect(bar(page)).toContainText('It needs 82 base types');
  app.expectQuiet();
});

test('a wrong base is refused with a reason', async ({ page }) => {
  const app = await open(page, 'kinds.btf', 'module.btf');
  await expect(bar(page).getByRole('button', { name: /^Use / })).toHaveCount(0);
  await bar(page).getByRole('button', { name: 'Open files' }).click();
  await page.getByRole('menuitem', { name: /kinds\.btf does not fit/ }).click();
  await expect(bar(page).getByRole('alert')).toContainText(
    'kinds.btf does not fit: the file needs 82 base types and 1,191 bytes of base strings; kinds.btf has 95 and',
  );
  await expect(bar(page)).toContainText('It needs 82 base types');
  app.expectQuiet();
});

test('a base can be opened from the bar', { tag: '@long' }, async ({ page }) => {
  const app = await open(page, 'module.btf');
  await bar(page).getByLabel('Open a base').setInputFiles(sample('kernel.btf'));
  await expect(bar(page)).toContainText('on the base kernel.btf');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('module.btf');
  app.expectQuiet();
});

test('the real base replaces a distilled base, with how types match', { tag: '@long' }, async ({
  page,
}) => {
  const app = await open(page, 'kinds.btf', 'kernel.btf', 'module.distilled.ko');
  await expect(bar(page)).toContainText('a distilled base of its own');
  await bar(page).getByRole('button', { name: 'Open files' }).click();
  await page.getByRole('menuitem', { name: /kinds\.btf does not fit/ }).click();
  await expect(bar(page).getByRole('alert')).toContainText('types of .BTF.base are not in it');
  await bar(page).getByRole('button', { name: 'How types match' }).click();
  const dialog = page.getByRole('dialog', { name: 'Types of .BTF.base' });
  await expect(dialog.getByRole('row', { name: /task_struct.*not found/ })).toBeVisible();
  await page.keyboard.press('Escape');

  await bar(page).getByRole('button', { name: 'Use kernel.btf' }).click();
  await expect(bar(page)).toContainText('on the base kernel.btf');
  await expect(bar(page).getByRole('alert')).toHaveCount(0);
  await bar(page).getByRole('button', { name: 'How types match' }).click();
  await expect(dialog.getByRole('row', { name: /task_struct.*found/ })).toBeVisible();
  await expect(dialog).not.toContainText('not found');
  app.expectQuiet();
});

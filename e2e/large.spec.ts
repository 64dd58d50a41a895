/** Opens files larger than any real file: the page responds, and opening can be cancelled. */
import { expect, type Page } from '@playwright/test';
import { largeFile } from '../scripts/large/files.mjs';
import { AppPage } from './app-page.ts';
import { expectAccessible } from './expect-accessible.ts';
import { test } from './test.ts';

test.use({ trace: 'off' });

/** Opens a file of `scripts/large`, which is written when a test first needs it. */
async function open(page: Page, name: string): Promise<AppPage> {
  const app = new AppPage(page);
  await app.open();
  await app.chooseFile(largeFile(name));
  return app;
}

test('an ELF file of more than 4 GB is read by ranges, with the types beyond 4 GB', {
  tag: '@long',
}, async ({ page }) => {
  const app = await open(page, 'kernel-4gb');
  expect(await app.opened()).toMatchObject({ types: 126_000, sections: 8 });
  await app.show('Types');
  await page.getByRole('searchbox', { name: 'Filter types' }).fill('struct task_struct');
  await page.getByRole('option', { name: /^STRUCT task_struct/ }).click();
  await expect(page.getByRole('tabpanel')).toContainText('struct task_struct {');

  await app.show('Bytes');
  await page.getByLabel('Go to offset').fill('0x100000000');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('tabpanel')).toContainText('100000000');
  await app.close('kernel-4gb');
  app.expectQuiet();
});

test('a million types are listed, filtered and selected', { tag: '@long' }, async ({ page }) => {
  const app = await open(page, 'types-1m.btf');
  expect((await app.opened()).types).toBe(1_000_000);
  await app.show('Types');
  const list = page.getByRole('listbox', { name: 'Types' });
  await expect(list.getByRole('option').first()).toHaveAttribute('aria-setsize', '1000000');
  await page.getByRole('searchbox', { name: 'Filter types' }).fill('#1000000');
  await list.getByRole('option').first().click();
  await expect(page).toHaveURL(/type=/);
  app.expectQuiet();
});

test('a struct with a million members shows its first page and the total', {
  tag: '@long',
}, async ({ page }) => {
  const app = await open(page, 'members-1m.btf');
  await app.opened();
  await app.show('Types');
  await page.getByRole('option', { name: /^STRUCT wide/ }).click();
  const panel = page.getByRole('tabpanel');
  await expect(panel).toContainText(/Members 0 to 9.999 of 1.000.000 are shown/);
  await expect(panel).toContainText(/more than 10.000 members/);
  await panel.getByRole('button', { name: 'Later members' }).click();
  await expect(panel).toContainText(/Members 10.000 to 19.999 of 1.000.000 are shown/);
  await expect(panel.getByRole('gridcell', { name: /field_10000/ })).toBeVisible();
  await expectAccessible(page, 'a page of very many members');
  await panel.getByText('Layout', { exact: true }).click();
  const layout = page.getByRole('region', { name: 'Layout', exact: true });
  await expect(layout).toContainText(/of 1.000.000 are shown/);
  app.expectQuiet();
});

test('100,000 sections are drawn as only the visible rows', { tag: '@long' }, async ({ page }) => {
  const app = await open(page, 'sections-100k.o');
  expect(await app.opened()).toMatchObject({ sections: 100_006, relocations: 50_000 });
  for (const tab of ['Bytes', 'Relocations', 'Code', 'Data']) {
    await app.show(tab);
    await expect(page.getByRole('tabpanel')).not.toBeEmpty();
    expect(await page.locator('*').count()).toBeLessThan(5000);
  }
  app.expectQuiet();
});

test('a million relocations are drawn as only the visible rows', {
  tag: '@long',
}, async ({ page }) => {
  const app = await open(page, 'relocations-1m.o');
  expect((await app.opened()).relocations).toBe(1_000_000);
  await app.show('Relocations');
  const rows = page.getByRole('grid').getByRole('row');
  await expect(rows.nth(1)).toBeVisible();
  expect(await page.locator('*').count()).toBeLessThan(5000);
  app.expectQuiet();
});

test('a slow opening can be cancelled, and the page keeps working', async ({ page }) => {
  const app = await open(page, 'sections-800k.o');
  await page.getByRole('button', { name: 'Cancel', exact: true }).click();
  expect(await app.status()).toMatchObject({ outcome: 'refused', reason: 'cancelled' });
  await app.chooseFile(largeFile('types-10k.btf'));
  expect((await app.opened()).types).toBe(10_000);
  app.expectQuiet();
});

/**
 * Tests the layout of structs drawn to scale: members, holes, pahole's text, and bytes that another
 * order saves.
 */
import { expect, type Page } from '@playwright/test';
import { AppPage } from './app-page.ts';
import { expectAccessibleInEachLook } from './expect-accessible.ts';
import { test } from './test.ts';

const TASK = '/types?file=sample:kernel.btf&type=struct:task_struct';
const CARELESS = '/types?file=sample:layout.bpf.o&type=struct:careless';

const drawing = (page: Page) => page.getByRole('listbox', { name: 'Layout to scale' });
const pahole = (page: Page) => page.getByRole('listbox', { name: 'Layout as pahole prints it' });
const mode = (page: Page, name: string) =>
  page.getByRole('radiogroup', { name: 'Show the type as' }).getByText(name, { exact: true });

test('a member is selected in the drawing, in the text and by keys, and links to its bytes', async ({
  page,
}) => {
  const app = new AppPage(page);
  await app.open(TASK);
  await app.opened();
  await mode(page, 'Layout').click();
  await expect(page).toHaveURL(/as=layout/);

  await drawing(page)
    .getByRole('option', { name: /^stack at 0x18 / })
    .click();
  await expect(page).toHaveURL(/member=stack/);
  await expect(pahole(page).getByRole('option', { selected: true })).toContainText('stack;');

  await drawing(page).focus();
  await page.keyboard.press('ArrowRight');
  await expect(page).toHaveURL(/member=usage/);
  await expect(drawing(page).getByRole('option', { selected: true })).toHaveAccessibleName(
    /^usage at 0x20 \(byte 32\), 4 bytes/,
  );

  await pahole(page).getByRole('option').filter({ hasText: /\bmm;/ }).click();
  await expect(page).toHaveURL(/member=mm/);
  await expect(drawing(page).getByRole('option', { selected: true })).toHaveAccessibleName(/^mm /);

  await page.reload();
  await expect(drawing(page).getByRole('option', { selected: true })).toHaveAccessibleName(/^mm /);
  await page.getByRole('button', { name: 'Show bytes' }).click();
  await expect(page).toHaveURL(/#\/bytes.*member=mm/);
  app.expectQuiet();
});

test('a nested struct unfolds in place, and only holes are shown when asked', async ({ page }) => {
  const app = new AppPage(page);
  await app.open(`${TASK}&as=layout`);
  await app.opened();
  await drawing(page)
    .getByRole('option', { name: /^tasks at / })
    .click();
  await drawing(page).focus();
  await page.keyboard.press('Enter');
  await page.keyboard.press('ArrowDown');
  await expect(page).toHaveURL(/member=tasks\/next/);

  await app.open(`${CARELESS}&as=layout`);
  await expect(drawing(page).getByRole('option', { name: /^started at / })).toBeVisible();
  await expect(page.getByRole('tabpanel')).toContainText('sum holes');
  await page.getByRole('button', { name: 'Only holes' }).click();
  await page.getByText('Table', { exact: true }).click();
  const table = page.getByRole('grid', { name: 'Members' });
  await expect(table.getByRole('row', { name: /7-byte hole/ }).first()).toBeVisible();
  await expect(table).not.toContainText('started');
  app.expectQuiet();
});

test('the button shows the saving of a reordering before it is pressed', async ({ page }) => {
  const app = new AppPage(page);
  await app.open(`${CARELESS}&as=layout`);
  await app.opened();
  await page.getByRole('button', { name: 'Reordering saves 24 bytes' }).click();
  await expect(page).toHaveURL(/as=what-if/);
  await expect(page.getByText('24 bytes smaller: 32 bytes instead of 56 bytes')).toBeVisible();
  const proposed = page.getByRole('listbox', { name: 'Reordered, to scale' });
  await proposed.getByRole('option', { name: /^bytes at / }).click();
  await expect(page).toHaveURL(/member=bytes/);
  await expect(
    page.getByRole('listbox', { name: 'Now, to scale' }).getByRole('option', { selected: true }),
  ).toHaveAccessibleName(/^bytes at /);
  await expect(pahole(page)).toContainText('/* size: 32, cachelines: 1, members: ');
  app.expectQuiet();
});

test('the list finds the structs with the most bytes in holes', async ({ page }) => {
  const app = new AppPage(page);
  await app.open('/types?file=sample:layout.bpf.o');
  await app.opened();
  await page.getByRole('radiogroup', { name: 'Order' }).getByText('Holes', { exact: true }).click();
  const first = page.getByRole('listbox', { name: 'Types' }).getByRole('option').first();
  await expect(first).toContainText(/\d of \d/);
  await first.click();
  await mode(page, 'Reorder').click();
  await expect(page.getByRole('heading', { name: 'Reorder members' })).toBeAttached();
  app.expectQuiet();
});

test('is accessible', { tag: '@long' }, async ({ page }) => {
  const app = new AppPage(page);
  await page.emulateMedia({ reducedMotion: 'reduce' });
  for (const as of ['layout', 'what-if']) {
    await app.open(`${CARELESS}&member=stopped&as=${as}`);
    await expect(page.getByRole('option', { name: /^stopped at / }).first()).toBeVisible();
    await expectAccessibleInEachLook(page, as);
  }
  app.expectQuiet();
});

/** Checks that the maps of the overview open in the Data tab. */
import { expect } from '@playwright/test';
import { openExample, test } from './one-page.ts';

test('a map of the overview opens in Data, and is highlighted on return', async ({ page }) => {
  const app = await openExample(page, 'xdp_counter.bpf.o');
  const maps = page.getByRole('grid', { name: 'Maps' });
  const cell = maps.getByRole('gridcell', { name: 'last_seen' });
  await cell.click();
  await expect(app.tab('Data')).toHaveAttribute('aria-selected', 'true');
  await expect(page.getByRole('heading', { name: 'last_seen' })).toBeVisible();
  await app.show('Overview');
  await expect(maps.getByRole('row', { selected: true })).toContainText('last_seen');
  await maps.getByRole('gridcell', { name: '.rodata' }).click();
  await expect(page.getByRole('heading', { name: '.rodata' })).toBeVisible();
  app.expectQuiet();
});

test('options of the kernel are a map, too', async ({ page }) => {
  const app = await openExample(page, 'externs.bpf.o');
  await page
    .getByRole('grid', { name: 'Maps' })
    .getByRole('gridcell', { name: '.kconfig' })
    .click();
  await expect(page.getByRole('heading', { name: '.kconfig' })).toBeVisible();
  app.expectQuiet();
});

test('a map is opened from the overview by keyboard', async ({ page }) => {
  const app = await openExample(page, 'xdp_counter.bpf.o');
  const maps = page.getByRole('grid', { name: 'Maps' });
  await maps.focus();
  await page.keyboard.press('End');
  const name = await maps
    .getByRole('row', { selected: true })
    .getByRole('gridcell')
    .first()
    .textContent();
  await page.keyboard.press('Enter');
  await expect(app.tab('Data')).toHaveAttribute('aria-selected', 'true');
  await expect(page.getByRole('heading', { name: name ?? '', exact: true })).toBeVisible();
  app.expectQuiet();
});

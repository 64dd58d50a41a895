/** The maps of the overview lead to the Data tab. */
import { fileURLToPath } from 'node:url';
import { expect, test } from '@playwright/test';
import { AppPage } from './app-page.ts';

const sample = (name: string) =>
  fileURLToPath(new URL(`../public/samples/${name}`, import.meta.url));

test('a map of the overview is shown by the Data tab, and lit when one comes back', {
  tag: '@long',
}, async ({ page }) => {
  const app = new AppPage(page);
  await app.open();
  await app.chooseFile(sample('xdp_counter.bpf.o'));
  await app.opened();
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

test('options of the kernel are a map, too', { tag: '@long' }, async ({ page }) => {
  const app = new AppPage(page);
  await app.open();
  await app.chooseFile(sample('externs.bpf.o'));
  await app.opened();
  await page
    .getByRole('grid', { name: 'Maps' })
    .getByRole('gridcell', { name: '.kconfig' })
    .click();
  await expect(page.getByRole('heading', { name: '.kconfig' })).toBeVisible();
  app.expectQuiet();
});

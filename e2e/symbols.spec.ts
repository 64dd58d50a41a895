/** Tests the symbol table in the overview, for ELF and eCOFF files. */
import { fileURLToPath } from 'node:url';
import { expect, type Page } from '@playwright/test';
import { AppPage } from './app-page.ts';
import { expectAccessible } from './expect-accessible.ts';
import { test } from './test.ts';

const sample = (name: string) =>
  fileURLToPath(new URL(`../public/samples/${name}`, import.meta.url));

const table = (page: Page) => page.getByRole('grid', { name: 'Symbols' });
const firstName = (page: Page) => table(page).getByRole('row').nth(1).getByRole('gridcell').nth(1);

async function openOverview(page: Page, name: string): Promise<AppPage> {
  const app = new AppPage(page);
  await app.open();
  await app.dropFile(sample(name));
  await app.opened();
  await app.show('Overview');
  return app;
}

test('symbols are filtered and sorted, and a chosen symbol selects its bytes', async ({ page }) => {
  const app = await openOverview(page, 'exec_trace.bpf.o');
  await expect(table(page)).toContainText('GLOBAL');
  await table(page).getByRole('button', { name: 'Value' }).click();
  await expect(firstName(page)).not.toBeEmpty();
  await page.getByRole('searchbox', { name: 'Filter symbols' }).fill('on_exec');
  await expect(table(page).getByRole('row')).toHaveCount(2);
  await expect(firstName(page)).toHaveText('on_exec');
  await expectAccessible(page, 'symbols', { withContrast: true });
  await firstName(page).click();
  await expect(app.tab('Bytes')).toHaveAttribute('aria-selected', 'true');
  await expect(page).toHaveURL(/symbol=/);
  app.expectQuiet();
});

test('an eCOFF file has the same table without the columns of ELF', async ({ page }) => {
  const app = await openOverview(page, 'alpha_expression.ecoff');
  await expect(table(page)).toContainText('_fpdata');
  await expect(table(page).getByRole('columnheader', { name: 'Visibility' })).toHaveCount(0);
  app.expectQuiet();
});

test.describe('narrow', () => {
  test.use({ viewport: { width: 390, height: 844 }, colorScheme: 'dark' });

  test('name, value and section stay', async ({ page }) => {
    const app = await openOverview(page, 'exec_trace.bpf.o');
    await expect(table(page).getByRole('columnheader')).toHaveText(['Name', 'Value', 'Section']);
    await expectAccessible(page, 'symbols', { withContrast: true });
    app.expectQuiet();
  });
});

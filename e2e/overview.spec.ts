/** Tests the overview: an object's programs with verdicts first, a kernel's search first. */
import { fileURLToPath } from 'node:url';
import { expect } from '@playwright/test';
import { AppPage } from './app-page.ts';
import { expectAccessible } from './expect-accessible.ts';
import { test } from './test.ts';

const sample = (name: string) =>
  fileURLToPath(new URL(`../public/samples/${name}`, import.meta.url));

test('programs come first, with the kernels that take them and what they need', async ({
  page,
}) => {
  const app = new AppPage(page);
  await app.open();
  await page.getByRole('button', { name: 'Show an example' }).click();
  await expect(
    page
      .getByText(/^Loads on 3 of 6 kernels/)
      .filter({ visible: true })
      .first(),
  ).toBeVisible();
  await app.show('Overview');
  const programs = page.getByRole('region', { name: 'Programs' });
  await expect(programs.getByRole('row', { name: /count_switch/ })).toContainText(
    'loads on 3 of 6',
  );
  await expect(page.getByText(/^(Needs Linux|Linux) .*:/).filter({ visible: true })).toBeVisible();
  const map = page.getByRole('region', { name: 'Map of the file' });
  const [upper, lower] = [await programs.boundingBox(), await map.boundingBox()];
  expect(upper?.y).toBeLessThan(lower?.y ?? 0);
  await expectAccessible(page, 'overview of an object');
  app.expectQuiet();
});

test('a name that is typed into the overview of a kernel filters its types', async ({ page }) => {
  const app = new AppPage(page);
  await app.open();
  await app.dropFile(sample('kernel.btf'));
  await app.opened();
  await page.getByRole('searchbox', { name: 'Find a type or function' }).fill('signal_str');
  await page.keyboard.press('Enter');
  await expect(app.tab('Types')).toHaveAttribute('aria-selected', 'true');
  await expect(page.getByRole('option', { name: /signal_struct/ }).first()).toBeVisible();
  await expect(page.getByRole('option', { name: /task_struct/ })).toHaveCount(0);
  app.expectQuiet();
});

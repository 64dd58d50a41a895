/** Tests two logs side by side: what the second one knows less, in links, and on a phone. */
import { expect, type Page } from '@playwright/test';
import { KNOWS_LESS, KNOWS_MORE } from '#testing/compared-logs.ts';
import { AppPage } from './app-page.ts';
import { expectAccessibleInEachLook } from './expect-accessible.ts';
import { test } from './test.ts';

const logFile = (name: string, text: string) => ({
  name,
  mimeType: '',
  buffer: Buffer.from(text),
});

const rows = (page: Page) =>
  page.getByRole('grid', { name: 'Source lines of both logs' }).getByRole('row');
const differences = (page: Page) => page.getByRole('list', { name: 'Values that differ' });

/** Opens both logs, and compares the first with the one that knows less. */
async function openBoth(page: Page): Promise<AppPage> {
  const app = new AppPage(page);
  await app.open();
  await app.fileInput.setInputFiles([
    logFile('linux-6.18.log', KNOWS_MORE),
    logFile('linux-7.1.log', KNOWS_LESS),
  ]);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('linux-6.18.log');
  await page.getByText('Compare', { exact: true }).click();
  await expect(page.getByText('The second log first knows less at')).toBeVisible();
  return app;
}

test('two logs are aligned by source line, and the first loss is shown', async ({ page }) => {
  const app = await openBoth(page);
  await expect(rows(page)).toHaveCount(5);
  await expect(rows(page).nth(3)).toHaveAttribute('aria-selected', 'true');
  await expect(rows(page).nth(3)).toContainText('less');
  await expect(differences(page)).toContainText('may be NULL');
  await rows(page).nth(1).click();
  await expect(page.getByText('Both logs know the same values here.')).toBeVisible();
  await page.keyboard.press('End');
  await expect(rows(page).nth(4)).toHaveAttribute('aria-selected', 'true');
  await page.getByRole('button', { name: 'Show line' }).click();
  await expectAccessibleInEachLook(page, 'two compared logs');
  await differences(page).getByRole('button', { name: 'insn 5' }).nth(1).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('linux-7.1.log');
  await expect(page.getByRole('region', { name: 'State at insn 5', exact: true })).toBeVisible();
  app.expectQuiet();
});

test('sides can be swapped, and the address has both logs', async ({ page }) => {
  const app = await openBoth(page);
  await expect(page).toHaveURL(/#\/compare\?file=bytes1:[\w-]+&.*with=bytes1:[\w-]+/);
  const link = page.url();
  await page.getByRole('button', { name: 'Swap first and second' }).click();
  await expect(page.getByText('The second log knows as much as the first')).toBeVisible();
  await expect(rows(page).nth(3)).toContainText('more');
  await page.goto('about:blank');
  await page.goto(link);
  await expect(page.getByText('The second log first knows less at')).toBeVisible();
  app.expectQuiet();
});

test('a log alone asks for a second one', async ({ page }) => {
  const app = new AppPage(page);
  await app.open();
  await app.fileInput.setInputFiles([logFile('one.log', KNOWS_MORE)]);
  await page.getByText('Compare', { exact: true }).click();
  await expect(page.getByText('Open a second log')).toBeVisible();
  await page.getByLabel('Open another file').setInputFiles([logFile('two.log', KNOWS_LESS)]);
  await expect(differences(page)).toContainText('may be NULL');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('one.log');
  app.expectQuiet();
});

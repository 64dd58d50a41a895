/**
 * Exports `test` for tests that only look at examples. The tests of a Playwright worker share one
 * page, so that its code loads once. Each test closes its files, because a file keeps view state
 * that is not in the address. After a failure Playwright starts a new worker with a new page.
 */
import { expect, type Page } from '@playwright/test';
import { AppPage } from './app-page.ts';
import { test as base } from './test.ts';

/** Page that the tests of this Playwright worker share; null before the first test. */
let shared: Page | null = null;

export const test = base.extend({
  page: async ({ browser, baseURL }, use) => {
    if (shared === null) {
      const context = await browser.newContext({
        serviceWorkers: 'block',
        ...(baseURL === undefined ? {} : { baseURL }),
      });
      shared = await context.newPage();
    }
    await use(shared);
    await shared.evaluate(() => {
      for (const button of document.querySelectorAll<HTMLElement>(
        'nav[aria-label="Files"] li > :last-child',
      )) {
        button.click();
      }
    });
  },
});

/** Opens an example in a view by its address. */
export async function openExample(page: Page, name: string, view = 'overview'): Promise<AppPage> {
  const app = new AppPage(page);
  await app.open(`/${view}?file=sample:${name}`);
  await expect(page).toHaveTitle(new RegExp(`^${name.replaceAll('.', '\\.')}`));
  await expect(page).toHaveURL(new RegExp(`#/${view}\\b`));
  // The title names the file while it is still being read; its tabs appear afterwards.
  await expect(page.getByRole('tab', { selected: true }).first()).toBeVisible();
  return app;
}

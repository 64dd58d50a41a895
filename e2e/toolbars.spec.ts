/** Tests the row that has the switch between the views of a tab, and the toolbar of the shown view. */
import { expect, type Locator, type Page } from '@playwright/test';
import { AppPage } from './app-page.ts';
import { expectAccessible } from './expect-accessible.ts';
import { test } from './test.ts';

const FILE = 'file=sample:exec_trace.bpf.o';

/** Views with a toolbar that share their tab with other views, by the name of the switch. */
const VIEWS = {
  Types: { text: 'Text', query: 'Query' },
  'CO-RE': { core: 'CO-RE', playground: 'CO-RE', log: 'CO-RE', simulate: 'CO-RE', needs: 'Needs' },
} as const;

const switchOf = (at: Page | Locator, name: string) => at.getByRole('radiogroup', { name });
const toolbars = (at: Page | Locator) =>
  at.locator('fieldset[aria-label]:has(button, input)').filter({ visible: true });

async function openView(page: Page, address: string): Promise<AppPage> {
  const app = new AppPage(page);
  await app.open(address);
  await app.opened();
  return app;
}

async function topAndHeight(locator: Locator) {
  const box = await locator.boundingBox();
  if (box === null) throw new Error('not drawn');
  return { top: box.y, bottom: box.y + box.height, height: box.height };
}

for (const [tab, views] of Object.entries(VIEWS)) {
  test(`the toolbars of ${tab} are in the row of the switch`, async ({ page }) => {
    await page.setViewportSize({ width: 1440, height: 900 });
    const app = await openView(page, `/${Object.keys(views)[0]}?${FILE}`);
    const panel = page.getByRole('tabpanel');
    for (const [view, toolbar] of Object.entries(views)) {
      await switchOf(page, tab).locator(`input[value="${view}"]`).check({ force: true });
      await expect(page).toHaveURL(new RegExp(`#/${view}\\?`));
      const tools = page.getByRole('group', { name: toolbar, exact: true });
      await expect(tools).toBeVisible();
      // The toolbars of the views before are hidden.
      await expect(toolbars(panel)).toHaveCount(1);
      const row = await topAndHeight(switchOf(page, tab));
      const beside = await topAndHeight(tools);
      expect(beside.height, view).toBeLessThan(48);
      expect(beside.top, view).toBeLessThan(row.top);
      expect(beside.bottom, view).toBeGreaterThan(row.bottom);
    }
    await expectAccessible(page, tab);
    app.expectQuiet();
  });
}

test('Tab goes from the switch to the toolbar; arrow keys keep the focus on the switch', async ({
  page,
}) => {
  const app = await openView(page, `/types?${FILE}`);
  const views = switchOf(page, 'Types');
  await views.getByRole('radio', { name: 'Types' }).focus();
  await page.keyboard.press('ArrowRight');
  await expect(page).toHaveURL(/#\/text\?/);
  await expect(page.getByRole('group', { name: 'Text' })).toBeVisible();
  await expect(views.getByRole('radio', { name: 'Text' })).toBeFocused();
  await page.keyboard.press('ArrowRight');
  await expect(page).toHaveURL(/#\/query\?/);
  await expect(page.getByRole('group', { name: 'Query' })).toBeVisible();
  await expect(views.getByRole('radio', { name: 'Query' })).toBeFocused();
  await page.keyboard.press('Tab');
  await expect(page.getByRole('button', { name: 'Run' })).toBeFocused();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  await expect(page.getByRole('textbox', { name: 'SQL' })).toBeFocused();
  app.expectQuiet();
});

test('/ and Down go to the shown view, also after a view with a search in its toolbar', async ({
  page,
}) => {
  const app = await openView(page, `/text?${FILE}`);
  await page.keyboard.press('/');
  await expect(page.getByRole('searchbox', { name: 'Find in text' })).toBeFocused();
  await page.keyboard.type('pid');
  await switchOf(page, 'Types').getByText('Types', { exact: true }).click();
  await page.keyboard.press('/');
  await expect(page.getByRole('searchbox', { name: 'Filter types' })).toBeFocused();
  await page.keyboard.press('ArrowDown');
  await expect(page.getByRole('listbox', { name: 'Types' })).toBeFocused();
  // The text of the search is kept, as all of a view is.
  await switchOf(page, 'Types').getByText('Text', { exact: true }).click();
  await expect(page.getByRole('searchbox', { name: 'Find in text' })).toHaveValue('pid');
  app.expectQuiet();
});

test('each of two panes has a row of its own', async ({ page }) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  const app = await openView(page, `/text?${FILE}&beside=core`);
  const [first, second] = [/^First pane: /, /^Second pane: /].map((name) =>
    page.getByRole('region', { name }),
  );
  if (first === undefined || second === undefined) throw new Error('two panes');
  await expect(first.getByRole('group', { name: 'Text' })).toBeVisible();
  await expect(second.getByRole('group', { name: 'CO-RE' })).toBeVisible();
  await expect(toolbars(first)).toHaveCount(1);
  await expect(toolbars(second)).toHaveCount(1);
  await switchOf(second, 'CO-RE').getByText('Needs', { exact: true }).click();
  await expect(second.getByRole('group', { name: 'Needs', exact: true })).toBeVisible();
  await expect(toolbars(second)).toHaveCount(1);
  await expect(first.getByRole('group', { name: 'Text' })).toBeVisible();
  app.expectQuiet();
});

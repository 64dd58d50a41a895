/** Opens the BTF of the running kernel (126,000 types). Skipped if there is none. */
import { accessSync, constants } from 'node:fs';
import { expect } from '@playwright/test';
import { AppPage } from './app-page.ts';
import { test } from './test.ts';

const VMLINUX = '/sys/kernel/btf/vmlinux';

function isReadable(): boolean {
  try {
    accessSync(VMLINUX, constants.R_OK);
    return true;
  } catch {
    return false;
  }
}

test.skip(!isReadable(), `${VMLINUX} is not here`);

test('a whole kernel is filtered by each key, and read by keyboard alone', async ({ page }) => {
  const app = new AppPage(page);
  await app.open();
  await app.chooseFile(VMLINUX);
  expect((await app.opened()).types).toBeGreaterThan(10_000);

  await page.keyboard.press('2');
  const list = page.getByRole('listbox', { name: 'Types' });
  await expect(list.getByRole('option').first()).toBeVisible();
  await page.keyboard.press('/');
  await expect(page.getByRole('searchbox', { name: 'Filter types' })).toBeFocused();
  for (const part of ['struct ', 'task_', 'struct']) {
    await page.keyboard.type(part);
    await expect(list.getByRole('option').first()).toContainText(
      part === 'struct ' ? /./ : /task_/,
    );
  }
  await expect(list.getByRole('option').first()).toContainText('task_struct');

  await list.focus();
  await page.keyboard.press('Home');
  await expect(page.getByRole('heading', { name: /task_struct/ })).toBeVisible();
  await expect(page.getByRole('tabpanel')).toContainText('struct task_struct {');
  await expect(page).toHaveURL(/type=struct:task_struct/);
  app.expectQuiet();
});

/** Maximum number of elements of a view, so that styles, layout and paint of it fit in a frame. */
const MAX_ELEMENTS = 1500;

test('no view of a whole kernel draws more than is seen', async ({ page }) => {
  const app = new AppPage(page);
  await app.open();
  await app.chooseFile(VMLINUX);
  await app.opened();
  const view = page.getByRole('tabpanel').locator('[data-hidden="false"]');
  const counts: Record<string, number> = {};
  /** Counts the elements of the shown view once their number stays the same. */
  const count = async (name: string) => {
    const read = () => view.locator('*').count();
    const isStill = async () => {
      const before = counts[name];
      counts[name] = await read();
      return before === counts[name] && (await view.locator('[data-loading]').count()) === 0;
    };
    await expect.poll(isStill, { intervals: [50, 100] }).toBe(true);
  };

  await app.show('Types');
  await page.getByRole('searchbox', { name: 'Filter types' }).fill('struct task_struct');
  await page
    .getByRole('option', { name: /^STRUCT task_struct(?!\w)/ })
    .first()
    .click();
  await expect(view).toContainText('struct task_struct {');
  await count('Types');
  await view
    .getByRole('button', { name: /^Show all \d+ lines$/ })
    .first()
    .click();
  await count('Types, the whole declaration');
  const detail = view.getByRole('article');
  // Members, references and the record are near at once on the way.
  for (let part = 1; part < 30; part++) {
    await detail.evaluate((element, at) => {
      const scroller = element.closest('.scroll-y');
      if (scroller === null) throw new Error('the details do not scroll');
      scroller.scrollTop = at * scroller.scrollHeight;
    }, part / 30);
    await count(`Types, ${part} of 30`);
  }
  await detail.getByText('Layout', { exact: true }).click();
  await count('Layout');
  await detail.getByText('Declaration', { exact: true }).click();
  // Parts that are drawn on the way move the end away.
  await expect(async () => {
    await detail.evaluate((element) => element.lastElementChild?.scrollIntoView());
    await expect(view).toContainText('Raw record', { timeout: 1000 });
  }).toPass();
  await count('Types, at the end');
  for (const tab of await page.getByRole('tab').all()) {
    await tab.click();
    await count((await tab.textContent()) ?? '');
  }
  for (const name of ['Text', 'Query']) {
    await app.show(name);
    await count(name);
  }
  expect(Object.keys(counts).length).toBeGreaterThan(8);
  const tooMany = Object.entries(counts).filter(([, elements]) => elements > MAX_ELEMENTS);
  expect(tooMany, JSON.stringify(counts)).toEqual([]);
  app.expectQuiet();
});

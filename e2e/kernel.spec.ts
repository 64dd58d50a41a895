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

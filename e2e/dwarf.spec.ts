/** Types of a program that has DWARF and no BTF: in Overview, Types, Data and Problems. */
import { fileURLToPath } from 'node:url';
import { expect, type Locator } from '@playwright/test';
import { test } from './test.ts';

const FILE = fileURLToPath(new URL('../testdata/edge/native_armv7.o', import.meta.url));

/** Views that were shown before stay in the page, out of sight. */
const seen = (found: Locator) => found.filter({ visible: true });

test('a program in C without BTF shows the types and variables of its DWARF', async ({ page }) => {
  await page.goto('/');
  await page.locator('input[type=file]').first().setInputFiles(FILE);
  await expect(page.getByText(/^from DWARF 5 of C, Debian clang version 19/)).toBeVisible();

  await page.getByRole('tab', { name: /^Types/ }).click();
  await page.getByRole('option', { name: /^STRUCT list/ }).click();
  const declaration = page.getByRole('tabpanel').or(page.locator('main')).first();
  await expect(declaration.getByText('struct list').first()).toBeVisible();

  await page.getByRole('tab', { name: 'Data' }).click();
  await seen(page.getByText('first', { exact: true }))
    .first()
    .click();
  await expect(seen(page.getByText('far_away')).first()).toBeVisible();

  await page.getByRole('tab', { name: /^Problems/ }).click();
  await expect(page.getByText('This file has no BTF to check')).toBeVisible();
});

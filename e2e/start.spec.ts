/** Tests the start page: its height on a phone, the struct over six kernels, the links to places. */
import { expect } from '@playwright/test';
import { AppPage } from './app-page.ts';
import { expectAccessible } from './expect-accessible.ts';
import { test } from './test.ts';

/** Screens that the page may take on a phone. */
const SCREENS = 1.5;

test('fits into one and a half screens of a phone', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  const app = new AppPage(page);
  await app.open();
  const last = page.getByRole('button', { name: /^Alpha eCOFF/ });
  await expect(last).toBeVisible();
  await expect(page.getByText('6.18', { exact: true })).toBeVisible();
  const box = await last.boundingBox();
  expect((box?.y ?? Infinity) + (box?.height ?? 0)).toBeLessThanOrEqual(SCREENS * 844);
  await expectAccessible(page, 'start page of a phone');
  app.expectQuiet();
});

test('a struct over six kernels: point at a member, open its history', async ({ page }) => {
  const app = new AppPage(page);
  await app.open();
  const pid = page.locator('button', { hasText: /^pid$/ });
  await expect(pid).toHaveCount(6);
  await pid.first().hover();
  await expect(
    page.getByText('pid: byte 40 in 5.10 to 6.6; byte 48 in 6.12 and 6.18'),
  ).toBeVisible();
  await pid.first().click();
  await expect(page.getByRole('heading', { name: 'struct task_struct' })).toBeVisible();
  await expect(page.getByRole('rowheader', { name: 'on_rq' })).toBeVisible();
  await expect(page).toHaveURL(/item=pid/);
  app.expectQuiet();
});

test('the links lead to an access string and to a type of the link itself', async ({ page }) => {
  const app = new AppPage(page);
  await app.open();
  await page.getByRole('link', { name: /access string/ }).click();
  await expect(page.getByText('(0:1:0:0 @ offset 4)')).toBeVisible();
  await app.open();
  await page.getByRole('link', { name: /carries a type/ }).click();
  await expect(page.getByRole('heading', { name: /task_struct/ }).first()).toBeVisible();
  app.expectQuiet();
});

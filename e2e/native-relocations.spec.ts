/** Relocations of machines other than BPF: formula, changed bits, limits and source. */
import { fileURLToPath } from 'node:url';
import { expect, type Page } from '@playwright/test';
import { test } from './test.ts';

const HOME = fileURLToPath(new URL('../testdata/relocs/', import.meta.url));

const CASES = [
  ['aarch64.o', 'R_AARCH64_ADR_PREL_PG_HI21', 'Page(S + A) - Page(P)', 'bits 14-32', 'AAELF64'],
  ['riscv64.o', 'R_RISCV_CALL_PLT', 'L + A - P', 'bits 12-31', 'RISC-V ELF psABI'],
  ['s390x.o', 'R_390_PLT32DBL', 'L + A - P', 'bits 1-32', 's390x Supplement'],
] as const;

/** Opens an object, and selects its first entry of a type. Returns the card of the entry. */
async function openEntry(page: Page, file: string, type: string) {
  await page.goto('/');
  await page
    .locator('input[type=file]')
    .first()
    .setInputFiles(HOME + file);
  await page.getByRole('tab', { name: /^Relocations/ }).click();
  await page.getByText(type).first().click();
  return page.getByRole('article', { name: new RegExp(type) });
}

for (const [file, type, formula, bits, source] of CASES) {
  test(`${file}: ${type} has its formula, bits and source`, async ({ page }) => {
    const card = await openEntry(page, file, type);
    await expect(card.getByText(`The linker writes ${formula} at byte`)).toBeVisible();
    await expect(
      card
        .getByRole('list', { name: /^Changed bits/ })
        .getByText(bits)
        .last(),
    ).toBeVisible();
    await expect(card.getByText(source)).toBeVisible();
  });

  test(`${file}: ${type} is computed with addresses and with the linked file`, async ({ page }) => {
    const card = await openEntry(page, file, type);
    await expect(
      card.getByText(/ not known\. Set addresses, or choose the linked file/),
    ).toBeVisible();
    await page.getByRole('button', { name: 'Example', exact: true }).click();
    await expect(card.getByText(/^Limits .* above the lowest/)).toBeVisible();
    await expect(card.getByRole('row', { name: /^By the formula/ })).toBeVisible();
    expect(page.url()).toContain('layout=');

    await page
      .locator('input[aria-label="Open linked file"]')
      .setInputFiles(HOME + file.replace(/o$/, 'out'));
    await expect(card.getByText(/^The linker wrote /)).toBeVisible();
    await expect(card.getByRole('row', { name: /^In the linked file/ })).toBeVisible();
    await expect(page).toHaveURL(/linked=[0-9a-f]{64}/);
  });
}

test('addresses typed by hand give the value, and a value out of reach is refused', async ({
  page,
}) => {
  const card = await openEntry(page, 'x86_64.o', 'R_X86_64_PLT32');
  await page.getByRole('button', { name: 'Set addresses' }).click();
  const put = async (label: string, value: string) => {
    await page.getByLabel(label, { exact: true }).fill(value);
    await page.getByLabel(label, { exact: true }).press('Enter');
  };
  await put('.text', '0x1000');
  await put('far_function', '0x2000');
  await expect(card.getByText(/^0x2000 \+ \(-0x4\) - 0x10[0-9a-f]+ = 0x/)).toBeVisible();
  await put('far_function', '0x900000000');
  await expect(card.getByText('The value does not fit: GNU ld and lld refuse it.')).toBeVisible();
});

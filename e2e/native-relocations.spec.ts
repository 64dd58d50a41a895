/** Relocations of machines other than BPF: formula, changed bits, limits and source. */
import { fileURLToPath } from 'node:url';
import { expect } from '@playwright/test';
import { test } from './test.ts';

const HOME = fileURLToPath(new URL('../testdata/relocs/', import.meta.url));

const CASES = [
  ['aarch64.o', 'R_AARCH64_ADR_PREL_PG_HI21', 'Page(S + A) - Page(P)', 'bits 14-32', 'AAELF64'],
  ['riscv64.o', 'R_RISCV_CALL_PLT', 'L + A - P', 'bits 12-31', 'RISC-V ELF psABI'],
  ['s390x.o', 'R_390_PLT32DBL', 'L + A - P', 'bits 1-32', 's390x Supplement'],
] as const;

for (const [file, type, formula, bits, source] of CASES) {
  test(`${file}: ${type} has its formula, bits and source`, async ({ page }) => {
    await page.goto('/');
    await page
      .locator('input[type=file]')
      .first()
      .setInputFiles(HOME + file);
    await page.getByRole('tab', { name: /^Relocations/ }).click();
    await page.getByText(type).first().click();
    const card = page.getByRole('article', { name: new RegExp(type) });
    await expect(card.getByText(`The linker writes ${formula} at byte`)).toBeVisible();
    await expect(
      card
        .getByRole('list', { name: /^Changed bits/ })
        .getByText(bits)
        .last(),
    ).toBeVisible();
    await expect(card.getByText(source)).toBeVisible();
  });
}

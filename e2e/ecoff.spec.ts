/** Tests Alpha eCOFF objects: tabs, relocation groups, addresses set by the user, branches. */
import { fileURLToPath } from 'node:url';
import { expect, type Page } from '@playwright/test';
import { AppPage } from './app-page.ts';
import { expectAccessible, LOOKS } from './expect-accessible.ts';
import { openExample, test } from './one-page.ts';
import { test as anew } from './test.ts';

const sample = (name: string) =>
  fileURLToPath(new URL(`../public/samples/${name}.ecoff`, import.meta.url));

async function openSample(page: Page, name: string, tab = 'Relocations'): Promise<AppPage> {
  return await openExample(page, `${name}.ecoff`, tab.toLowerCase());
}

const entries = (page: Page) => page.getByRole('grid', { name: 'Relocations' });
const card = (page: Page) => page.getByRole('article');
const group = (page: Page, title: string) => page.getByRole('region', { name: title });

test('an Alpha object has only the tabs that apply, and a link to another tab opens the overview', async ({
  page,
}) => {
  const app = await openSample(page, 'alpha_expression', 'Overview');
  await expect(page.getByRole('tab')).toHaveText([
    /^Overview/,
    /^Bytes/,
    /^Code/,
    /^Relocations/,
    /^Problems/,
  ]);
  for (const header of ['file header', 'optional header', 'symbolic header']) {
    await expect(page.getByRole('button', { name: new RegExp(`^${header}`) })).toBeVisible();
  }
  await expect(page.getByRole('grid', { name: 'Sections' }).getByRole('row')).toHaveCount(5);
  await expect(page.getByRole('grid', { name: 'Symbols' })).toContainText('_fpdata');
  // Number keys count only the tabs that exist for this file.
  await page.keyboard.press('2');
  await expect(app.tab('Bytes')).toHaveAttribute('aria-selected', 'true');
  await expect(page).toHaveURL(/#\/bytes/);
  await page.goto(page.url().replace('#/bytes', '#/types'));
  await expect(app.tab('Overview')).toHaveAttribute('aria-selected', 'true');
  app.expectQuiet();
});

test('the expression of section 4.3.4.14 is stepped to its result', async ({ page }) => {
  const app = await openSample(page, 'alpha_expression');
  await page.getByRole('button', { name: 'Example', exact: true }).click();
  await page.getByRole('option', { name: /^\.pdata/ }).click();
  await entries(page)
    .getByRole('row', { name: /R_OP_PUSH.*foo/ })
    .click();

  const expression = group(page, 'Expression');
  const stack = group(page, 'Stack after this step');
  await expect(expression).toContainText('(.pdata+0x78) = (((.text+0x30)-&_fpdata) & 0xffffffff)');
  await expect(expression).toContainText('1 of 3');
  await expect(stack).toContainText('PUSH (.text+0x30)');
  await expect(stack.getByRole('listitem')).toHaveText(['(.text+0x30)0x120001030']);

  await expression.getByRole('button', { name: 'Next in the group' }).click();
  await expect(stack).toContainText('PSUB &_fpdata');
  await expect(stack.getByRole('listitem')).toHaveText([/^\(\(\.text\+0x30\)-&_fpdata\)0x/]);

  await expression.getByRole('button', { name: 'Next in the group' }).click();
  await expect(card(page)).toContainText('R_OP_STORE');
  await expect(stack).toContainText('The stack is empty.');
  const stored = /& 0xffffffff\)(0x[0-9a-f]+)/;
  await expect(stack).toContainText(stored);
  const value = stored.exec((await stack.textContent()) ?? '')?.[1] ?? '';
  await expect(entries(page).getByRole('row', { selected: true })).toContainText(value);
  await expect(card(page)).toContainText('With the layout');
  app.expectQuiet();
});

test('a gp load is walked from one half to the other by keyboard', async ({ page }) => {
  const app = await openSample(page, 'alpha_gpdisp');
  await entries(page)
    .getByRole('row', { name: /R_GPDISP/ })
    .nth(1)
    .click();
  const pair = group(page, 'gp load in two halves');
  const currentStep = pair.locator('[aria-current=step]');
  await expect(currentStep).toHaveText('0x10lda');
  await page.keyboard.press('n');
  await expect(currentStep).toHaveText('0x14ldah');
  await expect(page).toHaveURL(/insn=\.text@0x14/);
  await page.keyboard.press('p');
  await expect(currentStep).toHaveText('0x10lda');
  await expect(page).toHaveURL(/reloc=\.text@0x10/);

  await page.keyboard.press('n');
  await app.show('Code');
  await expect(
    page.getByRole('grid', { name: 'Instructions' }).getByRole('row', { selected: true }),
  ).toContainText('ldah gp,1(gp)');
  app.expectQuiet();
});

test('addresses set by the user change the bytes, and the link keeps them', {
  tag: '@long',
}, async ({ page }) => {
  const app = await openSample(page, 'alpha_data');
  await page.getByRole('button', { name: 'Set addresses' }).click();
  const box = page.getByRole('textbox', { name: 'printf', exact: true });
  await box.fill('0x3ff80001000');
  await box.press('Enter');
  await expect(page).toHaveURL(/layout=%40printf%3D0x3ff80001000/);
  await entries(page)
    .getByRole('row', { name: /R_REFQUAD.*printf/ })
    .click();
  await expect(card(page)).toContainText('0x000003ff80001000');

  await card(page).getByRole('button', { name: 'Show bytes' }).click();
  await page.getByText('As relocated', { exact: true }).click();
  const lit = page
    .getByRole('grid', { name: 'Bytes' })
    .locator('[role=gridcell][aria-selected=true]');
  await expect(lit).toHaveText(['00', '10', '00', '80', 'ff', '03', '00', '00']);
  app.expectQuiet();
});

test('a branch is marked by its 21 bits, and a literal shows possible linker relaxation', async ({
  page,
}) => {
  const app = await openSample(page, 'alpha_branch', 'Bytes');
  await page
    .getByRole('option', { name: /\.text/ })
    .first()
    .click();
  const bytes = page.getByRole('grid', { name: 'Bytes' });
  await expect(bytes.getByRole('gridcell', { name: /R_BRADDR[^,]*, bits 0-4$/ })).toHaveCount(1);
  await expect(bytes.getByRole('gridcell', { name: /R_HINT[^,]*, bits 0-5\b/ })).toHaveCount(1);

  await app.close('alpha_branch.ecoff');
  await app.dropFile(sample('alpha_literal'));
  await app.opened();
  await app.show('Relocations');
  await page.getByRole('button', { name: 'Example', exact: true }).click();
  await entries(page)
    .getByRole('row', { name: /R_LU_JSR/ })
    .click();
  await expect(group(page, 'Linker relaxation')).toContainText('jsr ra,(t12)');
  app.expectQuiet();
});

/** Returns an object with `count` REFQUAD entries, after an entry that states this number. */
function manyEntries(count: number): Buffer {
  const HEADERS = 24 + 80 + 64;
  const dataSize = 8 * count;
  const relocs = HEADERS + 8 + dataSize;
  const file = Buffer.alloc(relocs + 16 * (count + 1));
  file.writeUInt16LE(0x183, 0);
  file.writeUInt16LE(1, 2);
  file.writeUInt16LE(80, 20);
  file.writeUInt16LE(0o407, 24);
  const section = 24 + 80;
  file.write('.data', section, 'latin1');
  file.writeBigUInt64LE(BigInt(dataSize), section + 24);
  file.writeBigUInt64LE(BigInt(HEADERS + 8), section + 32);
  file.writeBigUInt64LE(BigInt(relocs), section + 40);
  file.writeUInt16LE(0xffff, section + 56);
  file.writeUInt32LE(0x20000040, section + 60);
  file.writeBigUInt64LE(BigInt(count + 1), relocs);
  for (let i = 0; i < count; i++) {
    const at = relocs + 16 * (i + 1);
    file.writeBigUInt64LE(BigInt(8 * i), at);
    file.writeUInt32LE(3, at + 8);
    file.writeUInt32LE(2, at + 12);
  }
  return file;
}

test('65,601 entries open and scroll', { tag: '@long' }, async ({ page }) => {
  const app = new AppPage(page);
  await app.open();
  await app.chooseFile({ name: 'many.ecoff', buffer: manyEntries(65_600) });
  expect(await app.opened()).toMatchObject({ relocations: 65_601 });
  await app.show('Relocations');
  const grid = entries(page);
  await grid.getByRole('row', { name: /R_ABS/ }).click();
  await page.keyboard.press('End');
  const last = `0x${(8 * 65_599).toString(16)}`;
  await expect(grid.getByRole('row', { selected: true })).toContainText(last);
  await expect(card(page)).toContainText(`${last}`);
  app.expectQuiet();
});

for (const { name, ...look } of LOOKS) {
  anew.describe(name, () => {
    anew.use(look);
    anew('has no axe violation in Relocations', { tag: '@long' }, async ({ page }) => {
      await openSample(page, 'alpha_literal');
      await page.getByRole('button', { name: 'Example', exact: true }).click();
      await page.getByRole('button', { name: 'Set addresses' }).click();
      await entries(page)
        .getByRole('row', { name: /LITUSE|0x14/ })
        .first()
        .click();
      await expect(card(page)).toBeVisible();
      await expectAccessible(page, 'Relocations of Alpha');
    });
  });
}

/**
 * Tests the ways from a record to its bytes and from a byte to its field, by pointer and by
 * keyboard.
 */
import { expect, type Page } from '@playwright/test';
import { longUnless } from './app-page.ts';
import { expectAccessible, LOOKS } from './expect-accessible.ts';
import { openExample, test } from './one-page.ts';
import { test as anew } from './test.ts';

const openSample = (page: Page, name = 'exec_trace.bpf.o') => openExample(page, name);

const trail = (page: Page) => page.getByRole('navigation', { name: 'Structure of the byte' });
const grid = (page: Page) => page.getByRole('grid', { name: 'Bytes' });
const tree = (page: Page) => page.getByRole('tree', { name: 'Structure of the file' });

test('selecting a member highlights its bytes, and selecting the bytes the member', async ({
  page,
}) => {
  const app = await openSample(page);
  await app.show('Types');
  await page.getByRole('searchbox', { name: 'Filter types' }).fill('task_struct');
  await page
    .getByRole('option', { name: /\btask_struct\b/ })
    .first()
    .click();
  await page
    .getByRole('tabpanel')
    .getByRole('row', { name: /\bpid\b/ })
    .first()
    .click();
  await expect(page).toHaveURL(/member=pid$/);

  await app.show('Bytes');
  await expect(trail(page).locator('[aria-current]')).toHaveText(/^member \[\d+\] pid$/);
  const lit = grid(page).locator('[role=gridcell][aria-selected=true]');
  await expect(lit).toHaveCount(12);

  await lit.nth(5).click();
  await expect(trail(page)).toContainText('pid');
  await expect(trail(page).locator('[aria-current]')).toHaveText('type');
  await page.getByRole('button', { name: 'Go to member' }).click();
  await expect(app.tab('Types')).toHaveAttribute('aria-selected', 'true');
  await expect(page).toHaveURL(/type=struct:task_struct&member=pid$/);
  app.expectQuiet();
});

test('the same by keyboard', { tag: '@long' }, async ({ page }) => {
  const app = await openSample(page);
  await app.open('/types?file=sample:exec_trace.bpf.o&type=struct:task_struct&member=pid');
  await page.reload();
  await app.tab('Types').focus();
  await expect(page).toHaveURL(/member=pid$/);
  await app.tab('Bytes').focus();
  await page.keyboard.press('Enter');
  await expect(trail(page).locator('[aria-current]')).toHaveText(/^member \[\d+\] pid$/);
  await grid(page).focus();
  await page.keyboard.press('ArrowRight');
  await expect(trail(page).locator('[aria-current]')).toHaveText('name_off');
  await page.keyboard.press('Enter');
  await expect(app.tab('Types')).toHaveAttribute('aria-selected', 'true');
  await expect(page).toHaveURL(/type=struct:task_struct&member=pid$/);
});

for (const by of ['pointer', 'keyboard'] as const) {
  test(
    `a relocation site opens its instruction, its source line and back, by ${by}`,
    longUnless('pointer', by),
    async ({ page }) => {
      const app = await openSample(page);
      const use = async (name: string) => {
        const button = page.getByRole('button', { name, exact: true }).first();
        if (by === 'pointer') return button.click();
        await button.focus();
        await page.keyboard.press('Enter');
      };
      if (by === 'pointer') await app.show('Bytes');
      else {
        await app.tab('Bytes').focus();
        await page.keyboard.press('Enter');
      }
      await expect(grid(page)).toBeVisible();
      if (by === 'pointer') await use('Next relocation');
      else await page.keyboard.press('n');
      await expect(page).toHaveURL(/reloc=/);
      // Compares the address from `reloc=` on: `file=` appears only when the file's hash is
      // computed.
      const site = page.url().replace(/^.*(?=reloc=)/, '');
      await use('Go to instruction');
      await expect(app.tab('Code')).toHaveAttribute('aria-selected', 'true');
      await expect(page.getByRole('heading', { name: 'Source', exact: true })).toBeVisible();
      await expect(page.getByRole('tabpanel')).toContainText(/exec_trace\.bpf\.c:\d+/);
      // Stands in for the Back button and its key: headless Chromium has neither.
      await page.goBack();
      await expect(page).toHaveURL(({ hash }) => hash.endsWith(site));
      await expect(app.tab('Bytes')).toHaveAttribute('aria-selected', 'true');
      app.expectQuiet();
    },
  );
}

test('the tree follows the bytes, and the bytes follow the tree', async ({ page }) => {
  const app = await openSample(page);
  await app.show('Bytes');
  await page.getByText('Structure', { exact: true }).click();
  await expect(tree(page).getByRole('treeitem').first()).toHaveText(/exec_trace\.bpf\.o/);

  await grid(page).locator('td[data-offset="18"]').click();
  const active = tree(page).locator('[aria-selected=true]');
  await expect(active).toHaveText(/^e_machine/);
  await expect(active).toHaveAttribute('aria-level', '3');

  await tree(page)
    .getByRole('treeitem', { name: /^ELF header/ })
    .click();
  await expect(grid(page).locator('[role=gridcell][aria-selected=true]')).toHaveCount(64);

  await tree(page).focus();
  await page.keyboard.press('ArrowLeft');
  await expect(active).toHaveAttribute('aria-expanded', 'false');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowRight');
  await expect(active).toHaveText(/^e_ident\[EI_MAG0\]/);
  await expect(grid(page).locator('[role=gridcell][aria-selected=true]')).toHaveText('7f');
  await page.keyboard.press('ArrowLeft');
  await expect(active).toHaveText(/^ELF header/);

  await trail(page).getByRole('button', { name: 'exec_trace.bpf.o' }).click();
  await expect(active).toHaveAttribute('aria-level', '1');
  app.expectQuiet();
});

test('the bits of a word have a ruler', async ({ page }) => {
  const app = await openSample(page, 'kinds_2026.btf');
  await app.show('Bytes');
  await grid(page).locator('td[data-offset="36"]').click();
  const ruler = page.getByRole('list', { name: 'Bits of info' });
  await expect(ruler.getByRole('listitem')).toHaveText([
    /bit 31/,
    /bits 24-30.*kind/,
    /bits 0-23.*vlen/,
  ]);
  app.expectQuiet();
});

test('finds bytes and text, and shows a section as relocated', async ({ page }) => {
  const app = await openSample(page, 'doc_call.bpf.o');
  await app.show('Bytes');
  await expect(grid(page)).toBeVisible();
  await page.keyboard.press('f');
  await page.getByLabel('Bytes to find').fill('7f 45 ?? 46');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('search')).toContainText('Found at 0x0');
  await expect(grid(page).locator('[role=gridcell][aria-selected=true]')).toHaveCount(4);
  await page.getByText('Text', { exact: true }).last().click();
  await page.getByLabel('Text to find').fill('gfunc');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('search')).toContainText(/Found at 0x[0-9a-f]{3}/);
  await page.getByLabel('Text to find').fill('no such text');
  await page.keyboard.press('Shift+Enter');
  await expect(page.getByRole('search')).toContainText('Not found');
  await page.keyboard.press('Escape');
  await expect(page.getByRole('search')).toHaveCount(0);

  await page
    .getByRole('option', { name: /\.text/ })
    .first()
    .click();
  const changed = grid(page).locator('td[aria-label*="gfunc"]').first();
  await expect(changed).toHaveText('ff');
  await page.getByText('As relocated').click();
  await expect(page.getByRole('tabpanel')).toContainText('every section at address 0');
  await expect(changed).toHaveText('ff');
  const lfunc = grid(page).locator('td[aria-label*="lfunc"]').first();
  await expect(lfunc).toHaveText('02');
  app.expectQuiet();
});

for (const { name, ...look } of LOOKS) {
  anew.describe(name, () => {
    anew.use(look);

    anew('the structure is accessible', { tag: '@long' }, async ({ page }) => {
      const app = await openSample(page);
      await app.open('/bytes?file=sample:exec_trace.bpf.o&bytes=.BTF@0x18-0x30');
      await page.reload();
      await expect(grid(page)).toBeVisible();
      await page.getByText('Structure', { exact: true }).click();
      await expect(tree(page).locator('[aria-selected=true]')).toBeVisible();
      await page.getByRole('button', { name: 'Find', exact: true }).click();
      await expect(page.getByRole('tabpanel')).not.toContainText('Loading');
      await expectAccessible(page, 'the structure');
      app.expectQuiet();
    });
  });
}

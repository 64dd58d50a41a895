/** Tests glossary cards by mouse, by key and by touch, and the list of all terms. */
import { fileURLToPath } from 'node:url';
import { expect, type Locator, type Page } from '@playwright/test';
import { AppPage } from './app-page.ts';
import { expectAccessible, LOOKS, showAs } from './expect-accessible.ts';
import { openExample, test as reading } from './one-page.ts';
import { test } from './test.ts';

const sample = (name: string) =>
  fileURLToPath(new URL(`../public/samples/${name}`, import.meta.url));

async function openSample(page: Page, name: string): Promise<AppPage> {
  const app = new AppPage(page);
  await app.open();
  await app.chooseFile(sample(name));
  await app.opened();
  return app;
}

const term = (page: Page, text: string): Locator =>
  page.locator('[data-term]').filter({ hasText: new RegExp(`^${text}$`) });
const card = (page: Page, title: string): Locator =>
  page.getByRole('dialog', { name: title, exact: true });

test('hovering a term opens its card, and the card’s link selects the example in the file', async ({
  page,
}) => {
  const app = await openSample(page, 'kinds.btf');
  await app.show('Bytes');
  await term(page, 'magic').hover();
  const magic = card(page, 'magic');
  await expect(magic).toContainText('The first two bytes of a BTF blob are the number 0xeb9f.');
  await expect(magic).toContainText('The bytes 9f eb mean little-endian');
  await expect(magic.getByRole('img', { name: /0xeb9f, little-endian/ })).toBeVisible();
  await expect(magic.getByRole('link')).toHaveAttribute('href', /^https:\/\/docs\.kernel\.org\//);
  // A click on a term in a card shows the card of that term instead.
  await magic.getByRole('button', { name: 'hdr_len' }).click();
  const hdrLen = card(page, 'hdr_len');
  await hdrLen.getByRole('button', { name: /See it in the file/ }).click();
  await expect(hdrLen).toBeHidden();
  await expect(page).toHaveURL(/#\/bytes\?.*bytes=.*0x4-0x8/);
  await expect(term(page, 'hdr_len')).toBeVisible();
  app.expectQuiet();
});

reading('keys open a card, move through it and close it', async ({ page }) => {
  const app = await openExample(page, 'exec_trace.bpf.o');
  const kinds = term(page, 'Types by kind');
  await kinds.focus();
  await page.keyboard.press('Enter');
  const opened = card(page, 'BTF kind');
  await expect(opened).toContainText('The kind of type that a record describes');
  await expect(opened.getByRole('button', { name: /See it in the file/ })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(opened).toBeHidden();
  await expect(kinds).toBeFocused();
  await page.keyboard.press('Enter');
  await opened.getByRole('button', { name: /See it in the file/ }).focus();
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/#\/bytes\?.*bytes=/);
  app.expectQuiet();
});

reading('the details of a selection mark glossary terms', async ({ page }) => {
  const app = await openExample(page, 'exec_trace.bpf.o');
  const places: readonly (readonly [string, string, string, RegExp])[] = [
    [
      'Relocations',
      'R_BPF_64_64',
      'R_BPF_64_64',
      /Type 1 writes S \+ A into the imm of a ld_imm64/,
    ],
    ['CO-RE', 'Access string', 'access string', /The path to a field as numbers/],
    ['Code', 'dst_reg', 'dst_reg', /Two registers of four bits each/],
  ];
  for (const [tab, text, title, says] of places) {
    await app.show(tab);
    await page.getByRole('tabpanel').getByRole('row').nth(2).click();
    await term(page, text).click();
    await expect(card(page, title)).toContainText(says);
    await page.keyboard.press('Escape');
    await expect(card(page, title)).toBeHidden();
    const shown = await page
      .locator('[data-term]')
      .filter({ visible: true })
      .evaluateAll((all) => all.map((each) => each.getAttribute('data-term')));
    expect(shown.length, tab).toBe(new Set(shown).size);
  }
  app.expectQuiet();
});

test('the list finds a term by another spelling and opens it', { tag: '@long' }, async ({
  page,
}) => {
  const app = await openSample(page, 'bitfields.bpf.o');
  await page.keyboard.press('?');
  await page.getByRole('radiogroup', { name: 'Help' }).getByText('Glossary').click();
  const list = card(page, 'Glossary');
  await list.getByRole('searchbox').fill('kflag');
  await expect(list.getByRole('article')).toHaveCount(1);
  await expect(list.getByRole('article', { name: 'kind_flag' })).toContainText('also kflag');
  await list.getByRole('button', { name: 'bitfield_size' }).click();
  const wanted = list.getByRole('article', { name: 'bitfield_size' });
  await expect(wanted).toBeFocused();
  await expect(wanted).toBeInViewport();
  await wanted.getByRole('button', { name: /See it in the file/ }).click();
  await expect(list).toBeHidden();
  await expect(page).toHaveURL(/#\/types\?.*member=/);
  app.expectQuiet();
});

test('the palette opens a card, and the list marks terms without an example in the file', {
  tag: '@long',
}, async ({ page }) => {
  const app = await openSample(page, 'kinds.btf');
  await page.keyboard.press('Control+k');
  await expect(page.getByRole('combobox', { name: 'Find anything' })).toBeFocused();
  await page.keyboard.type('0x0bad2310');
  await page.getByRole('option', { name: /Glossary: poison/ }).click();
  const list = card(page, 'Glossary');
  await expect(list.getByRole('article', { name: 'poison' })).toBeFocused();
  await expect(list.getByRole('article', { name: 'gp', exact: true })).toContainText(
    'Not in the open file.',
  );
  await page.keyboard.press('Escape');
  await expect(list).toBeHidden();
  app.expectQuiet();
});

test.describe('by touch', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true });

  test('a tap opens a card that lies within the screen', async ({ page }) => {
    const app = await openSample(page, 'exec_trace.bpf.o');
    await term(page, 'Maps').tap();
    const opened = card(page, 'BPF map');
    await expect(opened).toContainText('Key/value storage');
    const box = await opened.boundingBox();
    expect(box?.x).toBeGreaterThanOrEqual(0);
    expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(390);
    await opened.getByRole('button', { name: 'Close card' }).tap();
    await expect(opened).toBeHidden();
    app.expectQuiet();
  });
});

test('cards and the list are accessible', { tag: '@long' }, async ({ page }) => {
  const app = await openSample(page, 'exec_trace.bpf.o');
  for (const look of LOOKS) {
    await showAs(page, look);
    await term(page, 'Maps').click();
    await expect(card(page, 'BPF map').getByRole('link')).toBeVisible();
    await expectAccessible(page, `a card, ${look.name}`);
    await page.keyboard.press('Escape');
    // The page's keys do nothing while a dialog has the focus.
    await expect(term(page, 'Maps')).toBeFocused();
    await page.keyboard.press('?');
    await page.getByRole('radiogroup', { name: 'Help' }).getByText('Glossary').click();
    const list = card(page, 'Glossary');
    await expect(list.getByRole('article').first()).toBeVisible();
    await list.getByRole('searchbox').fill('struct btf_');
    await expect(list.getByRole('article', { name: 'struct btf_type' })).toBeVisible();
    await expectAccessible(page, `the list, ${look.name}`);
    await page.keyboard.press('Escape');
    await expect(list).toBeHidden();
  }
  app.expectQuiet();
});

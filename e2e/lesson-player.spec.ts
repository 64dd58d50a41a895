/**
 * Tests the lesson player: opening a lesson, changing steps, all kinds of questions, going
 * elsewhere and back, and reloading.
 */
import { fileURLToPath } from 'node:url';
import { expect, type Locator, type Page } from '@playwright/test';
import { textKey } from '#analysis/links/packed.ts';
import { AppPage, longUnless } from './app-page.ts';
import { expectAccessible, expectAccessibleInEachLook } from './expect-accessible.ts';
import { test } from './test.ts';

const sample = (name: string) =>
  fileURLToPath(new URL(`../public/samples/${name}`, import.meta.url));
const panelOf = (page: Page) => page.getByRole('region', { name: 'Lesson', exact: true });
const button = (scope: Page | Locator, name: string) =>
  scope.getByRole('button', { name, exact: true });
const stepTitle = (page: Page) => panelOf(page).getByRole('heading', { level: 3 });
const feedback = (page: Page, what: 'right' | 'wrong') =>
  panelOf(page).locator(`[aria-live=polite] [data-answer=${what}]`);
const byte = (page: Page, fileOffset: number) =>
  page.getByRole('grid', { name: 'Bytes' }).locator(`td[data-offset="${fileOffset}"]`);

async function openStep(page: Page, address: string): Promise<AppPage> {
  const app = new AppPage(page);
  await app.open(address);
  await expect(panelOf(page)).toBeVisible();
  return app;
}

test('a lesson is begun on the start page, and steps are places in the history', async ({
  page,
}) => {
  const app = new AppPage(page);
  await app.open();
  await page.getByRole('radio', { name: 'All', exact: true }).check({ force: true });
  await button(page, 'Lesson 3: The BTF header and its strings').click();
  const panel = panelOf(page);
  await expect(panel.getByRole('heading', { level: 2 })).toHaveText(
    'The BTF header and its strings',
  );
  await expect(panel.getByText('Step 1 of 10', { exact: true })).toBeVisible();
  await expect(app.tab('Bytes')).toHaveAttribute('aria-selected', 'true');
  await expect(byte(page, 0)).toHaveAttribute('aria-selected', 'true');
  await button(panel, 'Next step').click();
  await expect(stepTitle(page)).toHaveText('Version and flags');
  await expect(page).toHaveURL(/at=version-and-flags/);
  await button(panel, 'Next step').click();
  await expect(stepTitle(page)).toHaveText('The header measures itself');
  await expect(byte(page, 4)).toHaveAttribute('aria-selected', 'true');
  await page.goBack();
  await expect(stepTitle(page)).toHaveText('Version and flags');
  await page.goBack();
  await expect(stepTitle(page)).toHaveText('Two bytes to know it by');
  await page.goForward();
  await expect(stepTitle(page)).toHaveText('Version and flags');
  await button(panel, 'Previous step').click();
  await expect(stepTitle(page)).toHaveText('Two bytes to know it by');
  await button(panel, 'All steps').click();
  await page.getByRole('menuitem', { name: /Challenge/ }).click();
  await expect(button(panel, 'Next step')).toBeDisabled();
  await expect(page.getByRole('tab', { name: /Relocations/ })).toBeVisible();
  await button(panel, 'Close lesson').click();
  await expect(page).not.toHaveURL(/lesson=/);
  await page.goBack();
  await expect(stepTitle(page)).toHaveText(/^Challenge/);
  // After Back, a new place replaces the forward entry, so that the length stays.
  const entries = await page.evaluate(() => history.length);
  await button(page, 'btfscope: start page').click();
  await expect(page).toHaveURL(/#\/$/);
  expect(await page.evaluate(() => history.length)).toBe(entries);
  app.expectQuiet();
});

test('a lesson about the learner’s object waits for the object, and asks about it', {
  tag: '@long',
}, async ({ page }) => {
  const app = new AppPage(page);
  await app.open();
  await page.getByRole('radio', { name: 'All', exact: true }).check({ force: true });
  await page.getByRole('button', { name: /^Lesson \d+: Check my object/ }).click();
  const panel = panelOf(page);
  await expect(panel).toContainText('drop an object onto the page');
  await app.chooseFile(sample('doc_core.bpf.o'));
  await app.opened();
  await expect(page).toHaveURL(/lesson=my-object&at=open-your-object.*file=[0-9a-f]{64}/);
  await expect(panel).not.toContainText('drop an object onto the page');
  await button(panel, 'All steps').click();
  await page.getByRole('menuitem', { name: /What depends on the kernel/ }).click();
  await expect(app.tab('CO-RE')).toHaveAttribute('aria-selected', 'true');
  const field = panel.getByRole('textbox', { name: 'Your answer' });
  await field.fill('34');
  await field.press('Enter');
  await expect(feedback(page, 'wrong')).toContainText('34 is too large.');
  await field.fill('15');
  await field.press('Enter');
  await expect(feedback(page, 'right')).toBeVisible();
  app.expectQuiet();
});

test('the next lesson is the track’s, and a lesson from a link is on the start page', {
  tag: '@long',
}, async ({ page }) => {
  const app = new AppPage(page);
  await app.open();
  await page.getByRole('radio', { name: 'The format', exact: true }).check({ force: true });
  await button(page, 'Lesson 1: The BTF header and its strings').click();
  const panel = panelOf(page);
  await button(panel, 'All steps').click();
  await page.getByRole('menuitem', { name: /Challenge/ }).click();
  await expect(panel).toContainText('Next in The format: struct btf_type and its info word');
  await button(panel, 'Next lesson').click();
  await expect(panel.getByRole('heading', { level: 2 })).toHaveText(/info word/);

  const text = '---\ntitle: Out of a link\nabout: A.\nobject: link\n---\n## One\n\nText.\n';
  const key = await textKey('md1:', text);
  await page.evaluate((at) => location.assign(at), `#/?lesson=${key}&file=sample:kinds.btf`);
  await expect(panel.getByRole('heading', { level: 2 })).toHaveText('Out of a link');
  await expect(app.tab('Overview')).toHaveAttribute('aria-selected', 'true');
  await page.goto('./');
  await page.reload();
  await button(page, 'Open Out of a link').click();
  await expect(panel.getByRole('heading', { level: 2 })).toHaveText('Out of a link');
  await expect(app.tab('Overview')).toHaveAttribute('aria-selected', 'true');
  await button(page, 'btfscope: start page').click();
  await button(page, 'Remove Out of a link').click();
  await expect(page.getByRole('list', { name: 'Other lessons' })).toHaveCount(0);
  app.expectQuiet();
});

test('a lesson is found in the palette, also with the prefix #', { tag: '@long' }, async ({
  page,
}) => {
  const app = new AppPage(page);
  await page.goto('./?lesson=btf-header&at=version-and-flags');
  await expect(stepTitle(page)).toHaveText('Version and flags');
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox').fill('Lesson 11');
  await page.getByRole('option', { name: /^Lesson 11/ }).click();
  await expect(panelOf(page).getByRole('heading', { level: 2 })).toHaveText(/access strings/);
  await page.evaluate(() => location.assign('#/?lesson=nobody'));
  await expect(panelOf(page).getByRole('alert')).toContainText('There is no lesson nobody.');
  await button(page, 'Close lesson').click();
  await expect(panelOf(page)).toHaveCount(0);
  app.expectQuiet();
});

test('only the learner’s own click answers', async ({ page }) => {
  const app = await openStep(page, '/?lesson=btf-header&at=version-and-flags');
  const panel = panelOf(page);
  await expect(panel.getByRole('group', { name: 'Question' })).toBeVisible();
  await expect(byte(page, 0)).toHaveAttribute('aria-selected', 'true');
  // Pins and links in the text open places, but this is not taken as an answer.
  await panel.getByRole('list', { name: 'Pins' }).getByRole('button').first().click();
  await expect(byte(page, 8)).toHaveAttribute('aria-selected', 'false');
  await byte(page, 4).click();
  await expect(feedback(page, 'wrong')).toContainText('That is hdr_len');
  await expect(feedback(page, 'wrong')).toContainText('is before it');
  await byte(page, 0).click();
  await expect(feedback(page, 'wrong')).toContainText('That is magic');
  await byte(page, 3).click();
  await expect(feedback(page, 'wrong')).toContainText('That is flags');
  await button(panel, 'Show me').click();
  await expect(feedback(page, 'right')).toContainText('That is version');
  await expect(byte(page, 2)).toHaveAttribute('aria-selected', 'true');
  app.expectQuiet();
});

test('a click on the current selection answers', { tag: '@long' }, async ({ page }) => {
  const app = await openStep(page, '/?lesson=bpf-object&at=relocations');
  const panel = panelOf(page);
  const row = (offset: string) =>
    page.getByRole('tabpanel').locator('tr[data-row]').filter({ hasText: offset });
  await expect(row('0x180')).toHaveAttribute('aria-selected', 'true');
  await row('0xb8').first().click();
  await expect(feedback(page, 'wrong')).toContainText('the relocation at 0xb8');
  await button(panel, 'Back to the step').click();
  await expect(feedback(page, 'wrong')).toHaveCount(0);
  await expect(row('0x180')).toHaveAttribute('aria-selected', 'true');
  await row('0x180').click();
  await expect(feedback(page, 'wrong')).toContainText('the relocation at 0x180 for last_seen');
  await row('0x1b8').click();
  await expect(feedback(page, 'right')).toContainText('the relocation at 0x1b8 for next');
  app.expectQuiet();
});

test('typed answers are explained, and shown after three misses', async ({ page }) => {
  const app = await openStep(page, '/?lesson=access-strings&at=the-second-number');
  const panel = panelOf(page);
  const field = panel.getByRole('textbox', { name: 'Your answer' });
  for (const [typed, why] of [
    ['s->c', 'That is C'],
    ['0:0', 'goes to'],
    ['0:9', ''],
  ] as const) {
    await field.fill(typed);
    await field.press('Enter');
    await expect(feedback(page, 'wrong')).toContainText(why);
    await expect(panel.getByText(why === '' ? 'Show me' : why)).toBeVisible();
  }
  await button(panel, 'Show me').click();
  await expect(field).toHaveValue(/^0:\d+$/);
  await button(panel, 'Check').click();
  await expect(feedback(page, 'right')).toContainText('It goes to');

  await page.evaluate(() => location.assign('#/?lesson=btf-header&at=where-the-types-end'));
  await expect(stepTitle(page)).toHaveText('Where the types end');
  await field.fill('2000');
  await button(panel, 'Check').click();
  await expect(feedback(page, 'wrong')).toContainText('2000 is too small.');
  await field.fill('0x8e0');
  await button(panel, 'Check').click();
  await expect(feedback(page, 'right')).toContainText('2272, or 0x8e0.');

  await page.evaluate(() => location.assign('#/?lesson=bit-field-relocations&at=challenge'));
  await expect(panel.getByRole('heading', { level: 2 })).toContainText('Bit-fields');
  app.expectQuiet();
});

for (const { width, height } of [
  { width: 1440, height: 900 },
  { width: 390, height: 844 },
]) {
  test(
    `C is typed until it compiles to the requested BTF, ${width} px wide`,
    longUnless('1440', `${width}`),
    async ({ page }) => {
      await page.setViewportSize({ width, height });
      const app = await openStep(page, '/?lesson=exercises-layout&at=no-padding-at-all');
      const panel = panelOf(page);
      const field = panel.getByRole('textbox', { name: 'Your answer' });
      await expect(field).toHaveValue(/^struct packed \{\n\t__u8 state;/);
      await button(panel, 'Check').click();
      await expect(feedback(page, 'wrong')).toContainText(
        'started is at byte 8; it must be at byte 1.',
      );
      await expect(button(panel, 'Start again')).toBeDisabled();
      await field.press('Control+End');
      await page.keyboard.type(' int');
      await button(panel, 'Check').click();
      await expect(feedback(page, 'wrong')).toContainText('Line 7, column 5: ');
      await button(panel, 'Start again').click();
      await expect(field).toHaveValue(/\};\n?$/);
      await button(panel, 'Hint').click();
      await expect(panel.getByText('An attribute after the closing brace')).toBeVisible();
      const start = await field.inputValue();
      await field.fill(start.replace('};', '} __attribute__((packed));'));
      await button(panel, 'Check').click();
      await expect(feedback(page, 'right')).toContainText(
        'Every member of struct packed is where it must be.',
      );
      const wider = await page.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      );
      expect(wider).toBe(0);
      await expectAccessible(page, `an exercise, ${width}`);
      await page.reload();
      await expect(feedback(page, 'right')).toBeVisible();
      await expect(field).toHaveValue(/packed\)\);/);
      app.expectQuiet();
    },
  );
}

test('a value is worked out on the target', { tag: '@long' }, async ({ page }) => {
  const app = await openStep(page, '/?lesson=access-strings');
  const panel = panelOf(page);
  await button(panel, 'All steps').click();
  await page.getByRole('menuitem', { name: /Challenge/ }).click();
  await expect(stepTitle(page)).toHaveText(/^Challenge/);
  const field = panel.getByRole('textbox', { name: 'Your answer' });
  await field.fill('1000000');
  await field.press('Enter');
  await expect(feedback(page, 'wrong')).toContainText('too large');
  for (const wrong of ['1000001', '1000002']) {
    await field.fill(wrong);
    await field.press('Enter');
    await expect(feedback(page, 'wrong')).toContainText(wrong);
  }
  await button(panel, 'Show me').click();
  await expect(field).toHaveValue(/^(?!1000002$)\d+$/);
  await field.press('Enter');
  await expect(feedback(page, 'right')).toBeVisible();
  app.expectQuiet();
});

test('the keyboard alone chooses answers', async ({ page }) => {
  const app = await openStep(page, '/?lesson=btf-header');
  const panel = panelOf(page);
  await expect(stepTitle(page)).toHaveText('Two bytes to know it by');
  const right = panel.getByRole('radio', { name: /^The byte order/ });
  const other = panel.getByRole('radio', { name: /^How many types/ });
  await other.focus();
  await page.keyboard.press('Space');
  await expect(feedback(page, 'wrong')).toContainText('No field holds that number.');
  // Arrow keys select the next radio button; after the last button they select the first.
  for (let i = 0; i < 4 && !(await right.isChecked()); i++) {
    await page.keyboard.press('ArrowDown');
  }
  await expect(right).toBeChecked();
  await expect(feedback(page, 'right')).toContainText('little-endian');
  await page.keyboard.press('Tab');
  // The key ] goes to the next step even if the focus is outside the lesson.
  await page.keyboard.press(']');
  await expect(stepTitle(page)).toHaveText('Version and flags');
  await expect(byte(page, 0)).toHaveAttribute('aria-selected', 'true');
  await page.getByRole('grid', { name: 'Bytes' }).focus();
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowRight');
  await expect(feedback(page, 'right')).toContainText('That is version');
  await page.keyboard.press(']');
  await page.keyboard.press(']');
  await expect(stepTitle(page)).toHaveText('Where the types end');
  await panel.getByRole('textbox', { name: 'Your answer' }).focus();
  await page.keyboard.type('2272');
  await page.keyboard.press('Enter');
  await expect(feedback(page, 'right')).toBeVisible();
  await button(panel, 'Previous step').focus();
  await page.keyboard.press('Enter');
  await expect(stepTitle(page)).toHaveText('The header measures itself');
  await button(panel, 'Close lesson').focus();
  await page.keyboard.press('Enter');
  await expect(panel).toHaveCount(0);
  app.expectQuiet();
});

test('a learner who leaves the step’s place can return, also after a reload', {
  tag: '@long',
}, async ({ page }) => {
  const app = await openStep(page, '/?lesson=btf-header&at=where-the-types-end');
  const panel = panelOf(page);
  const field = panel.getByRole('textbox', { name: 'Your answer' });
  await field.fill('2272');
  await field.press('Enter');
  await expect(feedback(page, 'right')).toBeVisible();
  await app.show('Graph');
  await expect(button(panel, 'Back to the step')).toBeVisible();
  await page.reload();
  await expect(app.tab('Graph')).toHaveAttribute('aria-selected', 'true');
  await expect(stepTitle(page)).toHaveText('Where the types end');
  await expect(field).toHaveValue('2272');
  await expect(feedback(page, 'right')).toBeVisible();
  await button(panel, 'Back to the step').click();
  await expect(byte(page, 12)).toHaveAttribute('aria-selected', 'true');
  await expect(button(panel, 'Back to the step')).toHaveCount(0);
  await button(panel, 'Next step').click();
  await expect(stepTitle(page)).toHaveText('Where the names begin');
  await expect(button(panel, 'Back to the step')).toHaveCount(0);
  await button(panel, 'All steps').click();
  await expect(
    page.getByRole('menuitem', { name: /Answered: 4\. Where the types end/ }),
  ).toBeVisible();
  await page.keyboard.press('Escape');
  await button(page, 'btfscope: start page').click();
  await expect(panel).toHaveCount(0);
  await button(page, 'Continue: The BTF header and its strings, step 5').click();
  await expect(stepTitle(page)).toHaveText('Where the names begin');
  app.expectQuiet();
});

test('lessons are in the menu of the header, that of the last visit first', async ({ page }) => {
  const app = new AppPage(page);
  await app.open('/?lesson=btf-header&at=where-the-names-begin');
  await expect(stepTitle(page)).toHaveText('Where the names begin');
  for (const [item, title] of [
    ['2. What is in a BPF object', null],
    ['Continue: What is in a BPF object, step 1', null],
    ['3. The BTF header and its strings', 'Where the names begin'],
  ] as const) {
    await button(page, 'Lessons').click();
    await page.getByRole('menuitem', { name: item, exact: true }).click();
    if (title === null) await expect(panelOf(page)).toContainText('What is in a BPF object');
    else await expect(stepTitle(page)).toHaveText(title);
  }
  await button(page, 'Lessons').click();
  await expect(page.getByRole('menuitem').first()).toHaveText(/^Continue: The BTF header/);
  app.expectQuiet();
});

test('pins mark bytes, the structure and members, and are highlighted from the panel', {
  tag: '@long',
}, async ({ page }) => {
  // A width for three columns: bytes, structure and lesson.
  await page.setViewportSize({ width: 1920, height: 1000 });
  const app = await openStep(page, '/?lesson=btf-header&at=the-header-measures-itself');
  const panel = panelOf(page);
  await expect(byte(page, 4)).toHaveAttribute('aria-label', /^0x0004: 18, Pin 1: hdr_len: 24/);
  await expect(byte(page, 8)).toHaveAttribute('aria-label', /Pin 2: type_off: 0/);
  const tree = page.getByRole('tree', { name: 'Structure of the file' });
  await expect(tree.getByRole('treeitem', { name: /^hdr_len ?Pin 1/ })).toBeVisible();
  const pins = panel.getByRole('list', { name: 'Pins' }).getByRole('button');
  await pins.nth(1).hover();
  await expect(tree.locator('[data-lit]')).toHaveText('Pin 2');
  await pins.nth(0).focus();
  await expect(tree.locator('[data-lit]')).toHaveText('Pin 1');
  await pins.nth(1).click();
  await expect(byte(page, 8)).toHaveAttribute('aria-selected', 'true');
  await page.evaluate(() => location.assign('#/?lesson=bit-field-relocations'));
  const member = page.getByRole('grid', { name: 'Members' }).getByRole('row', { name: /^delta/ });
  await expect(member.getByTitle('Pin 1: 20 bits, from bit 64 on.')).toBeVisible();
  app.expectQuiet();
});

test('on a narrow screen the lesson is a sheet that folds', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  const app = await openStep(page, '/?lesson=btf-header&at=version-and-flags');
  const panel = panelOf(page);
  const heightOf = async () => (await panel.boundingBox())?.height ?? 0;
  await expect.poll(heightOf).toBeGreaterThan(250);
  await expect(byte(page, 0)).toBeInViewport();
  await button(panel, 'Collapse lesson').click();
  await expect(stepTitle(page)).toHaveCount(0);
  await expect.poll(heightOf).toBeLessThan(90);
  await byte(page, 2).click();
  await button(panel, 'Expand lesson').click();
  await expect(feedback(page, 'right')).toContainText('That is version');
  app.expectQuiet();
});

test('the panel is accessible', { tag: '@long' }, async ({ page }) => {
  const pins = panelOf(page).getByRole('list', { name: 'Pins' });
  await openStep(page, '/?lesson=bit-field-relocations');
  await expect(pins).toBeVisible();
  await expectAccessibleInEachLook(page, 'a click question about members');
  await page.evaluate(() => location.assign('#/?lesson=btf-header&at=version-and-flags'));
  await expect(byte(page, 4)).toHaveAttribute('aria-selected', 'true');
  await expect(pins).toBeVisible();
  await expectAccessibleInEachLook(page, 'a click question about bytes');
});

test('answers are accessible, and pins on bytes', { tag: '@long' }, async ({ page }) => {
  await openStep(page, '/?lesson=btf-header&at=version-and-flags');
  await expect(byte(page, 0)).toHaveAttribute('aria-selected', 'true');
  await byte(page, 4).click();
  await expect(feedback(page, 'wrong')).toBeVisible();
  await expectAccessible(page, 'a wrong answer');
  await page.evaluate(() => location.assign('#/?lesson=btf-header'));
  await panelOf(page)
    .getByRole('radio', { name: /^The byte order/ })
    .click();
  await expect(feedback(page, 'right')).toBeVisible();
  await page.emulateMedia({ colorScheme: 'dark' });
  await expectAccessible(page, 'a right choice, dark');
});

test('the list of lessons is accessible and shows the progress', { tag: '@long' }, async ({
  page,
}) => {
  const app = await openStep(page, '/?lesson=btf-header');
  await expect(byte(page, 0)).toBeVisible();
  await button(page, 'btfscope: start page').click();
  await expect(
    button(page, 'Lesson 3: The BTF header and its strings'),
  ).toHaveAccessibleDescription(/Begun\.$/);
  await expectAccessible(page, 'the start page with lessons');
  app.expectQuiet();
});

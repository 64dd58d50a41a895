/** Tests the workbench: C declarations become BTF while the user types, and every view shows it. */
import { readFileSync } from 'node:fs';
import { expect, type Page } from '@playwright/test';
import { AppPage } from './app-page.ts';
import { expectAccessible, LOOKS } from './expect-accessible.ts';
import { test } from './test.ts';

// With reduced motion, marks stay until the next change: no test depends on an animation.
test.use({ reducedMotion: 'reduce' });

const editor = (page: Page) => page.getByLabel('C declarations');
const records = (page: Page) => page.getByRole('listbox', { name: 'Records' });
const strings = (page: Page) => page.getByRole('listbox', { name: 'Strings by name_off' });
const bytes = (page: Page) => page.getByRole('grid', { name: 'Bytes of the BTF' });
const layout = (page: Page) => page.getByRole('group', { name: 'Layout to scale' });
const graph = (page: Page) => page.getByRole('group', { name: /^Graph: / });

async function openWorkbench(page: Page): Promise<AppPage> {
  const app = new AppPage(page);
  await app.open();
  await page.getByRole('button', { name: 'Open the workbench' }).click();
  await expect(records(page)).toContainText("STRUCT 'event' size=48 vlen=6");
  return app;
}

test('typing changes records, strings, bytes, layout and graph, and marks new parts', async ({
  page,
}) => {
  const app = await openWorkbench(page);
  await editor(page).fill('struct pair {\n\tu8 one;\n};\n');
  await expect(records(page)).toContainText("[1] STRUCT 'pair' size=1 vlen=1");
  await editor(page).fill('struct pair {\n\tu8 one;\n\tstruct pair *two;\n};\n');

  await expect(records(page)).toContainText("[1] STRUCT 'pair' size=16 vlen=2");
  const marked = records(page).locator('[data-change="new"]');
  await expect(marked.first()).toContainText("'two' type_id=");
  await expect(records(page).locator('[data-change="changed"]')).toContainText("STRUCT 'pair'");
  await expect(strings(page).locator('[data-change="new"]')).toHaveText('+0xatwo');
  await expect(layout(page)).toContainText('7-byte hole');
  await expect(layout(page).locator('[data-change="new"]')).toContainText('two');
  await expect(graph(page).locator('[data-change="changed"]')).toContainText('pair');
  await expect(
    bytes(page)
      .getByRole('gridcell', { name: /: 10, changed/ })
      .first(),
  ).toBeVisible();
  await expect(page.getByText('1 new · 1 changed')).toBeVisible();
  app.expectQuiet();
});

test.describe('with motion', () => {
  test.use({ reducedMotion: 'no-preference' });

  test('the marks of a change disappear', { tag: '@long' }, async ({ page }) => {
    await openWorkbench(page);
    // An observer, because marks may appear and disappear between two assertions.
    await page.evaluate(() => {
      new MutationObserver(() => {
        if (document.querySelector('[data-change]')) document.body.dataset.glowed = 'yes';
      }).observe(document.body, {
        subtree: true,
        childList: true,
        attributeFilter: ['data-change'],
      });
    });
    await editor(page).fill('struct pair { u8 one; };');
    await expect(page.locator('body')).toHaveAttribute('data-glowed', 'yes');
    await expect(page.locator('[data-change]')).toHaveCount(0);
  });
});

test('a selection is shown in every part, and the caret selects', async ({ page }) => {
  await openWorkbench(page);
  await records(page).getByText("'tgid'").click();
  await expect(page).toHaveURL(/#\/workbench\?file=c1:[\w-]+&type=struct:event&member=tgid$/);
  await expect(strings(page).locator('[aria-selected="true"]')).toContainText('tgid');
  await expect(layout(page).locator('[data-selected="true"]')).toContainText('tgid');
  await expect(graph(page).locator('[data-selected="true"]')).toContainText('event');
  await expect(bytes(page).locator('td[aria-selected="true"]')).toHaveCount(12);

  await strings(page).getByText('comm', { exact: true }).hover();
  await expect(records(page).locator('[data-pointed="true"]')).toContainText("'comm'");

  await editor(page).focus();
  await page.keyboard.press('Control+Home');
  await expect(records(page).locator('[aria-selected="true"]')).toContainText("ENUM 'event_kind'");
});

test('a text with an error keeps the last good state and shows the place of the error', async ({
  page,
}) => {
  const app = await openWorkbench(page);
  const text = await editor(page).inputValue();
  await editor(page).fill(
    `${text.replace('u32 pid;', 'u32 pid : 40;')}\nstruct next { foo x; };\n`,
  );
  const problems = page.locator('#workbench-problems');
  await expect(problems).toContainText('2 problems');
  await expect(problems).toContainText('line 9, column 12this type has 32 bits');
  await expect(page.getByText('From the last text without errors')).toBeVisible();
  await expect(records(page)).toContainText("STRUCT 'event' size=48 vlen=6");
  await expect(page.getByRole('status')).toContainText('2 problems in the declarations');
  await problems.getByRole('button', { name: 'foo is not a known type' }).click();
  await expect(editor(page)).toBeFocused();
  const marked = await editor(page).evaluate((field: HTMLTextAreaElement) =>
    field.value.slice(field.selectionStart, field.selectionEnd),
  );
  expect(marked).toBe('foo');
  // The Tab key leaves the editor.
  await page.keyboard.press('Tab');
  await expect(editor(page)).not.toBeFocused();
  app.expectQuiet();
});

test('a link carries the text, and a reload and a later visit bring it back', {
  tag: '@long',
}, async ({ page }) => {
  await openWorkbench(page);
  const text = 'struct mine {\n\tint a;\n\tlong b;\n};\n';
  await page.getByRole('radio', { name: 'Big-endian' }).check({ force: true });
  await editor(page).fill(text);
  await expect(page).toHaveURL(/file=c1:be\./);
  await records(page).getByText("'b'").click();
  await page.getByRole('tab', { name: /^Types/ }).click();
  await expect(page).toHaveURL(/#\/types\?file=c1:be\.[\w-]+&type=struct:mine&member=b$/);
  const link = page.url();

  // Clears the storage: the link alone must restore text and byte order.
  await page.evaluate(() => localStorage.clear());
  await page.goto('about:blank');
  await page.goto(link);
  await expect(page.getByRole('grid', { name: 'Members' })).toContainText('b');
  await page.getByRole('tab', { name: 'Workbench' }).click();
  await expect(editor(page)).toHaveValue(text);
  await expect(page.getByRole('radio', { name: 'Big-endian' })).toBeChecked();

  // Without the link, a later visit restores the edited text.
  await editor(page).fill(`${text}int kept;\n`);
  await expect(page.getByRole('status')).toContainText('Compiled to');
  await page.goto('about:blank');
  const app = new AppPage(page);
  await app.open();
  await page.getByRole('button', { name: 'Open the workbench' }).click();
  await expect(editor(page)).toHaveValue(`${text}int kept;\n`);
});

test('Back returns to the previous view and keeps the text', async ({ page }) => {
  await openWorkbench(page);
  await page.getByRole('tab', { name: /^Types/ }).click();
  await expect(page).toHaveURL(/#\/types/);
  await page.getByRole('tab', { name: 'Workbench' }).click();
  await editor(page).fill('struct later { int a; };');
  await expect(page.getByRole('status')).toContainText('Compiled to 2 types');
  await page.goBack();
  await expect(page).toHaveURL(/#\/types/);
  await page.goForward();
  await expect(editor(page)).toHaveValue('struct later { int a; };');
});

test('the other views show the typed declarations', { tag: '@long' }, async ({ page }) => {
  const app = await openWorkbench(page);
  await editor(page).fill('struct other { u64 first; u8 last; };');
  await expect(records(page)).toContainText("STRUCT 'other'");
  await records(page).getByText("STRUCT 'other'").click();
  for (const [tab, seen] of [
    ['Types', 'last'],
    ['Graph', 'other'],
    ['Text', 'struct other {'],
    ['Check', 'accepts this BTF'],
    ['Bytes', '0x0000'],
  ] as const) {
    await app.show(tab);
    await expect(page.getByRole('tabpanel')).toContainText(seen, { ignoreCase: true });
  }
  app.expectQuiet();
});

test('the file can be downloaded, and equals the shown BTF', { tag: '@long' }, async ({ page }) => {
  const app = await openWorkbench(page);
  const waiting = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Export .btf' }).click();
  const download = await waiting;
  expect(download.suggestedFilename()).toBe('workbench.btf');
  const blob = readFileSync(await download.path());
  await app.dropFile({ name: 'taken.btf', buffer: blob });
  expect(await app.opened()).toMatchObject({ name: 'taken.btf', types: 14 });
  // The workbench does not exist for a file from disk.
  await expect(page.getByRole('tab', { name: 'Workbench' })).toHaveCount(0);
});

test('an example of the menu replaces the text', async ({ page }) => {
  await openWorkbench(page);
  await page.getByRole('button', { name: 'Examples' }).click();
  await page.getByRole('menuitem', { name: /enum64/ }).click();
  await expect(records(page)).toContainText("ENUM64 'flags'");
  await expect(editor(page)).toHaveValue(/FLAG_FAR = 1ULL << 40/);
});

test('the palette opens the workbench', async ({ page }) => {
  const app = new AppPage(page);
  await app.open();
  await page.keyboard.press('Control+k');
  await expect(page.getByRole('dialog').getByRole('combobox')).toBeFocused();
  await page.keyboard.type('>workbench');
  await page.getByText('Open the workbench').last().click();
  await expect(editor(page)).toBeVisible();
});

for (const { name, ...look } of LOOKS) {
  test.describe(name, () => {
    test.use(look);

    test('is accessible, with marks of a change and an error', { tag: '@long' }, async ({
      page,
    }) => {
      await openWorkbench(page);
      await editor(page).fill('struct s { int a; };');
      await expect(records(page)).toContainText("STRUCT 's'");
      await editor(page).fill('struct s { int a; int b; };');
      await expect(records(page).locator('[data-change]').first()).toBeVisible();
      await editor(page).fill('struct s { int a; foo b; };');
      await expect(page.locator('#workbench-problems')).toContainText('1 problem');
      if (look.viewport.width < 720) await page.getByText('Layout', { exact: true }).click();
      await expect(layout(page)).toContainText('int');
      await expectAccessible(page, 'workbench');
    });
  });
}

test('a long line scrolls in the editor on a narrow page', { tag: '@long' }, async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  const app = await openWorkbench(page);
  await editor(page).fill(`struct ${'long_'.repeat(40)} { int a; };\n`);
  await expect(records(page)).toContainText('long_long_');
  const note = page.getByText('Compiled as clang does for BPF');
  await expect(note).toBeVisible();
  expect((await note.boundingBox())?.width).toBeLessThanOrEqual(390);
  app.expectQuiet();
});

test('local headers are files beside the program, and links carry them', async ({ page }) => {
  const app = await openWorkbench(page);
  await editor(page).fill('#include "maps.h"\nstruct outer { struct inner in; };\n');
  await expect(page.getByText('maps.h is not included here')).toBeVisible();
  const files = page.getByRole('radiogroup', { name: 'File' });
  await expect(files).toBeHidden();
  await page
    .getByLabel('Add files to the workbench')
    .setInputFiles([
      { name: 'maps.h', mimeType: 'text/plain', buffer: Buffer.from('struct inner { u32 a; };\n') },
    ]);
  await expect(records(page)).toContainText("STRUCT 'inner' size=4 vlen=1");
  await expect(editor(page)).toHaveValue('struct inner { u32 a; };\n');
  await editor(page).fill('struct inner { u32 a; nothing b; };\n');
  await expect(page.getByText('maps.h, line 1, column 23')).toBeVisible();
  await editor(page).fill('struct inner { u32 a; u32 b; };\n');
  await expect(records(page)).toContainText("STRUCT 'inner' size=8 vlen=2");
  await files.getByText('Program').click();
  await expect(editor(page)).toHaveValue(/^#include "maps.h"/);
  // The address has the new text once typing has rested.
  await expect(page.getByText(/^Compiled to \d+ types/)).toBeVisible();
  await expect(page).toHaveURL(/file=c1:f\./);
  await page.reload();
  await expect(records(page)).toContainText("STRUCT 'inner' size=8 vlen=2");
  await expect(files.getByText('maps.h')).toBeVisible();
  app.expectQuiet();
});

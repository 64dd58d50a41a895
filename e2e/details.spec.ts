/** Tests a member's menu, notes, table settings, settings and scrolling. */
import { fileURLToPath } from 'node:url';
import { expect, type Page } from '@playwright/test';
import { AppPage } from './app-page.ts';
import { expectAccessible } from './expect-accessible.ts';
import { openExample, test as reading } from './one-page.ts';
import { test } from './test.ts';

const sample = (name: string) =>
  fileURLToPath(new URL(`../public/samples/${name}`, import.meta.url));

async function openFiles(page: Page, ...names: readonly string[]): Promise<AppPage> {
  const app = new AppPage(page);
  await app.open();
  for (const name of names) {
    await app.chooseFile(sample(name));
    await app.opened();
  }
  return app;
}

const tab = (page: Page, name: RegExp) => page.getByRole('tab', { name }).click();

async function showType(page: Page, name: string): Promise<void> {
  await tab(page, /Types/);
  await page.getByRole('searchbox', { name: 'Filter types' }).fill(name);
  const first = page.getByRole('listbox', { name: 'Types' }).getByRole('option').first();
  // The list of an earlier text would take the click.
  await expect(first).toContainText(name.split(' ').at(-1) ?? name);
  await first.click();
}

test('a right click on a member selects it and offers texts to copy', async ({ page }) => {
  const app = await openFiles(page, 'kernel.btf');
  await showType(page, 'struct task_struct');
  const members = page.getByRole('grid', { name: 'Members' });
  await members.getByRole('row').filter({ hasText: 'pid' }).first().click({ button: 'right' });
  const menu = page.getByRole('menu');
  await expect(menu.getByRole('menuitem', { name: /^Path: task_struct\.pid/ })).toBeVisible();
  await expect(menu.getByRole('menuitem', { name: /BPF_CORE_READ\(p, pid\)/ })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page).toHaveURL(/task_struct/);
  // Opens the menu in the layout with the keyboard.
  await page
    .getByRole('radio', { name: 'Layout' })
    .or(page.getByText('Layout', { exact: true }))
    .first()
    .click();
  await page.keyboard.press('c');
  await expect(page.getByRole('menuitem', { name: /^Offset: 0x/ })).toBeVisible();
  await page.keyboard.press('Escape');
  app.expectQuiet();
});

test('a member in the graph and of a CO-RE record has the same menu, by key and by right click', {
  tag: '@long',
}, async ({ page }) => {
  const app = await openFiles(page, 'exec_trace.bpf.o');
  await showType(page, 'struct task_struct');
  await app.show('Graph');
  await page.locator('[data-type] rect[data-row="1"]').first().click();
  await expect(page).toHaveURL(/&member=/);
  await page.keyboard.press('c');
  const menu = page.getByRole('menu');
  await expect(menu.getByRole('menuitem', { name: /^Path: task_struct\./ })).toBeVisible();
  await expect(menu.getByRole('menuitem', { name: /^Read: BPF_CORE_READ/ })).toBeVisible();
  await page.keyboard.press('Escape');
  await page.locator('[data-type] rect[data-row="0"]').first().click({ button: 'right' });
  await expect(menu.getByRole('menuitem', { name: /^Path: task_struct\./ })).toBeVisible();
  await page.keyboard.press('Escape');
  await app.show('CO-RE');
  const records = page.getByRole('grid', { name: 'CO-RE relocations' });
  await records.getByRole('row').filter({ hasText: 'byte_off' }).first().click();
  await page.keyboard.press('c');
  await expect(menu.getByRole('menuitem', { name: /^Offset: 0x/ })).toBeVisible();
  await menu.getByRole('menuitem', { name: /^Highlight uses of/ }).click();
  await expect(page.getByRole('region', { name: 'Highlighted uses' })).toBeVisible();
  await expectAccessible(page, 'highlighted uses, and a cell that can be copied');
  // Copy buttons are in the active cell and in the heading of a type.
  await expect(records.getByRole('button', { name: /^Copy / })).toHaveCount(1);
  await app.show('Types');
  await expect(page.getByRole('button', { name: 'Copy name' }).first()).toBeAttached();
  app.expectQuiet();
});

test('the uses of a type are highlighted in each view, until Escape', { tag: '@long' }, async ({
  page,
}) => {
  const app = await openFiles(page, 'exec_trace.bpf.o');
  await showType(page, 'struct task_struct');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Highlight uses' }).click();
  const bar = page.getByRole('region', { name: 'Highlighted uses' });
  await expect(bar).toContainText(/task_struct: \d+ types?, [1-9]\d* references?, [1-9]\d* CO-RE/);
  await expect(page.getByRole('option', { selected: true }).locator('.in-use')).toBeVisible();
  // The declaration of task_struct names the type twice: in the first line, and as a pointer's
  // target.
  const declaration = page.getByRole('group', { name: 'C declaration' });
  await expect(declaration.locator('.in-use')).toHaveText([
    'struct task_struct',
    'struct task_struct',
  ]);
  await app.show('CO-RE');
  await expect(page.getByRole('grid').locator('.in-use').first()).toBeVisible();
  await app.show('Code');
  await expect(page.getByRole('grid').locator('.in-use').first()).toBeVisible();
  await app.show('Graph');
  await expect(page.locator('[data-type][data-lit="use"]').first()).toBeVisible();
  await app.show('Bytes');
  await expect(page.locator('[title*="record of task_struct"]').first()).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(bar).toBeHidden();
  await page.keyboard.press('h');
  await expect(bar).toBeVisible();
  app.expectQuiet();
});

test('a note is pinned, edited and removed by keys, kept, and carried by a link', {
  tag: '@long',
}, async ({ page }) => {
  const app = await openFiles(page, 'exec_trace.bpf.o');
  await showType(page, 'struct task_struct');
  await page.getByRole('grid', { name: 'Members' }).getByRole('row').nth(1).click();
  await page.keyboard.press('m');
  const dialog = page.getByRole('dialog', { name: 'Notes' });
  await expect(dialog.getByRole('textbox', { name: /^Note on task_struct\./ })).toBeFocused();
  await page.keyboard.type('<b>first</b>, ~ & %41');
  await page.keyboard.press('Enter');
  const list = dialog.getByRole('list', { name: 'Notes on this file' });
  await expect(list.getByText('<b>first</b>, ~ & %41', { exact: true })).toBeVisible();
  await expectAccessible(page, 'notes');
  await dialog.getByRole('button', { name: 'Edit note 1' }).press('Enter');
  await page.keyboard.type(' again');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Escape');
  const mark = page.getByRole('grid', { name: 'Members' }).getByText('Note 1: ');
  await expect(mark).toHaveText('Note 1: <b>first</b>, ~ & %41 again');

  await page.getByRole('button', { name: 'Copy link' }).first().click();
  const copy = page.getByRole('dialog', { name: 'Copy link' });
  await copy.getByRole('radio', { name: /^Reference/ }).check();
  await expect(copy.getByRole('checkbox', { name: 'Include 1 note on this file' })).toBeChecked();
  const link = await copy.getByRole('textbox', { name: 'Link', exact: true }).inputValue();
  expect(link).toContain('&notes=');
  await page.keyboard.press('Escape');

  // The page stores notes by the hash of the file.
  await page.reload();
  await expect(mark).toBeAttached();
  await page.keyboard.press('m');
  await dialog.getByRole('button', { name: 'Remove note 1' }).press('Enter');
  await expect(list).toBeHidden();
  await page.keyboard.press('Escape');
  await expect(mark).toBeHidden();

  await page.goto('about:blank');
  await page.goto(link);
  await expect(page.getByText(/The link added 1 note to this file/)).toBeVisible();
  await expect(mark).toBeAttached();
  // All places that show the type or the member show the note.
  await expect(
    page.getByRole('option', { name: /task_struct.*Note 1: / }).getByText('n1'),
  ).toBeVisible();
  await app.show('Graph');
  await expect(page.getByRole('option', { name: /^STRUCT task_struct,.*Note 1: / })).toBeVisible();
  await app.show('CO-RE');
  await page.getByRole('searchbox', { name: 'Filter CO-RE relocations' }).fill('__state');
  await expect(
    page.getByRole('grid', { name: 'CO-RE relocations' }).getByText('Note 1: ').first(),
  ).toBeAttached();
  app.expectQuiet();
});

reading('the table of members has its full height: only the page scrolls', async ({ page }) => {
  const app = await openExample(page, 'kernel.btf');
  await showType(page, 'struct task_struct');
  const members = page.getByRole('grid', { name: 'Members' });
  const [own, all] = await members.evaluate((grid) => [grid.clientHeight, grid.scrollHeight]);
  expect(own).toBe(all);
  await members.getByRole('gridcell').first().click();
  await page.keyboard.press('End');
  await expect(members.locator('tr[aria-selected="true"]')).toBeInViewport();
  // The header row stays visible while the table scrolls.
  const count = Number(await members.getAttribute('aria-rowcount'));
  if (count > 40) await expect(members.getByRole('columnheader').first()).toBeInViewport();
  app.expectQuiet();
});

test('on a narrow screen the type of a member is below its name, and neither is cut', async ({
  page,
}) => {
  await page.setViewportSize({ width: 390, height: 844 });
  const app = new AppPage(page);
  await app.open('/types?file=sample:kernel.btf&type=struct:task_struct&member=real_parent');
  const row = page.getByRole('grid', { name: 'Members' }).getByRole('row', { selected: true });
  await expect(row.getByRole('button', { name: 'Copy member', exact: true })).toBeVisible();
  const name = row.getByText('real_parent', { exact: true });
  const type = row.getByText('struct task_struct *', { exact: true });
  const [nameBox, typeBox] = [await name.boundingBox(), await type.boundingBox()];
  expect(typeBox?.y).toBeGreaterThanOrEqual((nameBox?.y ?? 0) + (nameBox?.height ?? 0));
  const cut = await row.evaluate((shown) =>
    [...shown.querySelectorAll('.clip, .ellipsis')]
      .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)
      .map(({ textContent }) => textContent),
  );
  expect(cut).toEqual([]);
  app.expectQuiet();
});

test('a table keeps its columns, their width and their order', { tag: '@long' }, async ({
  page,
}) => {
  const app = await openFiles(page, 'exec_trace.bpf.o');
  await tab(page, /CO-RE/);
  const table = page.getByRole('grid', { name: 'CO-RE relocations' });
  await page.getByRole('button', { name: 'Columns of CO-RE relocations' }).click();
  await page.getByRole('menuitem', { name: 'Access' }).click();
  await expect(table.getByRole('columnheader', { name: 'Access' })).toHaveCount(0);
  const insn = table.getByRole('columnheader', { name: 'Insn' });
  const before = (await insn.boundingBox())?.width ?? 0;
  const edge = (await insn.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
  await page.mouse.move(edge.x + edge.width - 3, edge.y + 10);
  await page.mouse.down();
  await page.mouse.move(edge.x + edge.width + 57, edge.y + 10, { steps: 4 });
  await page.mouse.up();
  await expect
    .poll(async () => (await insn.boundingBox())?.width ?? 0)
    .toBeGreaterThan(before + 40);
  await page.reload();
  await expect(table.getByRole('columnheader', { name: 'Insn' })).toBeVisible();
  await expect(table.getByRole('columnheader', { name: 'Access' })).toHaveCount(0);
  expect((await insn.boundingBox())?.width ?? 0).toBeGreaterThan(before + 40);
  app.expectQuiet();
});

test('every header sorts', { tag: '@long' }, async ({ page }) => {
  const app = await openFiles(page, 'exec_trace.bpf.o');
  await tab(page, /Relocations/);
  const table = page.getByRole('grid', { name: 'Relocations' });
  const offset = table.getByRole('columnheader', { name: 'Offset' });
  await offset.getByRole('button').click();
  await offset.getByRole('button').click();
  await expect(offset).toHaveAttribute('aria-sort', 'descending');
  const at = (await offset.getAttribute('aria-colindex')) ?? '1';
  const texts = await table.locator(`td[aria-colindex="${at}"]`).allTextContents();
  const numbers = texts.map(Number);
  expect(numbers.length).toBeGreaterThan(2);
  expect(numbers).toEqual(numbers.toSorted((a, b) => b - a));
  app.expectQuiet();
});

test('the prefix all: searches all open files, and a result opens its file', {
  tag: '@long',
}, async ({ page }) => {
  const app = await openFiles(page, 'exec_trace.bpf.o', 'kernel.btf');
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: 'Find anything' }).fill('all: struct task_struct');
  const found = page.getByRole('listbox', { name: 'Found' }).getByRole('option');
  await expect(found.filter({ hasText: 'exec_trace.bpf.o' }).first()).toBeVisible();
  await expect(found.filter({ hasText: 'kernel.btf' }).first()).toBeVisible();
  await found.filter({ hasText: 'exec_trace.bpf.o' }).first().click();
  await expect(page.getByRole('heading', { name: 'task_struct' })).toBeVisible();
  await expect(page).toHaveURL(/exec_trace/);
  // The filter of Types can search all files too; results are grouped by file.
  await page.getByRole('checkbox', { name: 'In all 2 open files' }).check();
  await page.getByRole('searchbox', { name: 'Filter types' }).fill('member-type:list_head');
  const rows = page.getByRole('listbox', { name: 'Types of all open files' }).getByRole('option');
  await expect(rows.first()).toHaveAccessibleName(/^kernel\.btf: \d+ types?$/);
  await rows.nth(1).click();
  await expect(page).toHaveURL(/kernel\.btf.*&type=struct:/);
  await expect(rows.nth(1)).toHaveAttribute('aria-selected', 'true');
  app.expectQuiet();
});

test('a search in the graph moves between types, and hovering a type dims unrelated types', {
  tag: '@long',
}, async ({ page }) => {
  const app = await openFiles(page, 'kernel.btf');
  await showType(page, 'struct task_struct');
  await tab(page, /Graph/);
  const search = page.getByRole('searchbox', { name: 'Find in the graph' });
  await page.keyboard.press('/');
  await expect(search).toBeFocused();
  await search.fill('mm_struct');
  await page.keyboard.press('Enter');
  const box = page.getByRole('option', { name: /STRUCT mm_struct,/ });
  await expect(box).toHaveAttribute('aria-selected', 'true');
  // Fit also works after dragging and zooming.
  await page.getByRole('button', { name: 'Fit', exact: true }).click();
  await page.mouse.move(700, 450);
  for (let i = 0; i < 4; i++) await page.mouse.wheel(0, -400);
  await search.fill('task_struct');
  await page.keyboard.press('Enter');
  await search.fill('mm_struct');
  await page.keyboard.press('Enter');
  await expect(box).toBeInViewport();
  await box.hover();
  await expect(box).toHaveAttribute('data-dim', 'false');
  await expect(page.locator('g[data-dim="true"][role="option"]').first()).toBeAttached();
  await page.getByRole('searchbox', { name: 'Find in the graph' }).hover();
  await expect(page.locator('g[data-dim="true"]')).toHaveCount(0);
  app.expectQuiet();
});

reading('code draws its jumps, and goes to an instruction by its number', async ({ page }) => {
  const app = await openExample(page, 'exec_trace.bpf.o');
  await tab(page, /Code/);
  const table = page.getByRole('grid', { name: 'Instructions' });
  await expect(table).toBeVisible();
  await page.keyboard.press('g');
  await expect(page.getByRole('textbox', { name: 'Go to instruction' })).toBeFocused();
  await page.keyboard.type('9');
  await page.keyboard.press('Enter');
  const row = table.locator('tr[aria-selected="true"]');
  await expect(row).toContainText('goto');
  // The jump's row has only the line of the arrow; its head is in the row of the target.
  await expect(row.locator('svg:not(button svg) path')).toHaveCount(1);
  app.expectQuiet();
});

test('help is in one place: keys, queries and the glossary', { tag: '@long' }, async ({ page }) => {
  const app = await openFiles(page, 'kinds.btf');
  await page.getByRole('button', { name: 'Help' }).click();
  const help = page.getByRole('dialog');
  await expect(help.getByRole('heading', { name: 'Everywhere' })).toBeVisible();
  await help.getByRole('radiogroup', { name: 'Help' }).getByText('Queries').click();
  await expect(help.getByText('member-type:spinlock_t', { exact: true })).toBeVisible();
  await help.getByRole('radiogroup', { name: 'Help' }).getByText('Glossary').click();
  await expect(help.getByRole('searchbox', { name: 'Search the glossary' })).toBeVisible();
  await expect(help.getByRole('article').first()).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(help).toBeHidden();
  app.expectQuiet();
});

test('an explained log has its root cause on top', { tag: '@long' }, async ({ page }) => {
  const app = await openFiles(page, 'exec_trace.bpf.o');
  await tab(page, /CO-RE/);
  await page.getByText('Explain a log', { exact: true }).click();
  await page
    .getByRole('textbox', { name: 'Log' })
    .fill(
      [
        'libbpf: loading object from exec_trace.bpf.o',
        "libbpf: map 'sessions': failed to create: -EPERM",
        "libbpf: failed to load object 'exec_trace.bpf.o'",
      ].join('\n'),
    );
  await page.getByRole('button', { name: 'Explain log' }).click();
  await expect(page.getByText(/Root cause: The kernel did not create map sessions/)).toBeVisible();
  await page.getByRole('button', { name: 'Show line 2' }).click();
  await expect(page.getByRole('heading', { name: 'Line 2' })).toBeVisible();
  app.expectQuiet();
});

reading('a search in Bytes shows the number of matches', async ({ page }) => {
  const app = await openExample(page, 'kinds.btf');
  await tab(page, /Bytes/);
  await expect(page.getByRole('grid', { name: 'Bytes' })).toBeVisible();
  await page.keyboard.press('f');
  await expect(page.getByRole('textbox', { name: 'Bytes to find' })).toBeFocused();
  await page.keyboard.type('9f eb');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('search')).toContainText('Found at 0x0: 1 of 1');
  await expect(page.getByRole('list', { name: 'Colour legend' })).toContainText('Type id');
  app.expectQuiet();
});

test('opening two files together offers to compare them', { tag: '@long' }, async ({ page }) => {
  const app = new AppPage(page);
  await app.open();
  await app.fileInput.setInputFiles([sample('kinds.btf'), sample('kernel.btf')]);
  await page.getByRole('button', { name: 'Compare', exact: true }).click();
  await expect(page).toHaveURL(/#\/compare\?/);
  await expect(page.getByRole('button', { name: /^Before/ })).toBeVisible();
  await expect(page.getByRole('button', { name: /^After/ })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Compare', exact: true })).toHaveCount(0);
  app.expectQuiet();
});

test('settings are in one place, and stay after a reload', async ({ page }) => {
  const app = await openFiles(page, 'exec_trace.bpf.o');
  const choose = async (name: string) => {
    await page.getByRole('button', { name: 'Settings' }).click();
    await page.getByRole('menuitem', { name }).click();
  };
  await choose('Offsets and numbers in code: decimal');
  await tab(page, /Code/);
  const text = page.getByRole('grid', { name: 'Instructions' });
  await expect(text.getByRole('row').filter({ hasText: '(r1 + 16)' }).first()).toBeVisible();
  await choose('Bytes per row: 8');
  await choose('Theme: dark');
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
  await tab(page, /Bytes/);
  await page.reload();
  await expect(page.getByRole('columnheader', { name: '07' })).toBeVisible();
  await expect(page.getByRole('columnheader', { name: '08' })).toHaveCount(0);
  // The details of the selected byte are visible, too.
  await expect(page.getByRole('heading', { name: /^Byte \d+$/ })).toBeVisible();
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
  app.expectQuiet();
});

test('the order of the types is kept for all files, and after a reload', async ({ page }) => {
  const app = await openFiles(page, 'exec_trace.bpf.o');
  await app.show('Types');
  const order = page.getByRole('radiogroup', { name: 'Order' });
  await order.getByText('Size', { exact: true }).click();
  const first = page.getByRole('listbox', { name: 'Types' }).getByRole('option').first();
  await expect(first).toContainText('int [262144]');
  await page.reload();
  await expect(order.getByRole('radio', { name: 'Size' })).toBeChecked();
  await expect(first).toContainText('int [262144]');
  app.expectQuiet();
});

reading('a header is shown from the declaration of its own type on', async ({ page }) => {
  const app = await openExample(page, 'exec_trace.bpf.o');
  await showType(page, 'struct task_struct');
  await page.getByRole('radiogroup', { name: 'Form' }).getByText('Header').click();
  const header = page.getByRole('group', { name: 'Declaration as Header' });
  const own = header
    .locator('span')
    .filter({ hasText: /^struct task_struct \{/ })
    .first();
  await expect(header).toContainText(/^struct task_struct \{/);
  const whole = page.getByRole('button', { name: /^Show all \d+ lines$/ }).first();
  await whole.scrollIntoViewIfNeeded();
  const before = await own.boundingBox();
  await whole.click();
  await expect(header).toContainText('#ifndef');
  // The declaration stays where it is on the screen.
  await expect
    .poll(async () => Math.abs(((await own.boundingBox())?.y ?? 0) - (before?.y ?? 0)))
    .toBeLessThan(2);
  app.expectQuiet();
});

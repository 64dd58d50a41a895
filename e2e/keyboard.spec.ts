/** Tests keys that are typed while a view or the palette loads, and the focus after each key. */
import { fileURLToPath } from 'node:url';
import { expect, type Page } from '@playwright/test';
import { PAGE_KEYS } from '../src/app/keys.ts';
import type { KeyBinding } from '../src/ui/keys.tsx';
import { BYTES_KEYS } from '../src/views/bytes/keys.ts';
import { CODE_KEYS } from '../src/views/code/keys.ts';
import { COMPARE_KEYS } from '../src/views/compare/keys.ts';
import { GRAPH_KEYS } from '../src/views/graph/keys.ts';
import { MEMBER_KEYS } from '../src/views/parts/member-keys.ts';
import { GROUP_KEYS } from '../src/views/relocations/keys.ts';
import { TEXT_KEYS } from '../src/views/text/keys.ts';
import { AppPage } from './app-page.ts';
import { test } from './test.ts';

const sample = (name: string) =>
  fileURLToPath(new URL(`../public/samples/${name}`, import.meta.url));

/** Tab of each view, and the label of the view in a tab that has several views. */
const VIEWS: Readonly<Record<string, readonly [tab: string, choice?: string]>> = {
  overview: ['Overview'],
  types: ['Types', 'Types'],
  graph: ['Graph'],
  text: ['Types', 'Text'],
  query: ['Types', 'Query'],
  bytes: ['Bytes'],
  code: ['Code'],
  data: ['Data'],
  relocations: ['Relocations'],
  core: ['CO-RE'],
  check: ['Problems', 'Check'],
  issues: ['Problems', 'Issues'],
};

/** Returns the keys in the Keys dialog, named as in Playwright. */
function documentedKeys(): string[] {
  const tables = [
    PAGE_KEYS,
    MEMBER_KEYS,
    BYTES_KEYS,
    CODE_KEYS,
    TEXT_KEYS,
    GRAPH_KEYS,
    GROUP_KEYS,
    COMPARE_KEYS,
  ];
  const bound: readonly KeyBinding[] = tables.flat();
  const pressed = bound.flatMap(({ on, withCommand = false, withShift = false }) =>
    on.map((key) => `${withCommand ? 'Control+' : ''}${withShift ? 'Shift+' : ''}${key}`),
  );
  const lists = ['ArrowDown', 'ArrowUp', 'PageDown', 'PageUp', 'Home', 'End', 'Enter', 'Escape'];
  const columns = ['Shift+ArrowLeft', 'Shift+ArrowRight', 'Control+Enter'];
  return [...new Set([...lists, ...columns, ...pressed])];
}

/** Delays the script of the palette, or of a view. The returned function ends the delay. */
async function hold(page: Page, name: 'Palette' | 'GraphView'): Promise<() => void> {
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route(new RegExp(`/${name}-[^/]*\\.js$`), async (route) => {
    await released;
    await route.continue();
  });
  return release;
}

const field = (page: Page) => page.getByRole('combobox', { name: 'Find anything' });

/** Returns role and name of the element with the focus, or `body`. */
const focused = (page: Page) =>
  page.evaluate(() => {
    const at = document.activeElement;
    if (at === null || at === document.body) return 'body';
    return at.getAttribute('role') ?? at.tagName.toLowerCase();
  });

test('keys typed while the palette loads become its text', async ({ page }) => {
  const release = await hold(page, 'Palette');
  const app = new AppPage(page);
  await app.open();
  let choosers = 0;
  page.on('filechooser', () => {
    choosers++;
  });
  await page.keyboard.press('Control+k');
  await page.keyboard.type('opxx');
  await page.keyboard.press('Backspace');
  await page.keyboard.press('Backspace');
  await page.keyboard.type('en a');
  release();
  await expect(field(page)).toHaveValue('open a');
  await page.keyboard.type(' file');
  await expect(field(page)).toHaveValue('open a file');
  expect(choosers).toBe(0);
  app.expectQuiet();
});

test('Enter and Escape count too while the palette loads', { tag: '@long' }, async ({ page }) => {
  const release = await hold(page, 'Palette');
  const app = new AppPage(page);
  await app.open();
  await app.chooseFile(sample('kernel.btf'));
  await app.opened();
  await page.keyboard.press('Control+k');
  await page.keyboard.type('task_struct.pid');
  await page.keyboard.press('Enter');
  release();
  await expect(page).toHaveURL(/type=struct:task_struct&member=pid$/);
  await expect(page.getByRole('dialog')).toBeHidden();
  app.expectQuiet();
});

test('an element has the focus after every key', async ({ page }) => {
  const app = new AppPage(page);
  await app.open();
  await app.chooseFile(sample('doc_core.bpf.o'));
  await app.opened();
  for (const key of '1234567890') {
    await page.keyboard.press(key);
    await expect.poll(() => focused(page), `after ${key}`).toBe('tabpanel');
  }
  await page.keyboard.press('Control+k');
  await expect(field(page)).toBeFocused();
  await page.keyboard.press('Escape');
  await expect.poll(() => focused(page), 'after the palette').toBe('tabpanel');
  app.expectQuiet();
});

for (const place of [...Object.keys(VIEWS), 'types&beside=bytes', 'code&beside=core']) {
  test(`after each documented key an element has the focus: ${place}`, { tag: '@long' }, async ({
    page,
  }) => {
    test.setTimeout(300_000);
    page.on('filechooser', () => undefined);
    const app = new AppPage(page);
    const [view = '', ...beside] = place.split('&');
    const [tab = '', name] = VIEWS[view] ?? [];
    const choice = name === undefined ? undefined : { name, exact: true };
    const more = ['file=sample:exec_trace.bpf.o', 'type=struct:task_struct', ...beside];
    const hash = `#/${view}?${more.join('&')}`;
    await app.open(hash.slice(1));
    await app.opened();
    const lost: string[] = [];
    const press = async (key: string, where: string) => {
      await page.keyboard.press(key);
      // The focus may come late: dialogs fade out, and a busy machine draws a new view slowly.
      const isKept = page.waitForFunction(() => document.activeElement !== document.body, null, {
        timeout: 5000,
      });
      await isKept.catch(() => lost.push(`${key} ${where}`));
    };
    // Presses each key twice: with the focus on the view, and on the element that Tab reaches.
    for (const from of ['the view', 'what Tab reaches']) {
      for (const key of documentedKeys()) {
        // Waits until the view is shown and the dialog or menu of the previous key is gone. Tries
        // again, because a dialog that is still loading opens after Escape.
        await expect(async () => {
          const open = page.locator('[role="dialog"], [role="menu"]');
          if ((await open.count()) > 0) await page.keyboard.press('Escape');
          await page.evaluate((to) => {
            location.hash = to;
          }, hash);
          const shown = page.getByRole('tab', { name: tab, exact: true, selected: true });
          await expect(shown).toBeVisible({ timeout: 1000 });
          if (choice !== undefined) {
            await expect(page.getByRole('radio', choice).first()).toBeChecked({ timeout: 1000 });
          }
          await expect(page.locator('[data-pane="second"]')).toHaveCount(beside.length);
          await expect(page.locator('[data-loading]')).toHaveCount(0);
        }).toPass();
        await page.locator('main [role="tabpanel"]').first().focus();
        if (from !== 'the view') await page.keyboard.press('Tab');
        await press(key, `in ${from}`);
        await press('Escape', `in ${from} after ${key}`);
      }
    }
    expect(lost).toEqual([]);
    app.expectQuiet();
  });
}

test('/ pressed while a view loads focuses the filter of that view', async ({ page }) => {
  const release = await hold(page, 'GraphView');
  const app = new AppPage(page);
  await app.open('/graph?file=sample:kernel.btf&type=struct:task_struct');
  await expect(page.getByText('Loading Graph…')).toBeVisible();
  await page.keyboard.press('/');
  release();
  await expect(page.getByRole('searchbox', { name: 'Find in the graph' })).toBeFocused();
  await expect(page.getByRole('dialog')).toHaveCount(0);
  app.expectQuiet();
});

test('what is typed after Ctrl+K goes to the palette, also after / in a view that loads', async ({
  page,
}) => {
  const releaseView = await hold(page, 'GraphView');
  const releasePalette = await hold(page, 'Palette');
  const app = new AppPage(page);
  await app.open('/graph?file=sample:kernel.btf&type=struct:task_struct');
  await expect(page.getByText('Loading Graph…')).toBeVisible();
  await page.keyboard.press('/');
  await page.keyboard.type('filter');
  await page.keyboard.press('Control+k');
  await page.keyboard.type('open a');
  releasePalette();
  await expect(field(page)).toHaveValue('open a');
  releaseView();
  const find = page.getByRole('searchbox', { name: 'Find in the graph', includeHidden: true });
  await expect(find).toBeVisible();
  await expect(find).toHaveValue('');
  await expect(field(page)).toBeFocused();
  await page.keyboard.type(' file');
  await expect(field(page)).toHaveValue('open a file');
  app.expectQuiet();
});

test('f and / search the bytes, Escape returns the focus to them', async ({ page }) => {
  const app = new AppPage(page);
  await app.open();
  await app.chooseFile(sample('doc_core.bpf.o'));
  await app.opened();
  await page.keyboard.press('5');
  await expect(page.getByRole('grid', { name: 'Bytes' })).toBeVisible();
  const needle = page.getByRole('textbox', { name: 'Bytes to find' });
  for (const key of ['f', '/']) {
    await page.keyboard.press(key);
    await expect(needle).toBeFocused();
    await page.keyboard.press('Escape');
    await expect(needle).toBeHidden();
    await expect.poll(() => focused(page)).toBe('grid');
  }
  app.expectQuiet();
});

test('/ focuses the filter of a view, or opens the palette if the view has none', {
  tag: '@long',
}, async ({ page }) => {
  const app = new AppPage(page);
  await app.open();
  await app.chooseFile(sample('doc_core.bpf.o'));
  await app.opened();
  for (const name of ['Types', 'Graph', 'Text', 'Bytes', 'Code', 'Data', 'Relocations', 'Issues']) {
    await app.show(name);
    await expect(page.locator('[data-loading]').filter({ visible: true })).toHaveCount(0);
    await page.keyboard.press('/');
    await expect
      .poll(() => page.evaluate(() => document.activeElement?.tagName), `in ${name}`)
      .toBe('INPUT');
    await page.keyboard.press('Escape');
  }
  app.expectQuiet();
});

test('the selected member is copied by keys: its path, BPF_CORE_READ, its offset', async ({
  page,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const app = new AppPage(page);
  await app.open('/types?file=sample:kernel.btf&type=struct:task_struct&member=pid');
  await expect(page.getByRole('heading', { name: /task_struct/ })).toBeVisible();
  const copied: string[] = [];
  for (const down of [0, 1, 2, 3]) {
    await page.keyboard.press('c');
    await expect(page.getByRole('menuitem', { name: 'Path: task_struct.pid' })).toBeFocused();
    for (let i = 0; i < down; i++) await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await expect(page.getByRole('status').first()).toContainText('Copied');
    copied.push(await page.evaluate(() => navigator.clipboard.readText()));
    await expect(page.getByRole('menu')).toBeHidden();
  }
  expect(copied).toEqual([
    'task_struct.pid',
    'BPF_CORE_READ(p, pid)',
    '0x58',
    'offsetof(struct task_struct, pid)',
  ]);
  app.expectQuiet();
});

test('g goes to an instruction by its number', async ({ page }) => {
  const app = new AppPage(page);
  await app.open();
  await app.chooseFile(sample('exec_trace.bpf.o'));
  await app.opened();
  await app.show('Code');
  const listing = page.getByRole('grid', { name: 'Instructions' });
  await expect(listing).toBeVisible();
  await page.keyboard.press('g');
  await expect(page.getByRole('textbox', { name: 'Go to instruction' })).toBeFocused();
  await page.keyboard.type('5');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/insn=\S*5|insn=\S*0x28/);
  await expect(listing.getByRole('row', { selected: true })).toContainText('5');
  app.expectQuiet();
});

for (const [key, label] of [
  ['3', 'Filter types'],
  ['5', 'Bytes to find'],
  ['9', 'Filter CO-RE relocations'],
  ['7', 'Filter data'],
] as const) {
  test(`/ and a text, typed while a view loads, go to ${label}`, async ({ page }) => {
    const app = new AppPage(page);
    await app.open();
    await app.chooseFile(sample('exec_trace.bpf.o'));
    await app.opened();
    await page.keyboard.press(key);
    await page.keyboard.press('/');
    await page.keyboard.type('abc');
    const field = page.getByLabel(label, { exact: true }).filter({ visible: true });
    await expect(field).toBeFocused();
    await expect(field).toHaveValue('abc');
    app.expectQuiet();
  });
}

/** Tests two views side by side, of one file or of two files: by pointer, by key, by address. */
import { fileURLToPath } from 'node:url';
import { expect, type Locator, type Page } from '@playwright/test';
import { corpusKernels, readCorpusFile } from '../src/testing/corpus.ts';
import { AppPage } from './app-page.ts';
import { expectAccessible, LOOKS } from './expect-accessible.ts';
import { test } from './test.ts';

const sample = (name: string) =>
  fileURLToPath(new URL(`../public/samples/${name}`, import.meta.url));

const TASK = '/types?file=sample:exec_trace.bpf.o&type=struct:task_struct';

const pane = (page: Page, name: RegExp | string): Locator => page.getByRole('region', { name });
const first = (page: Page) => pane(page, /^First pane: /);
const second = (page: Page) => pane(page, /^Second pane: /);
const member = (page: Page, name: string) =>
  page.getByRole('grid', { name: 'Members' }).getByRole('row', { name: new RegExp(`^${name} `) });

async function openTask(page: Page, more = ''): Promise<AppPage> {
  const app = new AppPage(page);
  await app.open(`${TASK}${more}`);
  await app.opened();
  return app;
}

/** Returns the name of the pane with the focus, or `body`. */
const focusedPane = (page: Page) =>
  page.evaluate(() => {
    const at = document.activeElement;
    if (at === null || at === document.body) return 'body';
    return at.closest('[data-pane]')?.getAttribute('data-pane') ?? 'elsewhere';
  });

test('a member selected in Types is selected at once in Bytes beside it', async ({ page }) => {
  const app = await openTask(page);
  await page.getByRole('button', { name: 'Bytes beside' }).click();
  await expect(second(page)).toHaveAccessibleName('Second pane: Bytes of exec_trace.bpf.o');
  await expect(first(page)).toHaveAccessibleName('First pane: Types of exec_trace.bpf.o');
  await expect(page).toHaveURL(/#\/types\?.*&beside=bytes$/);
  for (const name of ['pid', 'real_parent']) {
    await member(page, name).getByRole('gridcell').first().click();
    await expect(page).toHaveURL(new RegExp(`#/types\\?.*member=${name}&beside=bytes$`));
    await expect(second(page)).toContainText(new RegExp(`member \\[\\d+\\] ${name}`));
  }
  // A selection in Bytes is also made in Types.
  await second(page).getByRole('button', { name: 'Go to member' }).click();
  await expect(first(page)).toBeVisible();
  await expect(second(page)).toBeVisible();
  app.expectQuiet();
});

test('an instruction that is selected in Code has its record in CO-RE beside it', async ({
  page,
}) => {
  const app = new AppPage(page);
  await app.open('/code?file=sample:exec_trace.bpf.o&insn=.text@0x98');
  await page.getByRole('button', { name: 'CO-RE beside' }).click();
  await expect(second(page).getByRole('grid', { name: 'CO-RE relocations' })).toBeVisible();
  await first(page).getByRole('grid', { name: 'Instructions' }).getByText('CO-RE').first().click();
  await expect(second(page).getByRole('region', { name: /^relo #/ })).toBeVisible();
  await second(page)
    .getByRole('row', { name: / state_of insn #7 / })
    .click();
  await expect(first(page).getByRole('heading', { name: /^Instruction 35/ })).toBeVisible();
  app.expectQuiet();
});

test('a tab opens beside from its menu, from the button after the tabs, and when dragged', {
  tag: '@long',
}, async ({ page }) => {
  const app = await openTask(page);
  await app.tab('Graph').click({ button: 'right' });
  await page.getByRole('menuitem', { name: 'Open beside' }).click();
  await expect(second(page)).toHaveAccessibleName(/^Second pane: Graph/);
  await expect(app.tab('Types')).toHaveAttribute('aria-selected', 'true');

  await page.getByRole('button', { name: 'Open beside' }).click();
  await page.getByRole('menuitem', { name: /^Text/ }).click();
  await expect(second(page)).toHaveAccessibleName(/^Second pane: Text/);

  await app.tab('Bytes').hover();
  await page.mouse.down();
  await page.mouse.move(1000, 300, { steps: 4 });
  await expect(page.getByText('Open Bytes beside')).toBeVisible();
  await page.mouse.move(1000, 420, { steps: 4 });
  await page.mouse.up();
  await expect(second(page)).toHaveAccessibleName(/^Second pane: Bytes/);
  await expect(page.getByText('Open Bytes beside')).toBeHidden();

  await second(page).getByRole('button', { name: 'View: Bytes' }).click();
  await page.getByRole('menuitem', { name: 'Overview' }).click();
  await expect(second(page)).toHaveAccessibleName(/^Second pane: Overview/);
  await second(page).getByRole('button', { name: 'Swap the panes' }).click();
  await expect(first(page)).toHaveAccessibleName(/^First pane: Overview/);
  await expect(app.tab('Overview')).toHaveAttribute('aria-selected', 'true');
  app.expectQuiet();
});

test('Shift and a digit open and close a pane, F6 moves to the other pane, and each pane has its own keys', async ({
  page,
}) => {
  const app = new AppPage(page);
  await app.open();
  await app.chooseFile(sample('exec_trace.bpf.o'));
  await app.opened();
  await page.keyboard.press('3');
  await page.keyboard.press('Shift+Digit5');
  await expect(second(page)).toHaveAccessibleName(/^Second pane: Bytes/);
  await expect.poll(() => focusedPane(page)).toBe('first');
  // Waits for the script of the view, which loads when the view is first shown.
  await expect(second(page).getByRole('grid').first()).toBeVisible();

  // The key f opens the search in Bytes; in Types it does nothing.
  const needle = page.getByRole('textbox', { name: 'Bytes to find' });
  await page.keyboard.press('f');
  await page.keyboard.press('F6');
  await expect.poll(() => focusedPane(page)).toBe('second');
  await expect(needle).toBeHidden();
  await page.keyboard.press('f');
  await expect(needle).toBeFocused();
  await page.keyboard.press('Escape');
  await expect.poll(() => focusedPane(page)).toBe('second');
  // The key / goes to the filter of the focused pane.
  await page.keyboard.press('F6');
  await page.keyboard.press('/');
  await expect(first(page).getByRole('searchbox')).toBeFocused();
  await page.keyboard.press('Escape');

  // The key 5 means Bytes, which the other pane shows: the panes swap.
  await page.keyboard.press('F6');
  await page.keyboard.press('5');
  await expect(first(page)).toHaveAccessibleName(/^First pane: Bytes/);
  await expect(second(page)).toHaveAccessibleName(/^Second pane: Types/);
  await expect.poll(() => focusedPane(page)).toBe('first');
  await page.keyboard.press('Shift+Digit6');
  await expect(second(page)).toHaveAccessibleName(/^Second pane: Code/);
  await page.keyboard.press('F6');
  await page.keyboard.press('Shift+Digit6');
  await expect(second(page)).toBeHidden();
  await expect.poll(() => focusedPane(page)).toBe('first');
  app.expectQuiet();
});

test('the pair is in the address: reload, Back and Forward restore it with its modes', async ({
  page,
}) => {
  const app = await openTask(page, '&as=layout&beside=text&beside.as=json');
  await expect(second(page)).toHaveAccessibleName(/^Second pane: Text/);
  await expect(second(page).getByRole('radio', { name: 'JSON' })).toBeChecked();
  await expect(first(page).getByRole('radio', { name: 'Layout' })).toBeChecked();
  const pair = page.url();
  await second(page).getByText('Raw', { exact: true }).click();
  await expect(page).toHaveURL(/as=layout&beside=text&beside\.as=raw$/);
  await page.reload();
  await expect(second(page).getByRole('radio', { name: 'Raw' })).toBeChecked();

  await second(page).getByRole('button', { name: 'Close the second pane' }).click();
  await expect(page).toHaveURL(/as=layout$/);
  await expect(second(page)).toBeHidden();
  await expect.poll(() => focusedPane(page)).toBe('first');
  await page.goBack();
  await expect(second(page)).toHaveAccessibleName(/^Second pane: Text/);
  await page.goForward();
  await expect(second(page)).toBeHidden();
  await page.goto(pair);
  await expect(second(page).getByRole('radio', { name: 'JSON' })).toBeChecked();
  app.expectQuiet();
});

test('an object is shown beside a kernel, which shows the type of the same name', {
  tag: '@long',
}, async ({ page }) => {
  const app = new AppPage(page);
  await app.open();
  for (const name of ['kernel.btf', 'exec_trace.bpf.o']) {
    await app.chooseFile(sample(name));
    await app.opened();
  }
  await app.show('Types');
  await page.getByRole('button', { name: 'Open beside' }).click();
  await page.getByRole('menuitem', { name: 'kernel.btf' }).click();
  await expect(second(page)).toHaveAccessibleName('Second pane: Types of kernel.btf');
  await first(page)
    .getByRole('option', { name: /task_struct/ })
    .first()
    .click();
  await expect(second(page).getByRole('heading', { name: 'task_struct', level: 2 })).toBeVisible();
  await expect(second(page)).toContainText('176 bytes');
  await expect(page).toHaveURL(/file=[0-9a-f]{64}&name=exec_trace\.bpf\.o&type=struct:task_struct/);
  await expect(page).toHaveURL(/beside\.file=[0-9a-f]{64}&.*beside\.type=struct:task_struct/);

  // Each file remembers its views.
  await second(page).getByRole('button', { name: 'Show bytes' }).click();
  await expect(second(page)).toHaveAccessibleName('Second pane: Bytes of kernel.btf');
  await expect(first(page)).toHaveAccessibleName('First pane: Types of exec_trace.bpf.o');
  await page.reload();
  await expect(second(page)).toHaveAccessibleName('Second pane: Bytes of kernel.btf');
  await expect(first(page)).toHaveAccessibleName('First pane: Types of exec_trace.bpf.o');

  await page.getByRole('button', { name: 'Close kernel.btf' }).click();
  await expect(second(page)).toBeHidden();
  await expect(page).toHaveTitle(/exec_trace/);
  app.expectQuiet();
});

const VIEWS = [
  'overview',
  'types',
  'graph',
  'text',
  'query',
  'bytes',
  'code',
  'data',
  'relocations',
  'core',
  'check',
  'issues',
];

for (const view of VIEWS) {
  test(`each view opens beside ${view}`, { tag: '@long' }, async ({ page }) => {
    test.setTimeout(300_000);
    const app = new AppPage(page);
    const address = `/${view}?file=sample:exec_trace.bpf.o&type=struct:task_struct`;
    await app.open(address);
    await app.opened();
    for (const beside of VIEWS.filter((other) => other !== view)) {
      const pair = `${beside} beside ${view}`;
      await page.evaluate((to) => {
        location.hash = to;
      }, `#${address}&beside=${beside}`);
      await expect(page, pair).toHaveURL(new RegExp(`#/${view}\\?.*&beside=${beside}\\b`));
      await expect(second(page), pair).toBeVisible();
      await expect(page.locator('[data-loading]'), pair).toHaveCount(0);
      await expect(page.getByText('this view could not be drawn'), pair).toHaveCount(0);
      const overflow = await page.evaluate(() =>
        [document.documentElement, ...document.querySelectorAll('[data-pane]')].map(
          (box) => box.scrollWidth - box.clientWidth,
        ),
      );
      expect(overflow, `${pair} scrolls sideways`).toEqual([0, 0, 0]);
    }
    app.expectQuiet();
  });
}

test('the palette opens, swaps and closes panes', { tag: '@long' }, async ({ page }) => {
  const app = await openTask(page);
  const run = async (text: string) => {
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'Find anything' }).fill(`>${text}`);
    await expect(page.getByRole('option').first()).toContainText(text);
    await page.keyboard.press('Enter');
    await expect(page.getByRole('dialog')).toHaveCount(0);
    await expect.poll(() => focusedPane(page), `after ${text}`).not.toBe('body');
  };
  await run('Open Bytes beside');
  await expect(second(page)).toHaveAccessibleName(/^Second pane: Bytes/);
  await run('Go to the other pane');
  await expect(second(page)).toHaveAttribute('data-current', 'true');
  await expect.poll(() => focusedPane(page)).toBe('second');
  await run('Swap the panes');
  await expect(first(page)).toHaveAccessibleName(/^First pane: Bytes/);
  await run('Close the second pane');
  await expect(second(page)).toBeHidden();
  await expect.poll(() => focusedPane(page)).toBe('first');
  app.expectQuiet();
});

test('a copied link of a pair opens the same pair', { tag: '@long' }, async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const app = await openTask(page, '&member=pid&as=layout&beside=bytes');
  for (const sort of [/^Reference/, /^Self-contained/]) {
    await page.getByRole('button', { name: 'Copy link' }).click();
    const dialog = page.getByRole('dialog', { name: 'Copy link' });
    await dialog.getByRole('radio', { name: sort }).check();
    await dialog.getByRole('button', { name: 'Copy', exact: true }).click();
    await expect(dialog).toContainText('Copied.');
    const address = await page.evaluate(() => navigator.clipboard.readText());
    await page.goto('about:blank');
    await page.goto(address);
    await expect(first(page)).toHaveAccessibleName(/^First pane: Types of /);
    await expect(second(page)).toHaveAccessibleName(/^Second pane: Bytes of /);
    await expect(first(page).getByRole('radio', { name: 'Layout' })).toBeChecked();
    await expect(page).toHaveURL(/member=pid/);
    await page.goto('about:blank');
    await openTask(page, '&member=pid&as=layout&beside=bytes');
  }
  app.expectQuiet();
});

test('a link whose second file is missing reports it and shows the first', async ({ page }) => {
  const app = await openTask(
    page,
    `&beside=types&beside.file=${'a'.repeat(64)}&beside.name=vmlinux`,
  );
  await expect(page.getByText(/The second file of this link is not open/)).toBeVisible();
  await expect(second(page)).toBeHidden();
  await expect(page.getByRole('heading', { name: 'task_struct', level: 2 })).toBeVisible();
  app.expectQuiet();
});

test('the panes are resized by keys', { tag: '@long' }, async ({ page }) => {
  const app = await openTask(page, '&beside=bytes');
  const width = async () => (await second(page).boundingBox())?.width ?? 0;
  await expect.poll(width).toBeGreaterThan(400);
  const before = await width();
  await page.getByRole('separator', { name: 'Resize the panes' }).focus();
  await page.keyboard.press('ArrowRight');
  await expect.poll(width).toBeLessThan(before);
  app.expectQuiet();
});

test.describe('on a narrow screen', () => {
  test.use({ viewport: { width: 390, height: 844 } });

  test('the second pane is a sheet over the first, and its button or Escape closes it', async ({
    page,
  }) => {
    const app = await openTask(page, '&member=pid');
    await page.getByRole('button', { name: 'Bytes beside' }).click();
    const sheet = second(page);
    await expect(sheet).toContainText(/member \[\d+\] pid/);
    await expect(page.getByRole('tabpanel', { name: 'Types' })).toBeVisible();
    await sheet.getByRole('button', { name: 'Close the second pane' }).click();
    await expect(sheet).toBeHidden();
    await expect.poll(() => focusedPane(page)).toBe('first');
    await page.goBack();
    await expect(sheet).toBeVisible();
    await page.keyboard.press('F6');
    await expect.poll(() => focusedPane(page)).toBe('second');
    await page.keyboard.press('Escape');
    await expect(sheet).toBeHidden();
    await expect.poll(() => focusedPane(page)).toBe('first');
    app.expectQuiet();
  });
});

test('a selection in a kernel redraws one screen of the other pane and sends few requests', {
  tag: ['@long', '@corpus'],
}, async ({ page }) => {
  // A narrower screen has no room for both the list of types and the type.
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.addInitScript(() => {
    const counted = { messages: 0 };
    const post = Worker.prototype.postMessage;
    Worker.prototype.postMessage = function (...args: unknown[]) {
      counted.messages++;
      Reflect.apply(post, this, args);
    };
    Object.assign(window, { counted });
  });
  const kernel = corpusKernels().find(({ id }) => id.includes('6.12')) ?? corpusKernels()[0];
  if (kernel === undefined) throw new Error('the corpus has no kernel');
  const app = new AppPage(page);
  await app.open();
  await app.chooseFile({ name: kernel.name, buffer: readCorpusFile(kernel) });
  await app.opened();
  await app.show('Types');
  await page.keyboard.press('Shift+Digit4');
  await expect(second(page)).toHaveAccessibleName(/^Second pane: Bytes/);
  await expect(second(page).getByRole('grid', { name: 'Bytes' })).toBeVisible();
  const work = await page.evaluate(async () => {
    const { counted } = window as unknown as { readonly counted: { messages: number } };
    const secondPane = document.querySelector('[data-pane="second"]');
    let nodes = 0;
    const observer = new MutationObserver((records) => {
      for (const { addedNodes } of records) {
        for (const node of addedNodes) {
          nodes += 1 + (node instanceof Element ? node.querySelectorAll('*').length : 0);
        }
      }
    });
    observer.observe(secondPane ?? document, { subtree: true, childList: true });
    const perSelection: { readonly nodes: number; readonly messages: number }[] = [];
    for (let row = 2; row < 14; row++) {
      nodes = 0;
      counted.messages = 0;
      document
        .querySelector<HTMLElement>(`[data-pane="first"] [role="option"][data-row="${row}"]`)
        ?.click();
      // Waits twenty frames, so that the worker's answers are counted too.
      for (let i = 0; i < 20; i++) await new Promise((resolve) => requestAnimationFrame(resolve));
      perSelection.push({ nodes, messages: counted.messages });
    }
    return perSelection;
  });
  expect(work).toHaveLength(12);
  for (const { nodes, messages } of work) {
    expect(nodes).toBeGreaterThan(0);
    expect(nodes).toBeLessThan(1000);
    expect(messages).toBeLessThan(5);
  }
  app.expectQuiet();
});

for (const { name, ...look } of LOOKS) {
  test.describe(name, () => {
    test.use(look);
    test('two panes have no axe violation', { tag: '@long' }, async ({ page }) => {
      const app = await openTask(page, '&member=pid&beside=bytes');
      await expect(second(page)).toContainText('Byte 0x');
      await expectAccessible(page, 'two views of one file');
      // Two panes with the same view have equal names inside, but the panes have different names.
      await app.open(
        '/code?file=sample:exec_trace.bpf.o&insn=.text@0x98&beside=types&beside.file=sample:kernel.btf&beside.type=struct:task_struct',
      );
      await expect(second(page)).toContainText('176 bytes');
      await expectAccessible(page, 'two files');
      app.expectQuiet();
    });
  });
}

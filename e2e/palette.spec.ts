/** Tests the palette: types, members, views and commands are found with a few keys. */
import { fileURLToPath } from 'node:url';
import { expect, type Locator, type Page } from '@playwright/test';
import { AppPage } from './app-page.ts';
import { expectAccessible, LOOKS } from './expect-accessible.ts';
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

/** Opens the palette by its key and returns its text box. */
async function openPalette(page: Page): Promise<Locator> {
  await page.keyboard.press('Control+k');
  const field = page.getByRole('combobox', { name: 'Find anything' });
  await expect(field).toBeFocused();
  return field;
}

const firstLine = (page: Page) => page.getByRole('dialog').getByRole('option').first();

test('keys alone find a member, open it and go back', async ({ page }) => {
  const app = await openSample(page, 'kernel.btf');
  await page.keyboard.press('4');
  await expect(page).toHaveURL(/#\/bytes/);
  await openPalette(page);
  await page.keyboard.type('task_struct.pid');
  await expect(firstLine(page)).toContainText('task_struct.pid');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog')).toBeHidden();
  await expect(page).toHaveURL(/#\/types\?.*type=struct:task_struct&member=pid$/);
  await expect(page.getByRole('heading', { name: /task_struct/ })).toBeVisible();
  await page.keyboard.press('[');
  await expect(page).toHaveURL(/#\/bytes/);
  await page.keyboard.press(']');
  await expect(page).toHaveURL(/member=pid$/);
  app.expectQuiet();
});

test('Enter before the results opens the first result', async ({ page }) => {
  const app = await openSample(page, 'kernel.btf');
  const field = await openPalette(page);
  // `fill` types everything in one event, so that Enter comes before any result.
  await field.fill('tsk_st');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/type=struct:task_struct$/);
  app.expectQuiet();
});

test('Enter while the file is still being read waits for its names', async ({ page }) => {
  const app = new AppPage(page);
  await app.open();
  await openPalette(page);
  await page.keyboard.press('Escape');
  // Delays the "open" request until the event `send-late`, so that the file is still being read.
  await page.evaluate(() => {
    const { postMessage } = Worker.prototype;
    const send = function (this: Worker, message: { readonly method: string }) {
      const pass = () => Reflect.apply(postMessage, this, [message]);
      if (message.method === 'open') addEventListener('send-late', pass, { once: true });
      else pass();
    };
    Object.assign(Worker.prototype, { postMessage: send });
  });
  await app.chooseFile(sample('kernel.btf'));
  await expect(page).toHaveTitle(/^kernel\.btf/);
  const field = await openPalette(page);
  await field.fill('tsk_st');
  await page.keyboard.press('Enter');
  await page.evaluate(() => dispatchEvent(new Event('send-late')));
  await expect(page).toHaveURL(/type=struct:task_struct$/);
  app.expectQuiet();
});

test('offsets, sizes, values and ids find their types', async ({ page }) => {
  const app = await openSample(page, 'kernel.btf');
  const questions: readonly (readonly [typed: string, line: string, url: RegExp])[] = [
    ['0x40 in mm_struct', 'mm_struct.', /type=struct:mm_struct&member=/],
    ['enumerator:pidtype_max', 'PIDTYPE_MAX', /type=enum:pid_type/],
    ['struct: cred', 'cred', /type=struct:cred$/],
    ['#1', '', /type=/],
  ];
  for (const [typed, line, url] of questions) {
    await openPalette(page);
    await page.keyboard.type(typed);
    await expect(firstLine(page)).toContainText(line);
    await page.keyboard.press('Enter');
    await expect(page, typed).toHaveURL(url);
  }
  app.expectQuiet();
});

test('arrows move through the lines, Tab completes, and Enter opens the graph', async ({
  page,
}) => {
  const app = await openSample(page, 'kernel.btf');
  const field = await openPalette(page);
  await page.keyboard.type('pid');
  await expect(firstLine(page)).toHaveAttribute('data-highlighted', '');
  await page.keyboard.press('ArrowDown');
  const second = page.getByRole('dialog').getByRole('option').nth(1);
  await expect(second).toHaveAttribute('data-highlighted', '');
  await expect(field).toHaveAttribute(
    'aria-activedescendant',
    (await second.getAttribute('id')) ?? '',
  );
  await field.fill('struct task_str');
  await expect(firstLine(page)).toContainText('task_struct');
  await page.keyboard.press('Tab');
  await expect(field).toHaveValue('task_struct.');
  await expect(firstLine(page)).toContainText('task_struct.thread_info');
  await field.fill('mm_struct');
  await expect(firstLine(page)).toContainText('mm_struct');
  await page.keyboard.press('Alt+Enter');
  await expect(page).toHaveURL(/#\/graph\?.*type=struct:mm_struct/);
  app.expectQuiet();
});

test('commands, views, files and recent places are found, too', { tag: '@long' }, async ({
  page,
}) => {
  const app = await openSample(page, 'kernel.btf');
  await openPalette(page);
  await page.keyboard.type('> dark');
  await expect(firstLine(page)).toContainText('Theme: dark');
  await page.keyboard.press('Enter');
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');

  await openPalette(page);
  await page.keyboard.type('proble');
  await expect(firstLine(page)).toContainText('Check');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/#\/check/);

  for (const type of ['mm_struct', 'cred']) {
    await openPalette(page);
    await page.keyboard.type(`struct:${type}`);
    await expect(firstLine(page)).toContainText(type);
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL(new RegExp(`type=struct:${type}$`));
  }
  await openPalette(page);
  await expect(firstLine(page)).toContainText('mm_struct');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/type=struct:mm_struct$/);

  await app.chooseFile(sample('exec_trace.bpf.o'));
  await app.opened();
  await openPalette(page);
  await page.keyboard.type('kernel.bt');
  await expect(firstLine(page)).toContainText('kernel.btf');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('button', { name: 'kernel.btf', exact: true })).toHaveAttribute(
    'aria-current',
    'page',
  );
  app.expectQuiet();
});

test('an object gives its functions, sections and CO-RE relocations', async ({ page }) => {
  const app = await openSample(page, 'exec_trace.bpf.o');
  await openPalette(page);
  await page.keyboard.type('core:');
  await expect(firstLine(page)).toBeVisible();
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/#\/core\?.*core=/);
  await openPalette(page);
  await page.keyboard.type('section:.BTF.ext');
  await expect(firstLine(page)).toContainText('.BTF.ext');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/#\/bytes\?.*section=\.BTF\.ext/);
  app.expectQuiet();
});

test('all keys and queries are listed', { tag: '@long' }, async ({ page }) => {
  const app = await openSample(page, 'kernel.btf');
  await page.keyboard.press('?');
  await expect(page.getByRole('dialog', { name: 'Keys' })).toBeVisible();
  const help = page.getByRole('dialog');
  await expect(help.getByRole('heading', { name: 'Bytes' })).toBeVisible();
  await help.getByRole('radiogroup', { name: 'Help' }).getByText('Queries').click();
  await expect(help.getByText('0x58 in sk_buff', { exact: true })).toBeVisible();
  // The page's keys do nothing while a dialog is open.
  await page.keyboard.press('5');
  await page.keyboard.press('Escape');
  await expect(help).toBeHidden();
  await expect(page).toHaveURL(/#\/overview/);
  app.expectQuiet();
});

test('the palette works before any file is open', async ({ page }) => {
  const app = new AppPage(page);
  await app.open();
  await page.getByRole('button', { name: 'Find anything' }).click();
  await expect(page.getByRole('combobox', { name: 'Find anything' })).toBeFocused();
  await page.keyboard.type('all keys');
  await expect(firstLine(page)).toContainText('Show all keys');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog', { name: 'Keys' })).toBeVisible();
  app.expectQuiet();
});

for (const { name, ...look } of LOOKS) {
  test.describe(name, () => {
    test.use({ ...look, contextOptions: { reducedMotion: 'reduce' } });
    test('is accessible', { tag: '@long' }, async ({ page }) => {
      await openSample(page, 'kernel.btf');
      const field = await openPalette(page);
      await field.fill('task');
      await expect(firstLine(page)).toContainText('task');
      await expectAccessible(page, 'with answers');
    });
  });
}

test('is accessible without a query and without results, as is the Keys dialog', {
  tag: '@long',
}, async ({ page }) => {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await page.setViewportSize({ width: 390, height: 844 });
  await openSample(page, 'kernel.btf');
  const field = await openPalette(page);
  await expect(firstLine(page)).toBeVisible();
  await expectAccessible(page, 'without a question');
  await field.fill('zzqqzz');
  await expect(page.getByText('No matches for zzqqzz')).toBeVisible();
  await expectAccessible(page, 'without an answer');
  await page.keyboard.press('Escape');
  await page.keyboard.press('?');
  await expect(page.getByRole('dialog', { name: 'Keys' })).toBeVisible();
  await expectAccessible(page, 'keys');
});

test('after a hit the keys are commands again, also if a filter had the focus', async ({
  page,
}) => {
  const app = await openSample(page, 'kernel.btf');
  await page.keyboard.press('2');
  const filter = page.getByRole('searchbox', { name: 'Filter types' });
  await filter.click();
  await openPalette(page);
  await page.keyboard.type('struct mm_struct');
  await expect(firstLine(page)).toContainText('mm_struct');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog')).toBeHidden();
  await expect(page.getByRole('heading', { name: /mm_struct/ })).toBeVisible();
  await page.keyboard.press('4');
  await expect(page).toHaveURL(/#\/bytes/);
  await expect(page.getByRole('tab', { name: 'Bytes' })).toHaveAttribute('aria-selected', 'true');
  // Escape gives the focus back to the filter.
  await page.keyboard.press('2');
  await filter.click();
  await openPalette(page);
  await page.keyboard.press('Escape');
  await expect(filter).toBeFocused();
  await expect(filter).toHaveValue('');
  app.expectQuiet();
});

test('Alt+Enter shows the graph of a hit, also from the paths between types', async ({ page }) => {
  const app = await openSample(page, 'kernel.btf');
  await openPalette(page);
  await page.keyboard.type('paths between');
  await page.keyboard.press('Enter');
  const modes = page.getByRole('radiogroup').filter({ hasText: 'Explore' });
  await expect(modes.getByRole('radio', { name: 'Paths' })).toBeChecked();
  await openPalette(page);
  await page.keyboard.type('struct mm_struct');
  await expect(firstLine(page)).toContainText('mm_struct');
  await page.keyboard.press('Alt+Enter');
  await expect(modes.getByRole('radio', { name: 'Explore' })).toBeChecked();
  await expect(page).toHaveURL(/#\/graph\?.*type=struct:mm_struct/);
  app.expectQuiet();
});

test('an example, a lesson and a recent file are found before a file is open', async ({ page }) => {
  const app = new AppPage(page);
  await app.open();
  await openPalette(page);
  await page.keyboard.type('Lesson');
  await expect(page.getByRole('option')).not.toHaveCount(4);
  await page.getByRole('combobox', { name: 'Find anything' }).fill('exec_trace');
  await expect(firstLine(page)).toContainText('Example: exec_trace.bpf.o');
  await page.keyboard.press('Enter');
  expect((await app.opened()).name).toBe('exec_trace.bpf.o');
  app.expectQuiet();
});

test('a number is a byte and an instruction', async ({ page }) => {
  const app = await openSample(page, 'exec_trace.bpf.o');
  await openPalette(page);
  await page.keyboard.type('0x48');
  await expect(firstLine(page)).toContainText('Byte 0x48');
  await page.getByRole('option', { name: /Instruction 9 of tp_btf/ }).click();
  await expect(page).toHaveURL(/#\/code\?/);
  await expect(page.getByRole('tabpanel')).toContainText('on_exec');
  app.expectQuiet();
});

test('the filter of types takes kinds and prototypes, Enter and one Down', async ({ page }) => {
  const app = await openSample(page, 'kernel.btf');
  await page.keyboard.press('2');
  const filter = page.getByRole('searchbox', { name: 'Filter types' });
  const list = page.getByRole('listbox', { name: 'Types' });
  await filter.fill('struct');
  await expect(list.getByRole('option', { name: /^(INT|PTR|FUNC|TYPEDEF) / })).toHaveCount(0);
  await expect(list.getByRole('option').filter({ hasText: 'mm_struct' }).first()).toBeVisible();
  await filter.fill('takes:task_struct');
  await expect(list.getByRole('option')).not.toHaveCount(0);
  await expect(list.getByRole('option').filter({ hasText: 'mm_struct' })).toHaveCount(0);
  await filter.fill('task_struct');
  await filter.press('Enter');
  await expect(page).toHaveURL(/type=struct:task_struct$/);
  // A type that was chosen before is no answer to another filter.
  await filter.fill('mm_struct');
  await filter.press('Enter');
  await expect(page).toHaveURL(/type=struct:mm_struct$/);
  await filter.fill('struct');
  const second = await list.getByRole('option').nth(1).textContent();
  await filter.press('ArrowDown');
  await expect(list).toBeFocused();
  await expect(list.getByRole('option', { selected: true })).toHaveCount(1);
  expect(second).not.toBeNull();
  app.expectQuiet();
});

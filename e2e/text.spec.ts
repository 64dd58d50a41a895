/** Tests a whole file as text, as tools print it, searched and exported; and texts of a type. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, type Page } from '@playwright/test';
import { AppPage, longUnless } from './app-page.ts';
import { expectAccessible, LOOKS } from './expect-accessible.ts';
import { test } from './test.ts';

const sample = fileURLToPath(new URL('../public/samples/exec_trace.bpf.o', import.meta.url));

async function openSample(page: Page, tab: string): Promise<AppPage> {
  const app = new AppPage(page);
  await app.open();
  await app.dropFile(sample);
  await app.opened();
  await app.show(tab);
  return app;
}

/** Clicks a button that saves a file; returns the file's name and content. */
async function saveFile(page: Page, button: string | RegExp) {
  const waiting = page.waitForEvent('download');
  await page.getByRole('button', { name: button }).click();
  const download = await waiting;
  return { name: download.suggestedFilename(), text: readFileSync(await download.path(), 'utf8') };
}

const form = (page: Page, name: string) => page.getByRole('radio', { name, exact: true });

for (const [name, file, first] of [
  ['C', 'exec_trace.bpf.h', /^#ifndef __VMLINUX_H__\n/],
  ['Raw', 'exec_trace.bpf.btf.txt', /^\[1\] /],
  ['JSON', 'exec_trace.bpf.btf.json', /^\{"types":\[\{"id":1,[^\n]*\]\}\n$/],
  ['pahole', 'exec_trace.bpf.pahole.txt', /^(struct|union) /],
] as const) {
  test(
    `the file as ${name} is shown and saved as the tool prints it`,
    longUnless('C', name),
    async ({ page }) => {
      const app = await openSample(page, 'Text');
      await form(page, name).check({ force: true });
      const lines = page.getByRole('option');
      await expect(lines.first()).toBeVisible();
      const { name: savedAs, text } = await saveFile(page, 'Download');
      expect(savedAs).toBe(file);
      expect(text).toMatch(first);
      const shown = (await lines.nth(1).textContent()) ?? '';
      const [, second = ''] = name === 'JSON' ? text.split(/(?=\{"id":)/) : text.split('\n');
      expect(shown).toBe(`2${second}`);
      app.expectQuiet();
    },
  );
}

test('the text of another version is shown, saved, and kept for the next visit', async ({
  page,
}) => {
  const app = new AppPage(page);
  await app.open();
  await app.dropFile(fileURLToPath(new URL('../public/samples/layout.bpf.o', import.meta.url)));
  await app.opened();
  await app.show('Text');
  const version = (tool: string, name: string) =>
    page
      .getByRole('radiogroup', { name: `Version of ${tool}` })
      .getByRole('radio', { name, exact: true });
  // `onlyNewest` is a line that only the newest version of the tool writes.
  for (const [name, tool, newest, older, onlyNewest] of [
    ['C', 'bpftool', 'bpftool 7.8', '7.1', '#ifndef __ksym\n'],
    ['pahole', 'pahole', 'pahole 1.31', '1.24', '/* XXX last struct has 1 hole */\n'],
  ] as const) {
    await form(page, name).check({ force: true });
    await expect(version(tool, newest)).toBeChecked();
    await expect(page.getByRole('option').first()).toBeVisible();
    const newestText = (await saveFile(page, 'Download')).text;
    expect(newestText).toContain(onlyNewest);
    await version(tool, older).check({ force: true });
    await expect(page.getByRole('option').first()).toBeVisible();
    const olderText = (await saveFile(page, 'Download')).text;
    expect(olderText).not.toContain(onlyNewest);
    expect(olderText).not.toBe(newestText);
  }
  await page.reload();
  await app.opened();
  for (const [name, tool, older] of [
    ['pahole', 'pahole', '1.24'],
    ['C', 'bpftool', '7.1'],
  ] as const) {
    await form(page, name).check({ force: true });
    await expect(version(tool, older)).toBeChecked();
  }
  await form(page, 'Raw').check({ force: true });
  await expect(page.getByRole('radiogroup', { name: /^Version of/ })).toHaveCount(0);
  app.expectQuiet();
});

test('a type is found, selected by its line, and highlighted in every format', {
  tag: '@long',
}, async ({ page }) => {
  const app = await openSample(page, 'Text');
  await expect(page.getByRole('option').first()).toBeVisible();
  await page.keyboard.press('Control+f');
  await page.keyboard.type('struct task_struct {');
  await expect(page.getByRole('tabpanel')).toContainText('1 of 1');
  await page.getByRole('listbox').focus();
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/#\/text\?.*type=struct:task_struct$/);
  for (const [name, line] of [
    ['Raw', /STRUCT 'task_struct'/],
    ['JSON', /"name":"task_struct"/],
    ['pahole', /struct task_struct \{/],
    ['C', /struct task_struct \{/],
  ] as const) {
    await form(page, name).check({ force: true });
    const selected = page.getByRole('option', { selected: true });
    await expect(selected.first()).toHaveText(line);
    await expect(selected.first()).toBeInViewport();
  }
  await page.reload();
  await app.opened();
  await expect(page.getByRole('option', { selected: true }).first()).toBeInViewport();
  app.expectQuiet();
});

test('a type is shown in each language, and saved', async ({ page }) => {
  const app = await openSample(page, 'Types');
  await page.getByRole('searchbox', { name: 'Filter types' }).fill('task_struct');
  await page
    .getByRole('option', { name: /\btask_struct\b/ })
    .first()
    .click();
  for (const [name, file, text] of [
    ['C', 'task_struct.h', /^struct task_struct \{/],
    ['Header', 'task_struct.h', /^#ifndef __TASK_STRUCT_H__/],
    ['pahole', 'task_struct.pahole.txt', /\/\* size: \d+, cachelines/],
    ['Raw', 'task_struct.btf.txt', /^\[\d+\] STRUCT 'task_struct'/],
    ['Zig', 'task_struct.zig', /pub const task_struct = extern struct/],
    ['Rust', 'task_struct.rs', /pub struct task_struct/],
    ['Go', 'task_struct.go', /type Task_struct struct/],
  ] as const) {
    await form(page, name).check({ force: true });
    const out = await saveFile(page, /^Download task_struct/);
    expect(out.name).toBe(file);
    expect(out.text).toMatch(text);
  }
  await form(page, 'Header').check({ force: true });
  await form(page, 'Chosen members').check({ force: true });
  await page.getByRole('checkbox', { name: 'pid', exact: true }).check();
  const { text } = await saveFile(page, /^Download task_struct/);
  expect(text).toMatch(/struct task_struct \{\n\t\w+ pid;\n\};/);
  app.expectQuiet();
});

for (const { name, ...look } of LOOKS) {
  test.describe(name, () => {
    test.use(look);

    test('has no axe violation and no cut text', { tag: '@long' }, async ({ page }) => {
      test.setTimeout(180_000);
      const app = await openSample(page, 'Text');
      await page.getByRole('searchbox', { name: 'Find in text' }).fill('task_struct');
      await expect(page.locator('mark[data-shown]').first()).toBeVisible();
      await page.locator('mark[data-shown]').first().click();
      for (const name of ['Raw', 'JSON', 'pahole', 'C']) {
        await form(page, name).check({ force: true });
        await expect(page.getByRole('option').first()).toBeVisible();
        await expectAccessible(page, name);
      }
      await app.show('Types');
      await form(page, 'Header').check({ force: true });
      await form(page, 'Chosen members').check({ force: true });
      await expectAccessible(page, 'chosen members');
      await form(page, 'Rust').check({ force: true });
      await expectAccessible(page, 'Rust');
      app.expectQuiet();
    });
  });
}

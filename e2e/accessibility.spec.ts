/**
 * Checks every view with axe, in both themes and at both widths, and checks that no text is cut
 * off. `npm test` checks each view in one theme and width; src/ui/contrast.test.ts checks the
 * contrast of both themes.
 */
import { fileURLToPath } from 'node:url';
import { expect } from '@playwright/test';
import { AppPage, longUnless } from './app-page.ts';
import { expectAccessible, LOOKS } from './expect-accessible.ts';
import { test } from './test.ts';

// Time for axe, which checks two thousand elements in each view.
test.setTimeout(180_000);

const sample = fileURLToPath(new URL('../public/samples/exec_trace.bpf.o', import.meta.url));

const TABS = [
  'Overview',
  'Types',
  'Graph',
  'Text',
  'Query',
  'Bytes',
  'Code',
  'Data',
  'Relocations',
  'CO-RE',
  'Check',
  'Issues',
];
const WIDTHS = [
  ['wide', { width: 1440, height: 900 }],
  ['narrow', { width: 390, height: 844 }],
] as const;

for (const colorScheme of ['light', 'dark'] as const) {
  for (const [width, viewport] of WIDTHS) {
    const place = `${colorScheme}, ${width}`;
    test.describe(place, () => {
      test.use({ colorScheme, viewport });

      test('every view', longUnless('light, wide', place), async ({ page }) => {
        const app = new AppPage(page);
        await app.open();
        await page.getByRole('button', { name: /^All examples/ }).click();
        await expect(page.getByRole('button', { name: /^Open example/ }).first()).toBeVisible();
        await expectAccessible(page, 'start');
        await app.dropFile(sample);
        await app.opened();
        for (const name of TABS) {
          await app.show(name);
          await expect(page.getByRole('tabpanel')).not.toContainText('Loading');
          await expectAccessible(page, name);
          if (name !== 'Check') continue;
          await page.getByRole('button', { name: /^System calls/ }).click();
          await expect(page.getByRole('listbox', { name: 'System calls' })).toBeVisible();
          await page.getByRole('button', { name: /^BPF_PROG_LOAD/ }).click();
          await expectAccessible(page, 'System calls');
        }
        app.expectQuiet();
      });

      test('two panes', { tag: '@long' }, async ({ page }) => {
        const app = new AppPage(page);
        const file = 'file=sample:exec_trace.bpf.o';
        const kernel = 'beside.file=sample:kernel.btf&beside.type=struct:task_struct';
        for (const address of [
          `/types?${file}&type=struct:task_struct&member=pid&beside=bytes`,
          `/code?${file}&insn=tp_btf%2Fsched_process_exec@0x20&beside=core`,
          `/types?${file}&type=struct:task_struct&member=pid&beside=types&${kernel}`,
        ]) {
          await page.goto('about:blank');
          await app.open(address);
          const second = page.getByRole('region', { name: /^Second pane: / });
          await expect(second).toBeVisible();
          await expect(page.locator('[data-loading]')).toHaveCount(0);
          await expect(second.getByRole('grid').first()).toBeVisible();
          await expectAccessible(page, address);
        }
        app.expectQuiet();
      });
    });
  }
}

for (const { name, ...look } of LOOKS) {
  test.describe(name, () => {
    test.use(look);
    test('a selection', { tag: '@long' }, async ({ page }) => {
      const app = new AppPage(page);
      const file = 'file=sample:exec_trace.bpf.o';
      for (const address of [
        `/types?${file}&type=struct:task_struct&member=pid`,
        `/graph?${file}&type=struct:task_struct`,
        `/bytes?${file}&bytes=.BTF@0x18-0x30`,
        `/code?${file}&insn=tp_btf%2Fsched_process_exec@0x20`,
        `/relocations?${file}&reloc=.reltp_btf%2Fsched_process_exec@0x30`,
        `/core?${file}&core=tp_btf%2Fsched_process_exec@0x20&step=1`,
      ]) {
        // Loads `about:blank` first, because a change of the hash alone does not reload the page.
        await page.goto('about:blank');
        await app.open(address);
        await expect(page.getByRole('status')).toContainText('Opened exec_trace.bpf.o');
        await expect(page.getByRole('tabpanel')).not.toContainText('Loading');
        await expectAccessible(page, address);
      }
      app.expectQuiet();
    });

    test('a refused file, and a link to a missing file', { tag: '@long' }, async ({ page }) => {
      const app = new AppPage(page);
      await app.open();
      await app.dropFile({ name: 'notes.txt', buffer: Buffer.from('plain text, nothing else') });
      expect((await app.status()).outcome).toBe('refused');
      await expectAccessible(page, 'refused');
      await app.open(`/types?file=${'b'.repeat(64)}&name=gone.o`);
      await expect(page.getByRole('main')).toContainText('gone.o');
      await expectAccessible(page, 'wanted');
      app.expectQuiet();
    });
  });
}

test('an open menu', { tag: '@long' }, async ({ page }) => {
  const app = new AppPage(page);
  await app.open('/types?file=sample:exec_trace.bpf.o&type=struct:task_struct&member=pid');
  await expect(page.getByRole('status')).toContainText('Opened exec_trace.bpf.o');
  const menu = page.getByRole('menu');
  const close = async (): Promise<void> => {
    await page.keyboard.press('Escape');
    // Waits until the menu has faded out: a click before that opens a second menu beside it.
    await expect(menu).toHaveCount(0);
  };
  const members = page.getByRole('grid', { name: 'Members' });
  await page.getByRole('button', { name: 'Copy member', exact: true }).click();
  await expect(menu).toBeVisible();
  await expectAccessible(page, 'the menu of a member');
  await page.keyboard.press('Tab');
  await expect(menu).toBeHidden();
  await expect(page.getByRole('button', { name: 'Copy member', exact: true })).toBeFocused();
  await members.getByRole('row', { name: /^tgid / }).click({ button: 'right' });
  await expect(menu).toBeVisible();
  await expectAccessible(page, 'the menu under the pointer');
  await close();
  await page.getByRole('button', { name: 'Settings' }).click();
  await expect(menu).toBeVisible();
  await expectAccessible(page, 'the settings');
  await close();
  await page.getByRole('tab', { name: 'Bytes', exact: true }).click({ button: 'right' });
  await expect(menu).toBeVisible();
  await expectAccessible(page, 'the menu of a tab');
  await close();
  await app.dropFile(fileURLToPath(new URL('../public/samples/kernel.btf', import.meta.url)));
  await app.opened();
  await page.getByRole('button', { name: 'Open files: 2' }).click();
  await expect(menu).toBeVisible();
  await expectAccessible(page, 'the menu of files');
  app.expectQuiet();
});

test('forced colours show what is selected', { tag: '@long' }, async ({ page }) => {
  await page.emulateMedia({ forcedColors: 'active' });
  const app = new AppPage(page);
  await app.open('/types?file=sample:exec_trace.bpf.o&type=struct:task_struct&member=pid');
  await expect(page.getByRole('status')).toContainText('Opened exec_trace.bpf.o');
  for (const selected of [
    page.getByRole('tab', { selected: true }),
    page.getByRole('option', { selected: true }),
    page.getByRole('grid', { name: 'Members' }).getByRole('row', { selected: true }),
    page.getByRole('radiogroup', { name: 'Order' }).getByText('Structs', { exact: true }),
  ]) {
    await expect(selected).toHaveCSS('outline-style', 'solid');
  }
  await expectAccessible(page, 'forced colours');
  app.expectQuiet();
});

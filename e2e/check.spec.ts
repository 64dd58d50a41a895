/**
 * Tests verdicts on BTF: of an object before and after libbpf's fix-ups, of a kernel, and of a
 * broken file. Also tests the link from a verdict to the bytes.
 */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, type Page } from '@playwright/test';
import { AppPage, type TestFile } from './app-page.ts';
import { expectAccessible, LOOKS } from './expect-accessible.ts';
import { test } from './test.ts';

const sample = (name: string) =>
  fileURLToPath(new URL(`../public/samples/${name}`, import.meta.url));

async function openChecked(page: Page, file: TestFile): Promise<AppPage> {
  const app = new AppPage(page);
  await app.open();
  await app.chooseFile(file);
  await app.opened();
  await app.show('Check');
  await expect(page.getByRole('heading', { level: 2 }).first()).toBeVisible();
  return app;
}

/** Sets kind_flag of the first record: the top bit of the record's second word. */
function withKindFlag(name: string): TestFile {
  const buffer = readFileSync(sample(name));
  const first = 24 + 4;
  buffer.writeUInt32LE((buffer.readUInt32LE(first) | 0x80000000) >>> 0, first);
  return { name: 'broken.btf', buffer };
}

test('an object straight from clang is refused as compiled and accepted as loaded', async ({
  page,
}) => {
  const app = await openChecked(page, sample('exec_trace.bpf.o'));
  await expect(page.getByRole('heading', { name: 'Linux 6.18 accepts this BTF' })).toBeVisible();
  const compiled = page.getByRole('button', { name: /^As compiled/ });
  await expect(compiled).toContainText('rejected: EINVAL');
  await expect(page.getByRole('button', { name: /^As loaded/ })).toHaveAttribute(
    'aria-pressed',
    'true',
  );
  await compiled.click();
  await expect(page.getByRole('option', { name: /\.bss is 0/ })).toBeVisible();

  await page.getByRole('button', { name: /^libbpf applies/ }).click();
  const rewrite = page.getByRole('option', { name: /the size of \.maps/ });
  await rewrite.click();
  await expect(page.getByRole('article')).toContainText('48');

  await page.getByRole('button', { name: /^As loaded accepted/ }).click();
  await expect(page.getByText('No problems left')).toBeVisible();
  app.expectQuiet();
});

test('the system calls of an object lead to its maps, types and code', async ({ page }) => {
  const app = await openChecked(page, sample('xdp_counter.bpf.o'));
  await page.getByRole('button', { name: /^System calls/ }).click();
  const call = page.getByRole('article');
  await expect(call).toContainText('btf_size');
  await page.getByRole('button', { name: /^BPF_BTF_GET_FD_BY_ID/ }).click();
  await expect(call).toContainText('from bpf_map_info or bpf_prog_info');
  await page.getByRole('option', { name: /protocols/ }).click();
  await expect(call).toContainText('btf_key_type_id13');
  await page.getByRole('button', { name: /^BPF_PROG_LOAD/ }).click();
  await page.getByRole('option', { name: /count_packets/ }).click();
  await expect(call).toContainText('94, with 2 subprograms appended');
  await page.getByRole('grid', { name: 'func_info' }).getByText('57').first().click();
  await expect(page).toHaveURL(/#\/code/);
  app.expectQuiet();
});

test('BTF of a kernel is accepted as stored', async ({ page }) => {
  const app = await openChecked(page, sample('kernel.btf'));
  await expect(page.getByRole('heading', { name: 'Linux 6.18 accepts this BTF' })).toBeVisible();
  await expect(page.getByText('No problems')).toBeVisible();
  await expect(page.getByRole('button', { name: /^As compiled/ })).toHaveCount(0);
  app.expectQuiet();
});

test('a problem of a broken blob links to its bytes and to its type', async ({ page }) => {
  const app = await openChecked(page, withKindFlag('kernel.btf'));
  await expect(page.getByRole('heading', { name: 'Linux 6.18 rejects this BTF' })).toBeVisible();
  await expect(page.getByRole('tabpanel')).toContainText('Invalid btf_info kind_flag');
  await expect(page.getByRole('heading', { name: 'libbpf 1.8 accepts it' })).toBeVisible();

  await page.getByRole('option', { name: /has kind_flag set/ }).click();
  await page.getByRole('button', { name: 'Show bytes' }).click();
  await expect(app.tab('Bytes')).toHaveAttribute('aria-selected', 'true');
  await expect(page).toHaveURL(/bytes=[^&]*0x1f-0x20$/);

  await page.goBack();
  await expect(app.tab('Check')).toHaveAttribute('aria-selected', 'true');
  await page
    .getByRole('article')
    .getByTitle(/^\[1\] /)
    .click();
  await expect(app.tab('Types')).toHaveAttribute('aria-selected', 'true');
  app.expectQuiet();
});

test('a problem is chosen and followed by keyboard alone', { tag: '@long' }, async ({ page }) => {
  const app = await openChecked(page, sample('kinds.btf'));
  await page.getByRole('listbox', { name: 'Problems' }).focus();
  await page.keyboard.press('End');
  await expect(page.getByRole('option', { selected: true })).toContainText('Not a VAR kind member');
  await page.keyboard.press('Enter');
  await expect(app.tab('Bytes')).toHaveAttribute('aria-selected', 'true');
  app.expectQuiet();
});

test('split BTF is judged on the base that is chosen for it', { tag: '@long' }, async ({
  page,
}) => {
  const app = await openChecked(page, sample('module.btf'));
  await expect(page.getByText('checked without its base')).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Linux 6.18 rejects this BTF' })).toBeVisible();
  await page.getByLabel('Open a base').setInputFiles(sample('kernel.btf'));
  await expect(page.getByRole('heading', { name: 'Linux 6.18 accepts this BTF' })).toBeVisible();
  await expect(page.getByText('As module BTF on its base.')).toBeVisible();
  app.expectQuiet();
});

for (const { name, ...look } of LOOKS) {
  test.describe(name, () => {
    test.use(look);

    test('has no axe violation and no cut text', { tag: '@long' }, async ({ page }) => {
      for (const file of ['kinds.be.bpf.o', 'module.btf', 'kernel.btf']) {
        await openChecked(page, sample(file));
        await expectAccessible(page, file);
      }
      await openChecked(page, sample('externs.bpf.o'));
      await page.getByRole('button', { name: /^libbpf applies/ }).click();
      await expectAccessible(page, 'rewrites');
    });
  });
}

/**
 * Tests what the page shows when the user goes to another file: the same type, an offer to load an
 * object on kernels, the files of a package.
 */
import { readFileSync } from 'node:fs';
import { expect, type Page } from '@playwright/test';
import { arFile, tarFile } from '../src/testing/archives.ts';
import { corpusKernel, kernelIds, readCorpusFile } from '../src/testing/corpus.ts';
import { samplePath } from '../src/testing/samples.ts';
import { AppPage, type TestFile } from './app-page.ts';
import { test } from './test.ts';

const file = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const heading = (page: Page, name: RegExp) => page.getByRole('heading', { name }).first();
const kernel = (id: string, name: string): TestFile => ({
  name,
  buffer: readCorpusFile(corpusKernel(id)),
});

/** Opens two kernels, the second one after `struct sk_buff` was selected in the first. */
async function openTwo(page: Page): Promise<AppPage> {
  const app = new AppPage(page);
  await app.open();
  await app.chooseFile(kernel(kernelIds.second, 'new.btf'));
  await app.opened();
  await app.chooseFile(kernel(kernelIds.first, 'old.btf'));
  await app.opened();
  await ask(page, 'struct sk_buff');
  await expect(heading(page, /sk_buff/)).toBeVisible();
  return app;
}

async function ask(page: Page, text: string): Promise<void> {
  await page.keyboard.press('Control+k');
  await expect(page.getByRole('combobox', { name: /Find/ })).toBeFocused();
  await page.keyboard.insertText(text);
  await expect(page.getByRole('dialog').getByRole('option').first()).toContainText(
    text.split(' ').at(-1) ?? '',
  );
  await page.keyboard.press('Enter');
}

test('the same struct is shown after switching to another file', async ({ page }) => {
  const app = await openTwo(page);
  await file(page, 'new.btf').click();
  await expect(page.getByRole('tab', { name: 'Types' })).toHaveAttribute('aria-selected', 'true');
  await expect(page).toHaveURL(/type=struct:sk_buff/);
  // It follows until the user selects a type there.
  await file(page, 'old.btf').click();
  await ask(page, 'struct task_struct');
  await file(page, 'new.btf').click();
  await expect(page).toHaveURL(/type=struct:task_struct/);
  await ask(page, 'struct net_device');
  await expect(page).toHaveURL(/type=struct:net_device/);
  await file(page, 'old.btf').click();
  await expect(page).toHaveURL(/type=struct:task_struct/);
  await file(page, 'new.btf').click();
  await expect(page).toHaveURL(/type=struct:net_device/);
  app.expectQuiet();
});

test('a file opened beside shows the struct of the first pane', async ({ page }) => {
  const app = await openTwo(page);
  await page.keyboard.press('Control+k');
  // The palette loads when it is first opened.
  await expect(page.getByRole('combobox', { name: 'Find anything' })).toBeFocused();
  await page.keyboard.insertText('> new.btf beside');
  await page.getByRole('option', { name: /Open new\.btf beside/ }).click();
  const second = page.getByRole('region', { name: /^Second pane: Types/ });
  await expect(second).toContainText('sk_buff');
  await expect(second).not.toContainText('Choose a type');
  app.expectQuiet();
});

test('an object dropped with kernels leads to Load', async ({ page }) => {
  const app = new AppPage(page);
  await app.open();
  await app.fileInput.setInputFiles(
    [
      { name: 'exec_trace.bpf.o', buffer: readFileSync(samplePath('exec_trace.bpf.o')) },
      { name: 'old.btf', buffer: readCorpusFile(corpusKernel(kernelIds.first)) },
      { name: 'new.btf', buffer: readCorpusFile(corpusKernel(kernelIds.second)) },
    ].map(({ name, buffer }) => ({ name, buffer: Buffer.from(buffer), mimeType: '' })),
  );
  const offer = page.getByRole('status').filter({ hasText: 'opened together' });
  await expect(offer).toContainText('exec_trace.bpf.o and 2 kernels were opened together.');
  await offer.getByRole('button', { name: 'Show Load' }).click();
  await expect(page.getByRole('grid', { name: /on kernels$/ })).toContainText('on_exec');
  await expect(offer).toHaveCount(0);
  app.expectQuiet();
});

test('the offer of Load ends when Load is opened by its tab', async ({ page }) => {
  const app = new AppPage(page);
  await app.open();
  const names = ['task_state.bpf.o', 'toy-5.10.btf', 'toy-6.1.btf'];
  await app.fileInput.setInputFiles(names.map(samplePath));
  const offer = page.getByRole('status').filter({ hasText: 'opened together' });
  await expect(offer).toContainText('task_state.bpf.o and 2 kernels were opened together.');
  await page.getByRole('tab', { name: 'Types' }).click();
  await expect(offer).toHaveCount(1);
  await page.getByRole('tab', { name: 'Load' }).click();
  await expect(offer).toHaveCount(0);
  app.expectQuiet();
});

test('a Debian package opens at its files, the kernel first', async ({ page }) => {
  const text = new TextEncoder().encode('text');
  const data = tarFile({
    './usr/share/doc/linux-image-6.12.43+deb12-cloud-amd64-unsigned/copyright': text,
    './boot/vmlinux-6.12.43': readCorpusFile(corpusKernel(kernelIds.first)),
  });
  const deb = arFile({ 'debian-binary': text, 'control.tar': tarFile({}), 'data.tar': data });
  const app = new AppPage(page);
  await app.open();
  await app.chooseFile({ name: 'linux.deb', buffer: deb });
  const rows = page.getByRole('grid', { name: 'Archive members' }).getByRole('row');
  await expect(rows.nth(1)).toContainText('./boot/vmlinux-6.12.43');
  await expect(rows.nth(1)).toContainText('BTF');
  // The package itself can be seen, too.
  await file(page, 'linux.deb').click();
  await expect(rows.filter({ hasText: 'control.tar' })).toBeVisible();
  await expect(page.getByRole('navigation', { name: 'Files' }).getByRole('listitem')).toHaveCount(
    2,
  );
  app.expectQuiet();
});

test('kernels chosen without an object are opened and shown', async ({ page }) => {
  const app = new AppPage(page);
  await app.open();
  const { name, buffer } = {
    name: 'old.btf',
    buffer: readCorpusFile(corpusKernel(kernelIds.first)),
  };
  await page
    .getByLabel('Choose an object and kernels')
    .setInputFiles([{ name, buffer: Buffer.from(buffer), mimeType: '' }]);
  await expect(page.getByRole('tab', { name: 'Types' })).toBeVisible();
  await expect(page).toHaveTitle(/^old\.btf/);
  app.expectQuiet();
});

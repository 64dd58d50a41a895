/** Tests the two questions on the start page. */
import { expect, test } from '@playwright/test';
import { AppPage } from './app-page.ts';
import { expectAccessible } from './expect-accessible.ts';

const sample = (name: string) => `public/samples/${name}`;

test('an object and a kernel give the programs that load', async ({ page }) => {
  const app = new AppPage(page);
  await app.open();
  await page
    .getByLabel('Choose an object and kernels')
    .setInputFiles([sample('kernel.btf'), sample('exec_trace.bpf.o')]);
  await expect(page).toHaveURL(/#\/load\?.*name=exec_trace\.bpf\.o/);
  await expect(page.getByRole('grid', { name: /on kernels$/ })).toContainText('2 of 3 load');
  await expectAccessible(page, 'Load, from the start page');
  app.expectQuiet();
});

test('the example shows an object on a kernel', async ({ page }) => {
  const app = new AppPage(page);
  await app.open();
  await page.getByRole('button', { name: 'Show an example' }).click();
  await expect(page).toHaveURL(/#\/load\?file=sample:exec_trace\.bpf\.o/);
  await expect(page.getByRole('grid', { name: /on kernels$/ })).toContainText('2 of 3 load');
  app.expectQuiet();
});

test('a log is explained without a file at hand', async ({ page }) => {
  const app = new AppPage(page);
  await app.open();
  await page.getByRole('button', { name: 'Paste a log' }).click();
  await page
    .getByRole('textbox', { name: 'Log' })
    .fill("libbpf: prog 'tc': relo #3: substituting insn #12 w/ invalid insn\n");
  await expect(page.getByRole('region', { name: 'Line 1' })).toContainText(
    'Instruction 12 becomes',
  );
  await expectAccessible(page, 'a log without a file', { withContrast: true });
  app.expectQuiet();
});

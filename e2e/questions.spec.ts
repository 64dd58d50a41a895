/** Tests the two questions on the start page. */
import { expect } from '@playwright/test';
import { AppPage } from './app-page.ts';
import { expectAccessible } from './expect-accessible.ts';
import { test } from './test.ts';

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

test('the example shows an object on six kernels, and all reasons on the oldest', async ({
  page,
}) => {
  const app = new AppPage(page);
  await app.open();
  await page.getByRole('button', { name: 'Show an example' }).click();
  await expect(page).toHaveURL(/#\/load\?file=sample:task_state\.bpf\.o/);
  const verdict = page.getByText('Loads on 3 of 6 kernels; refused on 5.10, 5.15 and 6.1.');
  await expect(verdict.filter({ visible: true })).toBeVisible();
  // The first program that is refused is shown, on the oldest kernel that refuses it.
  const detail = page.getByRole('region', { name: 'Active cell' });
  await expect(detail).toContainText('count_switch');
  const reasons = detail.getByRole('list');
  await expect(reasons.first()).toContainText(
    "extern (func ksym) 'bpf_map_sum_elem_count': not found in kernel or module BTFs",
  );
  await expect(
    reasons.first().getByRole('button', { name: /task_state\.bpf\.c:53/ }),
  ).toBeVisible();
  await expect(detail).toContainText('Not reached today: 1 more reason');
  await expect(reasons.last()).toContainText('struct task_struct has no member __state');
  await expect(app.tab('Problems')).toContainText('2');
  await expectAccessible(page, 'Load, the example');
  await app.tab('Problems').click();
  const problem = page.getByRole('listitem').filter({ hasText: 'count_switch' });
  await expect(problem).toContainText('refused on 5.10, 5.15 and 6.1');
  await expectAccessible(page, 'Problems of the example');
  await app.tab('Overview').click();
  await page.getByRole('button', { name: 'Show in Load' }).click();
  await expect(app.tab('Load')).toHaveAttribute('aria-selected', 'true');
  app.expectQuiet();
});

test('a log is explained without a file at hand', async ({ page }) => {
  const app = new AppPage(page);
  await app.open();
  await page
    .getByRole('textbox', { name: 'Log' })
    .fill("libbpf: prog 'tc': relo #3: substituting insn #12 w/ invalid insn\n");
  await page.getByRole('button', { name: 'Explain log' }).click();
  await expect(page.getByRole('region', { name: 'Line 1' })).toContainText(
    'Instruction 12 becomes',
  );
  await expectAccessible(page, 'a log without a file', { withContrast: true });
  app.expectQuiet();
});

/** Tests the example of Load: two reasons, one behind the other, and fixes that make it load. */
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from '@playwright/test';
import { AppPage } from './app-page.ts';
import { expectAccessible } from './expect-accessible.ts';
import { test } from './test.ts';

const samples = fileURLToPath(new URL('../public/samples', import.meta.url));
const command = fileURLToPath(new URL('../bin/btfscope.mjs', import.meta.url));
const RELEASES = ['5.10', '5.15', '6.1', '6.6', '6.12', '6.18'];
const hasTools = ['clang-19', 'patch'].every((tool) => spawnSync(tool, ['--version']).status === 0);

/** Applies a diff to the source of the example, compiles it, and returns the command's sentence. */
function loadsWith(diff: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'btfscope-fixes-'));
  try {
    cpSync(join(samples, 'src'), join(folder, 'src'), { recursive: true });
    writeFileSync(join(folder, 'fixes.diff'), `${diff}\n`);
    execFileSync('patch', ['-p1', '-i', 'fixes.diff'], { cwd: folder });
    const flags = ['--target=bpf', '-mcpu=v3', '-g', '-O2', '-Wall', '-Werror'];
    const words = [...flags, '-c', 'src/task_state.bpf.c', '-o', 'fixed.o'];
    execFileSync('clang-19', words, { cwd: folder });
    const kernels = RELEASES.flatMap((release) => [
      '--kernel',
      join(samples, `toy-${release}.btf`),
    ]);
    const loaded = spawnSync('node', [command, 'load', join(folder, 'fixed.o'), ...kernels]);
    return loaded.stdout.toString().split('\n', 1)[0] ?? '';
  } finally {
    rmSync(folder, { recursive: true });
  }
}

test('two reasons hide behind one another, and the fixes of both load everywhere', async ({
  page,
}) => {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await new AppPage(page).open();
  await page.getByRole('button', { name: 'Show an example' }).click();
  const verdict = page.getByText('Loads on 3 of 6 kernels; refused on 5.10, 5.15 and 6.1.');
  await expect(verdict.filter({ visible: true })).toBeVisible();
  const detail = page.getByRole('article', { name: 'count_switch' });
  await page
    .getByRole('row', { name: /^count_switch/ })
    .getByRole('gridcell')
    .filter({ hasText: 'refused' })
    .first()
    .click();
  await expect(detail.getByRole('listitem')).toHaveCount(2);
  await expect(detail).toContainText(
    "'bpf_map_sum_elem_count': not found in kernel or module BTFs",
  );
  await expect(detail).toContainText('Not reached today: 1 more reason');
  await expect(detail).toContainText('has no member __state');
  await expect(detail).toContainText('With these fixes: 6 of 6 kernels');
  await expectAccessible(page, 'the example of Load');
  await detail.getByRole('button', { name: 'Copy all fixes' }).click();
  const copied = () => page.evaluate(() => navigator.clipboard.readText());
  await expect.poll(copied).toContain('+++ b/src/task_state.bpf.c');
  const diff = await copied();
  expect(diff).toContain('bpf_ksym_exists(bpf_map_sum_elem_count)');
  expect(diff).toContain('struct task_struct___other');
  if (hasTools) expect(loadsWith(diff)).toContain('loads on all 6 kernels');
});

/** Tests the answer on a log and the replay of its walk, from paste to cause, type and repair. */
import { readFileSync } from 'node:fs';
import { expect, type Page } from '@playwright/test';
import { verifierLogs, verifierObject } from '#testing/verifier-programs.ts';
import { AppPage } from './app-page.ts';
import { expectAccessibleInEachLook } from './expect-accessible.ts';
import { pasteInto } from './paste.ts';
import { test } from './test.ts';

/** Log of level 2 with two paths: the second one reads a value that may be NULL. */
const LOG = `libbpf: prog 'p': -- BEGIN PROG LOAD LOG --
0: R1=ctx() R10=fp0
; e = bpf_map_lookup_elem(&m, &k); @ null.bpf.c:12
0: (18) r1 = 0xffff8885160e0c00       ; R1=map_ptr(map=m,ks=4,vs=8)
2: (85) call bpf_map_lookup_elem#1    ; R0=map_value_or_null(id=1,map=m,ks=4,vs=8)
3: (bf) r6 = r0                       ; R0=map_value_or_null(id=1,map=m,ks=4,vs=8) R6=map_value_or_null(id=1,map=m,ks=4,vs=8)
; n = bpf_get_prandom_u32(); @ null.bpf.c:13
4: (85) call bpf_get_prandom_u32#7    ; R0=scalar()
; if (n > 7) @ null.bpf.c:14
5: (25) if r0 > 0x7 goto pc+2         ; R0=scalar(smin=smin32=0,smax=umax=smax32=umax32=7,var_off=(0x0; 0x7))
; return 0; @ null.bpf.c:15
6: (b7) r0 = 0                        ; R0=0
7: (95) exit

from 5 to 8: R0=scalar(umin=8) R6=map_value_or_null(id=1,map=m,ks=4,vs=8) R10=fp0
; return *e; @ null.bpf.c:16
8: (79) r0 = *(u64 *)(r6 +0)
R6 invalid mem access 'map_value_or_null'
processed 8 insns (limit 1000000) max_states_per_insn 0 total_states 0 peak_states 0 mark_read 0
libbpf: prog 'p': -- END PROG LOAD LOG --
`;

const answer = (page: Page) => page.getByRole('region', { name: 'Answer' });
const source = (page: Page) => page.getByRole('listbox', { name: 'Source of the walk' });
const state = (page: Page, insn: number) =>
  page.getByRole('region', { name: `State at insn ${insn}`, exact: true });
const row = (page: Page, register: string) =>
  page
    .getByRole('table', { name: 'Registers and stack' })
    .getByRole('row')
    .filter({ has: page.getByRole('button', { name: register, exact: true }) });

async function paste(page: Page, log: string): Promise<AppPage> {
  const app = new AppPage(page);
  await app.open();
  await pasteInto(page.getByRole('textbox', { name: 'Log' }), log);
  await expect(answer(page)).toContainText('rejected');
  return app;
}

test('a pasted log shows cause, origin, value and repair', async ({ page }) => {
  const app = await paste(page, LOG);
  await expect(answer(page)).toContainText('may be NULL');
  await expect(answer(page)).toContainText('null.bpf.c:16');
  await expect(answer(page)).toContainText('map_value of "m"');
  const chain = page.getByRole('region', { name: 'Comes from' });
  await expect(chain.getByRole('listitem')).toHaveText([/null\.bpf\.c:12/, /null\.bpf\.c:16/]);
  await expect(page.getByRole('region', { name: 'What to write' })).toContainText('if (!e)');
  await page.getByRole('button', { name: 'About this rule' }).click();
  await expect(page.getByText('Usual causes')).toBeVisible();
  await expect(source(page)).toContainText('return *e;');
  await expect(row(page, 'R6')).toContainText('may be NULL');
  await expectAccessibleInEachLook(page, 'the answer on a log');
  app.expectQuiet();
});

test('keys walk the path, branches and writes, and the address keeps the place', async ({
  page,
}) => {
  const app = await paste(page, LOG);
  await expect(state(page, 8)).toContainText('The verifier stopped at this instruction');
  await page.keyboard.press('ArrowLeft');
  await expect(state(page, 5)).toBeVisible();
  await page.keyboard.press('x');
  await expect(state(page, 5)).toBeHidden();
  await page.keyboard.press('f');
  await expect(state(page, 8)).toBeVisible();
  await page.keyboard.press('w');
  await expect(state(page, 3)).toBeVisible();
  await expect(row(page, 'R6')).toHaveAttribute('data-changed', '');
  await page.keyboard.press('n');
  await expect(state(page, 5)).toBeVisible();
  await expect(page).toHaveURL(/#\/replay\?file=bytes1:[\w-]+&.*line=10/);
  await source(page).focus();
  await page.keyboard.press('ArrowUp');
  await expect(state(page, 4)).toBeVisible();
  await page.reload();
  await expect(state(page, 4)).toBeVisible();
  app.expectQuiet();
});

test('the paths of a walk are a tree, and each step has its state', async ({ page }) => {
  const app = await paste(page, LOG);
  await page.getByText('Paths', { exact: true }).click();
  const paths = page.getByRole('listbox', { name: 'Paths of the walk' });
  await expect(paths.getByRole('option')).toHaveText([
    /Start at 0.*exit/,
    /From insn 5 to 8.*fails/,
  ]);
  await paths.getByRole('option').first().click();
  await expect(state(page, 0)).toBeVisible();
  await page.getByText('Steps', { exact: true }).click();
  const steps = page.getByRole('listbox', { name: 'Steps of the path' });
  await steps.getByRole('option').filter({ hasText: 'r0 > 0x7' }).click();
  await expect(row(page, 'R0')).toContainText('0 to 7');
  await row(page, 'R0').getByRole('button', { name: 'R0', exact: true }).click();
  await expect(row(page, 'R0')).toContainText('bits 0–2 unknown, the others 0');
  await page.getByText('Cost', { exact: true }).click();
  await expect(page.getByText(/8 walked instructions in the log; the verifier/)).toBeVisible();
  const costs = page.getByRole('listbox', { name: 'Cost of lines' });
  await expect(costs.getByRole('option').first()).toContainText('null.bpf.c:12');
  const graph = page.getByRole('group', { name: 'Cost of functions, lines and instructions' });
  const first = graph.getByRole('button').first();
  await expect(first).toHaveAccessibleName(/8 instructions, 100\.0 %/);
  await first.focus();
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('ArrowRight');
  await expect(graph.getByRole('button', { name: /null\.bpf\.c:15 return 0/ })).toBeFocused();
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('Enter');
  await expect(state(page, 6)).toBeVisible();
  await expectAccessibleInEachLook(page, 'the cost of a walk');
  app.expectQuiet();
});

test('a register shows where its value comes from and goes to', async ({ page }) => {
  const app = await paste(page, LOG);
  const list = (name: string) => page.getByRole('list', { name });
  await expect(list('R6 comes from')).toContainText('null.bpf.c:12');
  await expect(page.getByText('No later instruction of this path uses it.')).toBeVisible();
  await page.keyboard.press('w');
  await expect(state(page, 3)).toBeVisible();
  await row(page, 'R0').getByRole('button', { name: 'R0', exact: true }).click();
  await expect(list('R0 comes from').getByRole('listitem').first()).toContainText('null.bpf.c:12');
  await row(page, 'R6').getByRole('button', { name: 'R6', exact: true }).click();
  await expect(list('R6 goes to').getByRole('listitem')).toHaveText(/null\.bpf\.c:16 *return \*e/);
  await list('R6 goes to').getByRole('button', { name: 'insn 8' }).click();
  await list('R6 goes to')
    .getByRole('button', { name: /r0 = \*\(u64 \*\)\(r6/ })
    .click();
  await expect(state(page, 8)).toBeVisible();
  app.expectQuiet();
});

test('a log with its object shows lines that were never reached, and leads to Code', async ({
  page,
}) => {
  const app = new AppPage(page);
  await app.open();
  const name = 'null_lookup_member.o';
  const log = verifierLogs().find(
    ({ program, level }) => program === 'null_lookup_member' && level === 1,
  )?.text;
  if (log === undefined) throw new Error('testdata has the log');
  await app.fileInput.setInputFiles([
    { name, mimeType: '', buffer: readFileSync(`testdata/verifier/${name}`) },
    { name: 'load.log', mimeType: '', buffer: Buffer.from(log) },
  ]);
  await expect(answer(page)).toContainText('struct');
  await expect(source(page).getByText('not reached').first()).toBeAttached();
  await page.getByRole('button', { name: 'Show in Code' }).click();
  await expect(app.tab('Code')).toHaveAttribute('aria-selected', 'true');
  await expect(
    page.getByRole('grid', { name: 'Instructions' }).locator('[aria-selected=true]'),
  ).toBeVisible();
  app.expectQuiet();
});

test('a step in a subprogram leads to its instruction in Code', async ({ page }) => {
  const app = new AppPage(page);
  await app.open();
  const program = 'null_subprogram';
  const log = verifierLogs().find((one) => one.program === program && one.level === 1)?.text;
  if (log === undefined) throw new Error('testdata has the log');
  await app.fileInput.setInputFiles([
    {
      name: `${program}.o`,
      mimeType: '',
      buffer: Buffer.from(verifierObject(program)),
    },
    { name: 'load.log', mimeType: '', buffer: Buffer.from(log) },
  ]);
  await expect(state(page, 2)).toBeVisible();
  await page.keyboard.press('ArrowLeft');
  await state(page, 13).getByRole('button', { name: 'Show in Code' }).click();
  await expect(app.tab('Code')).toHaveAttribute('aria-selected', 'true');
  const row = page.getByRole('grid', { name: 'Instructions' }).locator('[aria-selected=true]');
  await expect(row).toContainText('exit');
  await expect(page.getByRole('main')).toContainText('config_of');
  app.expectQuiet();
});

test('an instruction without a field leads to its record and to Load', async ({ page }) => {
  const app = new AppPage(page);
  await app.open();
  const name = 'poisoned_core.o';
  const log = verifierLogs().find(({ program, level }) => program === 'poisoned_core' && !level);
  if (log === undefined) throw new Error('testdata has the log');
  await app.fileInput.setInputFiles([
    { name: 'load.log', mimeType: '', buffer: Buffer.from(log.text) },
    { name, mimeType: '', buffer: readFileSync(`testdata/verifier/${name}`) },
  ]);
  await expect(state(page, 1)).toContainText('<invalid CO-RE relocation>');
  await state(page, 1).getByRole('button', { name: 'relo #0' }).click();
  await expect(page.getByRole('region', { name: 'relo #0' })).toContainText('pid_of_tomorrow');
  const files = page.getByRole('navigation', { name: 'Files' });
  await files.getByRole('button', { name: 'load.log', exact: true }).click();
  await state(page, 1).getByRole('button', { name: 'Show in Load' }).click();
  await expect(app.tab('Load')).toHaveAttribute('aria-selected', 'true');
  app.expectQuiet();
});

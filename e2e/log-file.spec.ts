/** Tests logs as files: pasted, dropped with an object, in a link. */
import { readFileSync } from 'node:fs';
import { expect, type Page } from '@playwright/test';
import { AppPage } from './app-page.ts';
import { expectAccessible } from './expect-accessible.ts';
import { pasteInto } from './paste.ts';
import { test } from './test.ts';

const sample = (name: string) => `public/samples/${name}`;

/** Log of a program that reads the value of a lookup without a check. */
const LOG = `libbpf: prog 'p': BPF program load failed: -EACCES
libbpf: prog 'p': -- BEGIN PROG LOAD LOG --
0: R1=ctx() R10=fp0
; e = bpf_map_lookup_elem(&m, &k); @ null.bpf.c:12
0: (18) r1 = 0xffff8885160e0c00       ; R1=map_ptr(map=m,ks=4,vs=8)
2: (85) call bpf_map_lookup_elem#1    ; R0=map_value_or_null(id=1,map=m,ks=4,vs=8)
; return *e; @ null.bpf.c:14
3: (79) r0 = *(u64 *)(r0 +0)
R0 invalid mem access 'map_value_or_null'
processed 3 insns (limit 1000000) max_states_per_insn 0 total_states 0 peak_states 0 mark_read 0
-- END PROG LOAD LOG --
libbpf: prog 'p': failed to load: -EACCES
libbpf: failed to load object '/home/ann/null.bpf.o'
`;

const lines = (page: Page) => page.getByRole('grid', { name: 'Lines of the log' });
const binding = (page: Page) => page.getByRole('group', { name: 'Program and kernel of the log' });

async function openPage(page: Page, hash = ''): Promise<AppPage> {
  const app = new AppPage(page);
  await app.open(hash);
  return app;
}

test('a pasted log opens as a file, and its link contains it', async ({ page, context }) => {
  const app = await openPage(page);
  await pasteInto(page.getByRole('textbox', { name: 'Log' }), LOG);
  await page.getByText('Lines', { exact: true }).click();
  await expect(lines(page)).toContainText('instruction');
  await expect(page.getByRole('region', { name: 'Line 9' })).toContainText('map_value_or_null');
  await expectAccessible(page, 'the lines of a log', { withContrast: true });
  await page.getByText('Failures 4', { exact: true }).click();
  await expect(lines(page).getByRole('row')).toHaveCount(5);
  await page.getByRole('searchbox', { name: 'Find in the log' }).fill('OBJECT');
  await expect(lines(page).getByRole('row')).toHaveCount(2);
  await lines(page).getByRole('row').nth(1).click();
  await expect(page).toHaveURL(/#\/lines\?file=bytes1:[\w-]+&.*line=13&show=failures$/);
  const link = page.url();

  const other = await context.newPage();
  await other.goto(link);
  await expect(other.getByRole('region', { name: 'Line 13' })).toBeVisible();
  await expect(other.getByRole('heading', { level: 1 })).toHaveText('pasted log');
  app.expectQuiet();
});

test('a note is on a line of a log, and in its link', async ({ page, context }) => {
  const app = await openPage(page);
  await pasteInto(page.getByRole('textbox', { name: 'Log' }), LOG);
  await page.getByText('Lines', { exact: true }).click();
  await lines(page).getByRole('row').nth(5).click();
  await page.keyboard.press('m');
  const dialog = page.getByRole('dialog', { name: 'Notes' });
  await expect(dialog.getByRole('textbox', { name: 'Note on line 5' })).toBeFocused();
  await page.keyboard.type('the map');
  await page.keyboard.press('Enter');
  await expect(dialog.getByRole('list', { name: 'Notes on this file' })).toContainText('the map');
  await page.keyboard.press('Escape');
  const mark = lines(page).getByText('Note 1: ');
  await expect(mark).toHaveText('Note 1: the map');
  await expectAccessible(page, 'a note on a line of a log');
  await page.getByRole('button', { name: 'Copy link' }).first().click();
  const copy = page.getByRole('dialog', { name: 'Copy link' });
  const link = await copy.getByRole('textbox', { name: 'Link', exact: true }).inputValue();
  expect(link).toContain('notes=line%3D5~the%20map');

  const other = await context.newPage();
  await other.goto(link);
  await expect(lines(other).getByText('Note 1: ')).toHaveText('Note 1: the map');
  await lines(other).getByRole('row').nth(8).click();
  await other.keyboard.press('m');
  await other
    .getByRole('dialog', { name: 'Notes' })
    .getByRole('button', { name: 'line 5' })
    .click();
  await expect(other.getByRole('region', { name: 'Line 5' })).toBeVisible();
  app.expectQuiet();
});

test('a paste anywhere on the page opens a log, and nothing else', async ({ page }) => {
  const app = await openPage(page);
  await expect(page.getByRole('textbox', { name: 'Log' })).toBeVisible();
  await pasteInto(page.locator('body'), 'see you at twelve');
  await expect(page.getByRole('status')).toHaveText(
    'The pasted text is not a log of a loader or of the verifier',
  );
  await pasteInto(page.locator('body'), 'load program: permission denied: R1 type=ctx expected=fp');
  await expect(page.getByRole('region', { name: 'Answer' })).toContainText('R1 type=ctx');
  // Known by the table of cilium/ebpf's messages only, which the worker has.
  await pasteInto(page.locator('body'), "can't load BigEndian program on LittleEndian");
  await expect(page.getByRole('region', { name: 'Line 1' })).toContainText('compile it with');
  app.expectQuiet();
});

test('a log with its object and kernel is bound to them', async ({ page }) => {
  const app = await openPage(page);
  const name = 'exec_trace.bpf.o';
  const log = `libbpf: prog 'on_exec': relo #2: <byte_off> [31] struct cred.uid.val (0:0:0 @ offset 0)
libbpf: prog 'on_exec': relo #2: no matching targets found
`;
  await app.fileInput.setInputFiles([
    { name, mimeType: '', buffer: readFileSync(sample(name)) },
    { name: 'kernel.btf', mimeType: '', buffer: readFileSync(sample('kernel.btf')) },
    { name: 'load.log', mimeType: '', buffer: Buffer.from(log) },
  ]);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('load.log');
  await expect(binding(page)).toContainText(name);
  await expect(binding(page)).toContainText('kernel.btf');
  await page.getByRole('button', { name: /^Program/ }).click();
  await page.getByRole('menuitem', { name: 'None' }).click();
  await expect(binding(page)).toContainText('Open the object of the log');
  await page.getByRole('button', { name: /^Program/ }).click();
  await page.getByRole('menuitem', { name: `on_exec in ${name}` }).click();
  await lines(page).getByRole('button', { name: 'relo #2', exact: true }).first().click();
  await expect(page.getByRole('region', { name: 'relo #2' })).toContainText('struct cred.uid.val');
  app.expectQuiet();
});

test('a log can be copied without addresses and paths', async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const app = await openPage(page);
  await pasteInto(page.getByRole('textbox', { name: 'Log' }), LOG);
  await page.getByRole('button', { name: 'Copy without addresses and paths' }).click();
  await expect(page.getByText('Copied', { exact: true }).first()).toBeAttached();
  const text = await page.evaluate(() => navigator.clipboard.readText());
  expect(text).toContain("failed to load object '…/null.bpf.o'");
  expect(text).not.toContain('8885160e0c00');
  app.expectQuiet();
});

test('old links to a log of an object open the views of CO-RE', async ({ page }) => {
  const app = await openPage(page, '/core?file=sample:exec_trace.bpf.o&mode=log');
  await expect(page.getByRole('radio', { name: 'Explain a log' })).toBeChecked();
  await page.goto('./#/log?file=sample:exec_trace.bpf.o&part=write');
  await expect(page.getByRole('radio', { name: 'Simulate libbpf log' })).toBeChecked();
  app.expectQuiet();
});

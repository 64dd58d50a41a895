/**
 * Tests the tab Load: one object on eight kernels, and attached files that decide whether programs
 * load. Uses real kernels and an object with some 550 relocations if the corpus is
 * installed, otherwise an example and eight copies of a small kernel.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { expect, type Page } from '@playwright/test';
import {
  corpusKernels,
  corpusObjects,
  isLargeCorpus,
  readCorpusFile,
} from '../src/testing/corpus.ts';
import { AppPage } from './app-page.ts';
import { expectAccessible, LOOKS, showAs } from './expect-accessible.ts';
import { test } from './test.ts';

test.setTimeout(180_000);

const sample = (name: string) =>
  fileURLToPath(new URL(`../public/samples/${name}`, import.meta.url));

const TARGETS = 8;
const MANY = 'hand__bitfields';

let scratch = '';
let object = '';
let kernels: readonly string[] = [];

test.beforeAll(() => {
  scratch = mkdtempSync(join(tmpdir(), 'btfscope-load-'));
  const save = (name: string, bytes: Uint8Array) => {
    writeFileSync(join(scratch, name), bytes);
    return join(scratch, name);
  };
  const many = !isLargeCorpus ? undefined : corpusObjects().find(({ id }) => id === MANY);
  if (many === undefined) {
    object = sample('exec_trace.bpf.o');
    const bytes = readFileSync(sample('kernel.btf'));
    kernels = Array.from({ length: TARGETS }, (_, i) => save(`kernel-6.${i + 1}.btf`, bytes));
    return;
  }
  object = save(many.name, readCorpusFile(many));
  kernels = corpusKernels()
    .slice(0, TARGETS)
    .map((kernel) => save(kernel.name, readCorpusFile(kernel)));
});
test.afterAll(() => rmSync(scratch, { recursive: true, force: true }));

const showLoad = (page: Page) => new AppPage(page).tab('Load').click();

async function openLoad(page: Page, file = object): Promise<AppPage> {
  const app = new AppPage(page);
  await app.open();
  await app.chooseFile(file);
  await app.opened();
  await app.show('Load');
  return app;
}

const addKernels = (page: Page) =>
  page.getByLabel('Kernels to load on').setInputFiles([...kernels]);
const unfold = (page: Page) => page.getByRole('button', { name: 'Unfold all' });
/** Unfolds all lines, whether they were folded or not. */
async function unfoldAll(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^(Fold|Unfold) all$/ }).click();
  if (await unfold(page).isVisible()) await unfold(page).click();
}
const grid = (page: Page) => page.getByRole('grid', { name: 'Programs on kernels' });
const expectJudged = (page: Page, kernelCount = TARGETS) =>
  expect(page.getByRole('status')).toHaveText(`Judged on ${kernelCount} kernels`, {
    timeout: 90_000,
  });
/** Opens the menu with the choice of rows and columns. */
const openView = (page: Page) => page.getByRole('button', { name: 'View' }).click();
/** Adds the rows of externs and CO-RE records to the table. */
async function showRecords(page: Page): Promise<void> {
  await openView(page);
  await page.getByRole('checkbox', { name: 'Externs and CO-RE records' }).check();
  await page.keyboard.press('Escape');
}
/** Sets a choice in the menu *View*, and closes the menu. */
async function chooseInView(page: Page, choice: string): Promise<void> {
  await openView(page);
  await page.getByRole('radio', { name: choice, exact: true }).check({ force: true });
  await page.keyboard.press('Escape');
}
/** Returns the sentence on which kernels the object loads. */
const sentence = (page: Page) =>
  page.getByText(/^(Loads|Refused|Depends|Reading) .*(\.| …)$/).first();
const expectResolved = (page: Page) =>
  expect(page.getByRole('status')).toHaveText(`Resolved against ${TARGETS} targets`, {
    timeout: 90_000,
  });
/** Returns the first row of a relocation record: only these rows have a number. */
const firstRecord = (page: Page) =>
  grid(page)
    .getByRole('row')
    .filter({ has: page.getByRole('rowheader', { name: /^#\d+/ }) })
    .first();

test('eight kernels fill the table, with progress', async ({ page }) => {
  const app = await openLoad(page);
  await expect(page.getByText('No kernel open')).toBeVisible();
  // An observer, because the state lasts only milliseconds.
  await page.evaluate(() => {
    const seen = new Set<string>();
    new MutationObserver(() => {
      for (const bar of document.querySelectorAll('[role="progressbar"]')) {
        seen.add(bar.getAttribute('aria-valuetext') ?? '');
      }
      const words = [...seen].join('; ');
      // Writes only a changed text, because writing the attribute calls the observer again.
      if (document.body.dataset.progress !== words) document.body.dataset.progress = words;
    }).observe(document.body, { subtree: true, childList: true, attributes: true });
  });
  await addKernels(page);
  await expectJudged(page);
  await expect(page.locator('body')).toHaveAttribute('data-progress', /\d+ of \d+ kernels?/);
  await expect(sentence(page)).toContainText(/ on /);
  await expect(
    page.getByRole('button', { name: `Kernels ${TARGETS} of ${TARGETS}` }),
  ).toBeVisible();
  await showRecords(page);
  await expectResolved(page);
  await expect(page.locator('body')).toHaveAttribute('data-progress', /\d+ of \d+ targets?/);
  await expect(grid(page).getByRole('columnheader')).toHaveCount(TARGETS + 1);
  await unfoldAll(page);
  await expect(firstRecord(page).getByRole('gridcell')).toHaveCount(TARGETS);
  for (const cell of await firstRecord(page).getByRole('gridcell').all()) {
    await expect(cell).toHaveText(/^(same|changed|absent|poisoned|fails)/);
  }
  await expect(
    grid(page)
      .getByText(/loads on \d of 8/)
      .first(),
  ).toBeVisible();
  // Adding kernels has not changed the current file.
  await expect(page).toHaveTitle(new RegExp(basename(object).replaceAll('.', '\\.')));
  app.expectQuiet();
});

test('resolving can be cancelled and resumed', { tag: '@long' }, async ({ page }) => {
  const app = await openLoad(page);
  await addKernels(page);
  await expectJudged(page);
  await page.evaluate(() => {
    const observer = new MutationObserver(() => {
      const table = document.querySelector('[role="grid"]');
      for (const button of table?.querySelectorAll('button') ?? []) {
        if (button.textContent !== 'Cancel') continue;
        observer.disconnect();
        button.click();
      }
    });
    observer.observe(document.body, { subtree: true, childList: true });
  });
  await openView(page);
  // The observer's click is outside of the menu, which closes it: there is no state to wait for.
  await page.getByRole('checkbox', { name: 'Externs and CO-RE records' }).click();
  await expect(page.getByText(/^Stopped after \d of \d/)).toBeVisible();
  await unfoldAll(page);
  // The records are below the reasons of the program.
  await grid(page).press('Control+End');
  await expect(grid(page).getByText('not resolved').first()).toBeAttached();
  await page.getByRole('button', { name: 'Resume' }).click();
  await expectResolved(page);
  await expect(grid(page).getByText('not resolved')).toHaveCount(0);
  app.expectQuiet();
});

test('a cell is explained beside the table and opens its record, and Back returns to the cell', async ({
  page,
}) => {
  const app = await openLoad(page);
  await addKernels(page);
  await expectJudged(page);
  await showRecords(page);
  await expectResolved(page);
  await unfoldAll(page);
  const second = firstRecord(page).getByRole('gridcell').nth(1);
  const [state = ''] = /^[a-z]+/.exec((await second.textContent()) ?? '') ?? [];
  const head = (await grid(page).getByRole('columnheader').nth(2).getAttribute('title')) ?? '';
  await second.click();
  const detail = page.getByRole('region', { name: 'Active cell' });
  await expect(detail).toContainText(state);
  await expect(detail).toContainText(head);
  await expect(app.tab('Load')).toHaveAttribute('aria-selected', 'true');
  await detail.getByRole('button', { name: 'Why?' }).click();
  await expect(page.getByRole('radio', { name: 'Records' })).toBeChecked();
  await expect(page.getByRole('button', { name: new RegExp(`Target ${head}`) })).toBeVisible();
  const records = page.getByRole('grid', { name: 'CO-RE relocations', exact: true });
  await expect(records.getByRole('row', { selected: true })).toContainText(state);

  await showLoad(page);
  await expect(page.getByRole('region', { name: 'Active cell' })).toContainText(head);
  app.expectQuiet();
});

test('the keyboard reaches cells, folds rows and opens a record', { tag: '@long' }, async ({
  page,
}) => {
  const app = await openLoad(page);
  await addKernels(page);
  await expectJudged(page);
  await showRecords(page);
  await expectResolved(page);
  await unfoldAll(page);
  const detail = page.getByRole('region', { name: 'Active cell' });
  await chooseInView(page, 'Root type');
  await grid(page).focus();
  await page.keyboard.press('ArrowDown');
  await expect(detail).toContainText('relocations');
  const group = grid(page).getByRole('rowheader').first();
  for (const expanded of ['false', 'true']) {
    await page.keyboard.press('Enter');
    await expect(group).toHaveAttribute('aria-expanded', expanded);
  }
  for (const key of ['ArrowDown', 'ArrowRight']) await page.keyboard.press(key);
  await expect(detail.getByRole('button', { name: 'Why?' })).toBeVisible();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('radio', { name: 'Records' })).toBeChecked();
  app.expectQuiet();
});

test('rows are grouped and filtered', { tag: '@long' }, async ({ page }) => {
  const app = await openLoad(page);
  await addKernels(page);
  await expectJudged(page);
  await showRecords(page);
  await expectResolved(page);
  await chooseInView(page, 'Root type');
  await expect(
    grid(page)
      .getByRole('rowheader', { name: /^(struct|union|enum)/ })
      .first(),
  ).toBeVisible();
  await openView(page);
  await page.getByRole('searchbox', { name: 'Filter rows' }).fill('field_exists');
  const kinds = grid(page).getByRole('rowheader', { name: /^#\d+/ });
  for (const text of await kinds.allTextContents()) expect(text).toContain('field_exists');
  await page.getByRole('searchbox', { name: 'Filter rows' }).fill('no such thing');
  await expect(page.getByText('No matching relocations')).toBeVisible();
  app.expectQuiet();
});

test('the CO-RE relocations are exported as CSV and JSON', { tag: '@long' }, async ({ page }) => {
  const app = await openLoad(page);
  const { length } = kernels;
  await addKernels(page);
  await expectJudged(page);
  await showRecords(page);
  await expectResolved(page);
  const texts: string[] = [];
  for (const form of ['CSV', 'JSON']) {
    await page.getByRole('button', { name: 'Export' }).click();
    const download = page.waitForEvent('download');
    await page.getByRole('menuitem', { name: `${form}, CO-RE relocations` }).click();
    const file = await download;
    expect(file.suggestedFilename()).toBe(`${basename(object)}.core.${form.toLowerCase()}`);
    texts.push(readFileSync(await file.path(), 'utf8'));
  }
  const [csv = '', json = ''] = texts;
  const { relocations, targets } = JSON.parse(json);
  expect(targets).toHaveLength(length);
  expect(csv.trimEnd().split('\r\n')).toHaveLength(relocations.length + 1);
  expect(csv).toMatch(/(same|changed|poisoned)/);
  app.expectQuiet();
});

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const small = (name: string, buffer: Uint8Array) => ({
  name,
  mimeType: '',
  buffer: Buffer.from(buffer),
});
const smallKernels = () =>
  [1, 2, 3].map((version) => {
    const packed = readFileSync(here(`../testdata/kernels/vmlinux-small-${version}-amd64.btf.zst`));
    return small(`vmlinux-${version}.btf`, packed);
  });
const CONFIG = small('config.gz', gzipSync('# Linux\nCONFIG_HZ=250\n'));

/** Returns the cells of a program on the three kernels. */
const outcomes = (page: Page, program: string) =>
  grid(page)
    .getByRole('row')
    .filter({ has: page.getByRole('rowheader', { name: program }) })
    .first()
    .getByRole('gridcell');

async function openSmall(page: Page): Promise<AppPage> {
  const app = await openLoad(page, here('fixtures/load.bpf.o'));
  await page.getByLabel('Kernels to load on').setInputFiles(smallKernels());
  await expectJudged(page, 3);
  return app;
}

/** Gives each kernel a column of its own. */
async function unfoldKernels(page: Page): Promise<void> {
  await openView(page);
  await page.getByRole('checkbox', { name: 'Equal kernels share a column' }).uncheck();
  await page.keyboard.press('Escape');
}

const UNKNOWN = 'depends on a module and the config';
const NO_CONFIG = 'depends on the config';

/** Attaches files to the kernel in column `version`, with the menu in the column's header. */
async function attach(page: Page, version: number, ...files: ReturnType<typeof small>[]) {
  await page
    .getByRole('button', { name: `Modules, config and kallsyms of vmlinux-${version}.btf` })
    .click();
  const input = page.getByLabel('Modules, config and kallsyms', { exact: true });
  await input.and(page.locator('input')).setInputFiles(files);
  await expect(page.getByRole('listitem').getByText('reading…')).toHaveCount(0);
}

test('three kernels, a module, a config: finds the one program that does not load, why, and the fix', async ({
  page,
}) => {
  const app = await openSmall(page);
  await expect(sentence(page)).toHaveText(
    `Refused on vmlinux-2.btf and vmlinux-3.btf; ${UNKNOWN} on vmlinux-1.btf.`,
  );
  // Kernels 2 and 3 are equal: they share a column until they are unfolded.
  await expect(outcomes(page, 'without_check')).toHaveText([NO_CONFIG, 'refused']);
  await page
    .getByRole('button', { name: 'Unfold 2 kernels: vmlinux-2.btf, vmlinux-3.btf' })
    .click();
  await expect(outcomes(page, 'without_check')).toHaveText([NO_CONFIG, 'refused', 'refused']);
  await unfoldKernels(page);
  for (const program of ['on_read', 'with_check']) {
    await expect(outcomes(page, program)).toHaveText([NO_CONFIG, NO_CONFIG, NO_CONFIG]);
  }
  await expect(outcomes(page, 'on_status')).toHaveText([UNKNOWN, UNKNOWN, UNKNOWN]);
  // The page tells which information is missing, and which file contains it.
  const detail = page.getByRole('region', { name: 'Active cell' });
  await outcomes(page, 'on_read').first().click();
  await expect(detail).toContainText('It depends on CONFIG_HZ.');
  await expect(
    detail.getByRole('button', { name: "Add the kernel's config to decide" }),
  ).toBeVisible();
  await page.getByLabel('Files that decide more').setInputFiles(CONFIG);
  await expect(outcomes(page, 'on_read')).toHaveText(['loads', NO_CONFIG, NO_CONFIG]);

  // Gives kernel 1 its module; kernels 2 and 3 are marked as having none.
  const module = readFileSync(here('../testdata/kernels/modules/small-1-amd64-nf_conntrack.btf'));
  await attach(page, 1, small('nf_conntrack.btf', module));
  await expect(page.getByText('module nf_conntrack')).toBeVisible();
  await page.keyboard.press('Escape');
  for (const version of [2, 3]) {
    await attach(page, version, CONFIG);
    await page.getByRole('checkbox', { name: 'No other module is loaded' }).check();
    await page.keyboard.press('Escape');
  }
  await expect(outcomes(page, 'on_read')).toHaveText(['loads', 'loads', 'loads']);
  await expect(outcomes(page, 'with_check')).toHaveText(['loads', 'loads', 'loads']);
  await expect(outcomes(page, 'on_status')).toHaveText(['loads', 'refused', 'refused']);
  await expect(outcomes(page, 'without_check')).toHaveText(['loads', 'refused', 'refused']);
  await expect(grid(page).getByRole('columnheader').nth(1)).toContainText('4 of 4 load');
  await expect(sentence(page)).toHaveText(
    'Loads on 1 of 3 kernels; refused on vmlinux-2.btf and vmlinux-3.btf.',
  );

  // The detail shows the reason, the relocation record and the line of C.
  await outcomes(page, 'without_check').nth(1).click();
  await expect(detail).toContainText('struct gone_later has no member only_first');
  await expect(detail.getByRole('button', { name: /load\.bpf\.c:39/ })).toBeVisible();
  await detail
    .getByRole('button', { name: 'Fix: guard what uses struct gone_later.only_first' })
    .click();
  await expect(detail).toContainText('gets past this reason on 1 of the 1 kernel with it');
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await detail.getByRole('button', { name: 'Copy: Fix' }).click();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toContain(
    '+\tseen = bpf_core_field_exists(struct gone_later, only_first)\n+\t\t? g->only_first\n+\t\t: 0;',
  );
  await detail.getByRole('button', { name: 'Simulate log' }).click();
  await expect(page.getByRole('grid', { name: 'libbpf log' })).toContainText(
    'substituting insn #0',
  );
  await showLoad(page);
  await outcomes(page, 'without_check').nth(1).click();
  await detail.getByRole('button', { name: /^relo #/ }).click();
  await expect(page.getByRole('radio', { name: 'Records' })).toBeChecked();
  await showLoad(page);
  await outcomes(page, 'on_status').nth(2).click();
  await expect(detail).toContainText(
    "failed to find kernel BTF type ID of 'bpf_ct_change_status': -ESRCH",
  );
  await detail.getByRole('button', { name: /load\.bpf\.c:24/ }).click();
  await expect(app.tab('Code')).toHaveAttribute('aria-selected', 'true');
  app.expectQuiet();
});

test('a file dropped on a kernel’s column header is attached to the kernel', {
  tag: '@long',
}, async ({ page }) => {
  const app = await openSmall(page);
  await unfoldKernels(page);
  const dataTransfer = await page.evaluateHandle(() => {
    const transfer = new DataTransfer();
    transfer.items.add(new File(['CONFIG_HZ=250\n'], '.config'));
    return transfer;
  });
  const header = grid(page).getByRole('columnheader').nth(2);
  for (const type of ['dragenter', 'dragover', 'drop']) {
    await header.dispatchEvent(type, { dataTransfer });
  }
  await expect(outcomes(page, 'on_read')).toHaveText([NO_CONFIG, 'loads', NO_CONFIG]);
  await expect(
    header.getByRole('button', { name: /^Modules, config and kallsyms of .*: config$/ }),
  ).toBeVisible();
  app.expectQuiet();
});

test('the verdicts are exported as CSV, JSON and Markdown, and by a link that names the kernels', async ({
  page,
  context,
}) => {
  const app = await openSmall(page);
  const texts = new Map<string, string>();
  for (const form of ['CSV', 'JSON', 'Markdown']) {
    await page.getByRole('button', { name: 'Export' }).click();
    const download = page.waitForEvent('download');
    await page.getByRole('menuitem', { name: `${form}, programs` }).click();
    const file = await download;
    expect(file.suggestedFilename()).toMatch(/^load\.bpf\.o\.load\.(csv|json|md)$/);
    texts.set(form, readFileSync(await file.path(), 'utf8'));
  }
  expect(texts.get('CSV')).toContain('load.bpf.o,vmlinux-2.btf,without_check,raw_tp/sched_switch');
  const pairs: unknown = JSON.parse(texts.get('JSON') ?? '');
  expect(pairs).toMatchObject([
    { object: 'load.bpf.o', kernel: 'vmlinux-1.btf', outcome: 'may-fail' },
    { kernel: 'vmlinux-2.btf', outcome: 'rejected' },
    { kernel: 'vmlinux-3.btf', outcome: 'rejected' },
  ]);
  expect(texts.get('Markdown')).toContain('| program | vmlinux\\-1.btf | vmlinux\\-2.btf |');
  await expect(page).toHaveURL(/&kernels=(?:[0-9a-f]{64}~vmlinux-\d\.btf,?){3}$/);

  // A recipient who has only the object is asked for the kernels by name.
  const { hash } = new URL(page.url());
  const otherContext = await context.browser()?.newContext();
  const recipient = await otherContext?.newPage();
  if (recipient === undefined) throw new Error('the browser opens no page');
  await recipient.goto(`${new URL(page.url()).origin}/${hash}`);
  const recipientApp = new AppPage(recipient);
  await recipientApp.chooseFile(here('fixtures/load.bpf.o'));
  const note = recipient.getByText('This link also names 3 kernels that are not open');
  await expect(note).toBeVisible();
  await expect(recipient.getByRole('listitem').filter({ hasText: 'vmlinux-3.btf' })).toBeVisible();
  await recipient.getByLabel('Kernels to load on').first().setInputFiles(smallKernels());
  await expect(outcomes(recipient, 'without_check')).toHaveText([NO_CONFIG, 'refused']);
  await expect(note).toBeHidden();
  await otherContext?.close();
  app.expectQuiet();
});

test('a link to a cell shows its reasons; Enter unfolds equal kernels', async ({ page }) => {
  const app = await openSmall(page);
  const detail = page.getByRole('region', { name: 'Active cell' });
  // The worst cell is shown at first.
  await expect(detail).toContainText(/refused\s*on vmlinux-2\.btf and vmlinux-3\.btf/);
  await outcomes(page, 'without_check').nth(1).click();
  await expect(page).toHaveURL(/&program=without_check&on=vmlinux-2\.btf$/);
  const reasons = detail.getByRole('listitem');
  await expect(reasons.first()).toContainText('It depends on CONFIG_HZ.');
  await expect(reasons.nth(1)).toContainText('kernel refuses');
  await expect(reasons.nth(1)).toContainText('failed to resolve CO-RE relocation <byte_off>');
  await grid(page).focus();
  await page.keyboard.press('Enter');
  await expect(outcomes(page, 'without_check')).toHaveCount(3);
  await page.keyboard.press('ArrowRight');
  await expect(page).toHaveURL(/&on=vmlinux-3\.btf$/);

  await page.reload();
  await page.getByLabel('Kernels to load on').first().setInputFiles(smallKernels());
  await expect(detail).toContainText('without_check');
  await expect(detail).toContainText('struct gone_later has no member only_first');
  app.expectQuiet();
});

test('a pasted log is matched to the results predicted for the open kernels', async ({ page }) => {
  const app = await openSmall(page);
  await app.show('CO-RE');
  await page.getByRole('radio', { name: 'Explain a log' }).check({ force: true });
  await page
    .getByRole('textbox', { name: 'Log' })
    .fill("libbpf: prog 'without_check': relo #2: substituting insn #0 w/ invalid insn\n");
  await page.getByRole('button', { name: 'Explain log' }).click();
  await expect(
    page.getByText('1 line as predicted for vmlinux-2.btf, vmlinux-3.btf'),
  ).toBeVisible();
  await page.getByRole('button', { name: 'Show in Load' }).click();
  await expect(outcomes(page, 'without_check').nth(1)).toHaveText('refused');
  app.expectQuiet();
});

test('has no axe violation and no cut text', { tag: '@long' }, async ({ page }) => {
  const app = await openLoad(page);
  await expectAccessible(page, 'empty');
  await addKernels(page);
  await expectJudged(page);
  for (const look of LOOKS) {
    await showAs(page, look);
    await expectAccessible(page, `programs, ${look.name}`);
  }
  await showRecords(page);
  await expectResolved(page);
  for (const look of LOOKS) {
    await showAs(page, look);
    await grid(page).focus();
    for (const key of ['ArrowDown', 'ArrowDown', 'ArrowRight']) await page.keyboard.press(key);
    await expectAccessible(page, look.name);
  }
  await openView(page);
  await expect(page.getByRole('radio', { name: 'Root type' })).toBeAttached();
  await expectAccessible(page, 'the menu View');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: /^Kernels \d/ }).click();
  await expect(page.getByRole('checkbox').nth(TARGETS)).toBeVisible();
  await expectAccessible(page, 'targets');
  await page.keyboard.press('Escape');
  await page
    .getByRole('button', { name: /^Modules, config and kallsyms of/ })
    .first()
    .click();
  await expect(page.getByRole('textbox', { name: 'uname -r' })).toBeVisible();
  await expectAccessible(page, 'what else is known of a kernel');
  app.expectQuiet();
});

/**
 * Tests CO-RE relocations against targets: the values of the kernel's document, and the results of
 * records on other kernels. Uses the large corpus only if BTFSCOPE_CORPUS=large.
 */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, type Locator, type Page } from '@playwright/test';
import { btfBlob } from '../src/testing/btf-blob.ts';
import { struct } from '../src/testing/btf-types.ts';
import {
  type CorpusFile,
  corpusKernels,
  corpusObjects,
  corpusRows,
  isLargeCorpus,
  readCorpusFile,
} from '../src/testing/corpus.ts';
import { AppPage, type TestFile } from './app-page.ts';
import { expectAccessible, LOOKS } from './expect-accessible.ts';
import { test } from './test.ts';

const sample = (name: string) =>
  fileURLToPath(new URL(`../public/samples/${name}`, import.meta.url));

/** Opens the files, and shows the first file's CO-RE relocations. */
async function openCore(page: Page, ...files: readonly TestFile[]): Promise<AppPage> {
  const app = new AppPage(page);
  await app.open();
  for (const file of files) {
    await app.chooseFile(file);
    await app.opened();
  }
  if (files.length > 1) {
    await page.getByRole('navigation', { name: 'Files' }).getByRole('button').first().click();
  }
  await app.show('CO-RE');
  return app;
}

const target = (page: Page): Locator => page.getByRole('button', { name: /^Target/ });

async function chooseTarget(page: Page, name: RegExp): Promise<void> {
  await target(page).click();
  await page.getByRole('menuitem', { name }).click();
}

const records = (page: Page): Locator => page.getByRole('grid', { name: 'CO-RE relocations' });

/** Clicks a row of the list of records, and returns the inspector. */
async function record(page: Page, row: number): Promise<Locator> {
  const line = records(page).locator(`[data-row="${row}"]`);
  // A row under the fixed header cannot be clicked.
  if (row === 0) await records(page).evaluate((grid) => grid.scrollTo(0, 0));
  await line.click({ position: { x: 20, y: 10 } });
  const inspector = page.getByRole('region', { name: /^relo #/ });
  await expect(line).toHaveAttribute('aria-selected', 'true');
  return inspector;
}

const part = (inspector: Locator, name: string): Locator =>
  inspector.getByRole('region', { name, exact: true });

const requestedRow = (inspector: Locator): Locator =>
  part(inspector, 'Computed values').getByRole('row').filter({ hasText: '(asked for)' });

/** Values of alpha to delta in "BPF LLVM Relocations", section "CO-RE Relocations". */
const DOCUMENT = [
  ['alpha', '<byte_off> [2] struct foo.a (0:0 @ offset 0)', '0', '0x0'],
  ['alpha', '<byte_off> [2] struct foo.a (0:0 @ offset 0)', '0', '0x0'],
  ['bravo', '<byte_off> [2] struct foo.b (0:1 @ offset 4)', '4', 'r1 = 0x4'],
  ['bravo', '<byte_sz> [2] struct foo.b (0:1 @ offset 4)', '4', 'r1 = 0x4'],
  ['bravo', '<field_exists> [2] struct foo.b (0:1 @ offset 4)', '1', 'r1 = 0x1'],
  ['bravo', '<signed> [2] struct foo.b (0:1 @ offset 4)', '1', 'r1 = 0x1'],
  ['bravo', '<lshift_u64> [2] struct foo.c (0:2 @ offset 8)', '49 0x31', 'r1 = 0x31'],
  ['bravo', '<rshift_u64> [2] struct foo.c (0:2 @ offset 8)', '49 0x31', 'r1 = 0x31'],
  ['charlie', '<type_exists> [2] struct foo', '1', 'r1 = 0x1'],
  ['charlie', '<type_size> [2] struct foo', '12 0xc', 'r1 = 0xc'],
  ['charlie', '<type_matches> [2] struct foo', '1', 'r1 = 0x1'],
  ['charlie', '<local_type_id> [2] struct foo', '2', 'r1 = 0x2 ll'],
  ['charlie', '<target_type_id> [2] struct foo', '2', 'r1 = 0x2 ll'],
  ['delta', '<enumval_exists> [16] enum bar::U = 0', '1', 'r1 = 0x1 ll'],
  ['delta', '<enumval_value> [16] enum bar::V = 1', '1', 'r1 = 0x1 ll'],
] as const;

test('the inspector shows every number of the document, for the object and for itself as the target', async ({
  page,
}) => {
  const app = await openCore(page, sample('doc_core.bpf.o'));
  for (const isCompared of [false, true]) {
    if (isCompared) await chooseTarget(page, /itself/);
    for (const [row, [func, spec, value, insn]] of DOCUMENT.entries()) {
      const inspector = await record(page, row);
      await expect(inspector).toContainText(spec);
      await expect(inspector).toContainText(`of ${func}`);
      for (const cell of await requestedRow(inspector).getByRole('cell').all()) {
        await expect(cell).toContainText(new RegExp(`^${value}(?![0-9])`));
      }
      await expect(requestedRow(inspector).getByRole('cell')).toHaveCount(isCompared ? 2 : 1);
      await expect(part(inspector, 'Patched instruction')).toContainText(insn);
      if (isCompared) {
        await expect(part(inspector, 'Relocated against itself')).toContainText('same');
        await expect(part(inspector, 'Patched instruction')).toContainText('Unchanged');
      }
    }
  }
  // The field p->c has 15 bits from bit 64 on. It is loaded as four bytes at offset 8.
  const shift = await record(page, 6);
  const numbers = part(shift, 'Computed values');
  await expect(numbers.getByRole('row', { name: /^bit offset 64/ })).toBeVisible();
  await expect(numbers.getByRole('row', { name: /^byte_off 8/ })).toBeVisible();
  await expect(numbers.getByRole('row', { name: /^byte_sz 4/ })).toBeVisible();
  await expect(numbers).toContainText('off 8, sz 4');
  await expect(numbers).toContainText('<< 49');
  await expect(numbers).toContainText('>> 49');
  app.expectQuiet();
});

test('changed and poisoned instructions have a reason, the failing step and a log', {
  tag: '@long',
}, async ({ page }) => {
  const app = await openCore(page, sample('exec_trace.bpf.o'), sample('kernel.btf'));
  await chooseTarget(page, /^kernel\.btf · 82 types/);
  await expect(target(page)).toHaveAccessibleName(/kernel\.btf/);
  const states = page.getByRole('group', { name: 'States on the target' });
  await expect(states.getByRole('button')).toHaveText([
    /^same ?10$/,
    /^changed ?21$/,
    /^absent ?2$/,
    /^poisoned ?1$/,
  ]);

  const changed = await record(page, 4);
  await expect(records(page).locator('[data-row="4"]')).toContainText('12 → 92');
  await expect(part(changed, 'On kernel.btf')).toContainText('1 candidate, 1 matching');
  await expect(changed.getByRole('list', { name: 'Path in the target' })).toContainText('15 tgid');
  await expect(
    changed.getByRole('img', {
      name: 'Layout of struct task_struct: tgid is at byte 92 to byte 96',
    }),
  ).toBeVisible();
  await expect(requestedRow(changed)).toHaveAccessibleName(/12 0xc .*92 0x5c/);
  const insn = part(changed, 'Patched instruction');
  await expect(insn.locator('[data-boxed]')).toHaveText(['0c 00', '5c 00']);
  await expect(part(changed, 'libbpf log of this record')).toContainText(
    /patched insn #47 .* 12 -> 92/,
  );

  await states.getByRole('button', { name: /^poisoned/ }).click();
  await expect(records(page)).toHaveAttribute('aria-rowcount', '2');
  const poisoned = await record(page, 0);
  await expect(poisoned).toContainText('invalid func unknown#195896080');
  await expect(poisoned).toContainText('call 0xbad2310');
  await expect(poisoned).toContainText('Struct task_struct has no member state.');
  await expect(
    part(poisoned, 'How libbpf resolved it').getByText(
      'No candidate matches, so there is no value',
    ),
  ).toBeVisible();
  await poisoned.getByRole('button', { name: 'Show check, insn #3' }).click();
  await expect(page.getByRole('region', { name: /^relo #/ })).toContainText(
    '<field_exists> [55] struct task_struct___old.state',
  );
  app.expectQuiet();
});

test('a failing record shows the failing step', async ({ page }) => {
  const buffer = readFileSync(sample('doc_core.bpf.o'));
  // Writes 5 into the first `r1 = 4` of bravo, which by its record must load the offset 4 of b.
  const at = buffer.indexOf(Buffer.from('b701000004000000', 'hex'));
  expect(at).toBeGreaterThan(0);
  buffer[at + 4] = 5;
  const app = await openCore(page, { name: 'wrong.bpf.o', buffer });
  await chooseTarget(page, /itself/);
  await expect(records(page).locator('[data-row="2"]')).toContainText('fails');
  const failing = await record(page, 2);
  await expect(failing).toContainText('It fails at this record and loads no program.');
  const steps = part(failing, 'How libbpf resolved it').getByRole('listitem');
  await expect(steps.last()).toContainText('fails here: The instruction holds 5');
  await expect(part(failing, 'libbpf log of this record')).toContainText('got 5, exp 4 -> 4');
  app.expectQuiet();
});

test('a target whose types libbpf does not read is named, with the reason', {
  tag: '@long',
}, async ({ page }) => {
  // The type id of the member does not exist.
  const { bytes } = btfBlob({
    types: [struct('task_struct', 8, [{ name: 'pid', type: 99, bitOffset: 0 }])],
  });
  const app = await openCore(page, sample('exec_trace.bpf.o'), { name: 'bad.btf', buffer: bytes });
  await chooseTarget(page, /bad\.btf/);
  const told = page.getByText('libbpf does not read bad.btf');
  await expect(told).toBeVisible();
  await expect(page.getByRole('tabpanel')).toContainText('refuses these types');
  app.expectQuiet();
});

test('a kernel is opened as target without leaving the object', { tag: '@long' }, async ({
  page,
}) => {
  const app = await openCore(page, sample('exec_trace.bpf.o'));
  const open = async (file: TestFile & string) => {
    const chooser = page.waitForEvent('filechooser');
    await chooseTarget(page, /^Open kernel BTF/);
    await (await chooser).setFiles(file);
  };
  await open(sample('kernel.btf'));
  await expect(target(page)).toHaveAccessibleName(/kernel\.btf.*82 types/);
  await expect(app.tab('CO-RE')).toHaveAttribute('aria-selected', 'true');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('exec_trace.bpf.o');
  await expect(records(page)).toContainText('12 → 92');

  await open(sample('index.json'));
  await expect(page.getByRole('alert')).toContainText('index.json could not be opened');
  await expect(target(page)).toHaveAccessibleName(/kernel\.btf/);

  await chooseTarget(page, /^No target/);
  await expect(records(page)).not.toContainText('12 → 92');
  app.expectQuiet();
});

test('a file without records offers the modes that need no records', async ({ page }) => {
  const app = await openCore(page, sample('kernel.btf'));
  const parts = page.getByRole('radiogroup', { name: 'CO-RE', exact: true });
  await expect(parts.getByRole('radio')).toHaveCount(2);
  await expect(parts.getByRole('radio', { name: 'Playground' })).toBeChecked();
  await parts.getByText('Explain a log').click();
  await expect(parts.getByRole('radio', { name: 'Explain a log' })).toBeChecked();
  app.expectQuiet();
});

test('another view’s link opens the record', { tag: '@long' }, async ({ page }) => {
  const app = await openCore(page, sample('exec_trace.bpf.o'));
  await record(page, 4);
  await page.getByText('Explain a log', { exact: true }).click();
  await app.show('Code');
  await expect(page.getByRole('button', { name: 'Show CO-RE record' })).toBeVisible();
  await app.show('CO-RE');
  const parts = page.getByRole('radiogroup', { name: 'CO-RE', exact: true });
  // The view's state is the same after returning to the view.
  await expect(parts.getByRole('radio', { name: 'Explain a log' })).toBeChecked();
  await app.show('Code');
  await page.getByRole('button', { name: 'Show CO-RE record' }).click();
  await expect(parts.getByRole('radio', { name: 'Records' })).toBeChecked();
  await expect(page.getByRole('region', { name: /^relo #4/ })).toBeVisible();
  app.expectQuiet();
});

test('the keyboard reaches records, targets and steps', { tag: '@long' }, async ({ page }) => {
  const app = await openCore(page, sample('exec_trace.bpf.o'), sample('kernel.btf'));
  await target(page).focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('menuitem').first()).toBeVisible();
  await page.keyboard.press('End');
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('Enter');
  await expect(target(page)).toHaveAccessibleName(/kernel\.btf/);
  await expect(records(page)).toContainText('12 → 92');

  await records(page).focus();
  await page.keyboard.press('Home');
  const inspector = page.getByRole('region', { name: /^relo #/ });
  await expect(inspector).toContainText('struct task_struct.tgid');
  const chips = inspector.getByRole('toolbar', { name: 'Access string' }).getByRole('button');
  await chips.last().focus();
  await page.keyboard.press('ArrowLeft');
  await expect(chips.first()).toBeFocused();
  await expect(
    inspector.getByRole('list', { name: 'Path in the target' }).locator('[data-lit="true"]'),
  ).toHaveText('0 *p');
  const details = inspector.getByRole('button', { name: /details? of the comparison/ });
  await details.focus();
  await page.keyboard.press('Enter');
  await expect(inspector).toContainText('Member tgid is looked up in');
  app.expectQuiet();
});

for (const { name, ...look } of LOOKS) {
  test.describe(name, () => {
    test.use(look);

    test('has no axe violation and no cut text', { tag: '@long' }, async ({ page }) => {
      // Time for axe, which checks two thousand elements for each record.
      test.setTimeout(180_000);
      const app = await openCore(page, sample('exec_trace.bpf.o'), sample('kernel.btf'));
      await chooseTarget(page, /^kernel\.btf/);
      await expect(records(page)).toContainText('12 → 92');
      // A moved field, a bit-field, an existence check, a poisoned record, a type, an enumerator.
      for (const row of [4, 10, 21, 22, 26, 29]) {
        await record(page, row);
        await expectAccessible(page, `record ${row}`);
      }
      app.expectQuiet();
    });
  });
}

test.describe('objects and kernels of the corpus', { tag: '@long' }, () => {
  test.skip(!isLargeCorpus, 'only with BTFSCOPE_CORPUS=large');

  const CASES = [
    { id: 'prog__t11_resized', rows: 'programs', kernel: '6.1.0-56-amd64', what: 'poisoned' },
    { id: 'hand-gcc__core_mods', rows: 'hand', kernel: '6.1.0-56-amd64', what: 'fails' },
  ] as const;

  for (const { id, rows, kernel, what } of CASES) {
    test(`${id} on ${kernel}: as many records are poisoned and fail as in libbpf`, async ({
      page,
    }) => {
      const { counts, cold } = libbpfCounts(`core-oracle/${rows}.jsonl.zst`, id, kernel);
      const app = await openCore(
        page,
        droppable(corpusObjects(), id),
        droppable(corpusKernels(), kernel),
      );
      await chooseTarget(page, /^vmlinux-/);
      const states = page.getByRole('group', { name: 'States on the target' });
      await expectCounts(states, counts);
      const fresh = page.getByRole('checkbox', { name: 'Reset candidates per record' });
      await fresh.check();
      await expectCounts(states, cold);
      await fresh.uncheck();
      await expectCounts(states, counts);
      await states.getByRole('button', { name: new RegExp(`^${what}`) }).click();
      const inspector = await record(page, 0);
      await expect(part(inspector, `On vmlinux-${kernel}.btf`)).toContainText(what);
      await expect(part(inspector, 'How libbpf resolved it').getByRole('listitem')).not.toHaveCount(
        0,
      );
      app.expectQuiet();
    });
  }
});

test('the state of a task is poisoned on 6.18, which has it under another name', {
  tag: '@long',
}, async ({ page }) => {
  test.skip(!isLargeCorpus, 'only with BTFSCOPE_CORPUS=large');
  const kernel = droppable(corpusKernels(), '6.18-amd64');
  const app = await openCore(page, sample('exec_trace.bpf.o'), kernel);
  await chooseTarget(page, /^vmlinux-/);
  await page.getByRole('searchbox', { name: 'Filter CO-RE relocations' }).fill('state_of state');
  const rows = records(page).locator('[data-row]');
  await expect(rows).toHaveText([/absent1 → 0/, /poisoned0 → invalid/, /changed0 → \d+/]);
  const inspector = await record(page, 1);
  await expect(inspector).toContainText('Struct task_struct has no member state.');
  app.expectQuiet();
});

/** Returns a file of the corpus as name and bytes to drop. Throws if it does not exist. */
function droppable(files: readonly CorpusFile[], id: string): TestFile {
  const found = files.find((file) => file.id === id);
  if (found === undefined) throw new Error(`the corpus has no ${id}`);
  return { name: found.name, buffer: readCorpusFile(found) };
}

type Counts = { poisoned: number; fails: number };

async function expectCounts(states: Locator, counts: Counts): Promise<void> {
  await expect(states).toBeVisible();
  for (const [state, count] of Object.entries(counts)) {
    const chip = states.getByRole('button', { name: new RegExp(`^${state}`) });
    if (count === 0) await expect(chip).toHaveCount(0);
    else await expect(chip).toHaveText(new RegExp(`^${state} ?${count}$`));
  }
}

/**
 * Returns how many records libbpf poisons and how many it rejects. With `cold` libbpf resets the
 * candidates for each record.
 */
function libbpfCounts(
  file: string,
  object: string,
  kernel: string,
): { counts: Counts; cold: Counts } {
  const counts: Counts = { poisoned: 0, fails: 0 };
  const cold: Counts = { poisoned: 0, fails: 0 };
  let rows = 0;
  for (const row of corpusRows(file, object)) {
    if (row.text('object') !== object || row.text('target') !== kernel) continue;
    rows++;
    count(counts, row.text('status'));
    count(cold, row.has('cold') ? row.row('cold').text('status') : row.text('status'));
  }
  // Without rows for this object and kernel the corpus cannot be compared.
  expect(rows).toBeGreaterThan(0);
  return { counts, cold };
}

function count(counts: Counts, status: string): void {
  if (status === 'poisoned') counts.poisoned++;
  else if (status !== 'ok') counts.fails++;
}

test('the list of records is sorted by any of its headers', { tag: '@long' }, async ({ page }) => {
  const app = new AppPage(page);
  await app.open();
  await app.chooseFile(sample('kernel.btf'));
  await app.opened();
  await app.chooseFile(sample('exec_trace.bpf.o'));
  await app.opened();
  await app.show('CO-RE');
  // The target is chosen by default: the newest kernel of the object's byte order.
  await expect(target(page)).toHaveAccessibleName(/kernel\.btf/);
  const kind = page.getByRole('columnheader', { name: 'Kind' });
  await kind.getByRole('button').click();
  await expect(kind).toHaveAttribute('aria-sort', 'ascending');
  await expect(records(page).getByRole('row').nth(1)).toContainText('byte_off');
  await kind.getByRole('button').click();
  await expect(kind).toHaveAttribute('aria-sort', 'descending');
  await expect(records(page).getByRole('row').nth(1)).not.toContainText('byte_off');
  await kind.getByRole('button').click();
  await expect(kind).toHaveAttribute('aria-sort', 'none');
  await page.getByRole('button', { name: 'Sort by Root type' }).click();
  app.expectQuiet();
});

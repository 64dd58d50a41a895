/**
 * Tests SQL over the open files: writing, running and stopping queries; the result as a table,
 * bars, a file and a link.
 */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { expect, type Page } from '@playwright/test';
import { corpusKernels, readCorpusFile } from '../src/testing/corpus.ts';
import { HOSTILE_NAMES, hostileObject } from '../src/testing/hostile-names.ts';
import { samplePath } from '../src/testing/samples.ts';
import { AppPage } from './app-page.ts';
import { expectAccessible, LOOKS } from './expect-accessible.ts';
import { test } from './test.ts';

const sqlField = (page: Page) => page.getByRole('textbox', { name: 'SQL' });
const result = (page: Page) => page.getByRole('region', { name: 'Result' });
const rows = (page: Page) => result(page).getByRole('grid').getByRole('row');

async function run(page: Page, sql: string): Promise<void> {
  await sqlField(page).fill(sql);
  await sqlField(page).press('Control+Enter');
}

async function openSamples(page: Page, ...names: readonly string[]): Promise<AppPage> {
  const app = new AppPage(page);
  await app.open();
  for (const name of names) {
    await app.chooseFile(samplePath(name));
    await app.opened();
  }
  return app;
}

// `test` fails on each error of the page or its workers that nothing catches.
const MISSPELT: readonly (readonly [sql: string, message: string])[] = [
  [
    'SELECT DISTINCT (SELECT MAX(m.bits) FROM members m WHERE m.id = t.id AND m.zz = 1) AS x FROM types t',
    'There is no column zz. members has ',
  ],
  [
    'SELECT id FROM types t WHERE EXISTS (SELECT 1 FROM (SELECT zz FROM members) m)',
    'There is no column zz. members has ',
  ],
  ['SELECT id FROM types WHERE id IN (SELECT id FROM __proto__)', 'There is no table __proto__.'],
  [
    'SELECT name FROM types ORDER BY (SELECT id FROM constructor)',
    'There is no table constructor.',
  ],
  ["SELECT DISTINCT REGEXP_MATCHES(t.name, '(') AS x FROM types t", 'Invalid regular expression'],
];
for (const [sql, message] of MISSPELT) {
  test(`a link to a query with an error gives one message: ${sql}`, async ({ page }) => {
    const path = samplePath('kernel.btf');
    const file = createHash('sha256').update(readFileSync(path)).digest('hex');
    const app = new AppPage(page);
    await app.open(`/query?file=${file}&sql=${encodeURIComponent(sql)}`);
    await app.chooseFile(path);
    const alerts = page.getByRole('alert').filter({ visible: true });
    await expect(alerts.filter({ hasText: message })).toHaveCount(1);
    await expect(alerts).toHaveCount(1);
    // The next query runs in the same page.
    await run(page, 'SELECT COUNT(*) AS n FROM types');
    await expect(result(page)).toContainText('1 row of 1 file');
    await expect(alerts).toHaveCount(0);
  });
}

test('a query is found in the palette, run, followed and linked', async ({ page, context }) => {
  const app = await openSamples(page, 'kernel.btf', 'exec_trace.bpf.o');
  await page.keyboard.press('Control+K');
  await page.keyboard.type('sql');
  await page
    .getByRole('option', { name: /^Query/ })
    .first()
    .click();
  await page.getByRole('button', { name: 'Run' }).click();
  await expect(result(page)).toContainText('20 of 21 rows (LIMIT) of 2 files');

  await run(
    page,
    `SELECT file, name, size FROM types
WHERE name = 'task_struct' AND kind = 'struct' ORDER BY size DESC`,
  );
  await expect(result(page)).toContainText('2 rows of 2 files');
  const address = page.url();
  expect(decodeURIComponent(address)).toContain('sql=SELECT file, name, size FROM types\nWHERE');

  // The current file is the object; a click on the kernel's row opens the kernel.
  const kernelRow = rows(page).filter({ hasText: 'kernel.btf' });
  await kernelRow.getByRole('button', { name: 'task_struct' }).click();
  await expect(page.getByRole('button', { name: 'kernel.btf', exact: true })).toHaveAttribute(
    'aria-current',
    'page',
  );
  await expect(page.getByRole('heading', { name: /task_struct/ }).first()).toBeVisible();

  // In a new page the link opens the file and runs the query.
  const other = await context.newPage();
  const visitor = new AppPage(other);
  await visitor.open(address.slice(address.indexOf('#') + 1));
  await expect(result(other)).toContainText('1 row of 1 file');
  await expect(sqlField(other)).toHaveValue(/task_struct/);
  visitor.expectQuiet();
  app.expectQuiet();
});

test('rows are sorted, drawn as bars and saved', { tag: '@long' }, async ({ page }) => {
  const app = await openSamples(page, 'kernel.btf');
  await app.show('Query');
  await run(page, "SELECT name, size, id FROM types WHERE kind = 'struct' AND name <> ''");
  const first = rows(page).nth(1);
  await result(page).getByRole('columnheader', { name: 'size' }).getByRole('button').click();
  await result(page).getByRole('columnheader', { name: 'size' }).getByRole('button').click();
  const name = (await first.getByRole('gridcell').first().textContent()) ?? '';
  await run(page, "SELECT name, size FROM types WHERE kind = 'struct' ORDER BY size DESC LIMIT 1");
  await expect(rows(page)).toHaveCount(2);
  await expect(rows(page).nth(1)).toContainText(name);

  await run(page, 'SELECT kind, COUNT(*) AS n FROM types GROUP BY kind ORDER BY n DESC');
  await result(page).getByText('Chart', { exact: true }).click();
  const bars = result(page).getByRole('list', { name: 'n by row' }).getByRole('listitem');
  await expect(bars.first()).toContainText('struct');

  const download = page.waitForEvent('download');
  await result(page).getByRole('button', { name: 'Export' }).click();
  await page.getByRole('menuitem', { name: /^CSV/ }).click();
  const path = await (await download).path();
  const text = readFileSync(path, 'utf8');
  expect(text).toMatch(/^kind,n\r\nstruct,\d+\r\n/);
  app.expectQuiet();
});

test('an error is shown at its place, and a name is inserted from the list', async ({ page }) => {
  const app = await openSamples(page, 'kernel.btf');
  await app.show('Query');
  await run(page, 'SELECT name\nFROM typs');
  const alert = page.getByRole('alert').filter({ hasText: 'There is no table typs' });
  await expect(alert).toContainText('Line 2, column 6');
  await alert.getByRole('button', { name: 'Select it' }).click();
  await page.keyboard.type('types LIMIT 2');
  await expect(alert).toBeHidden();
  await page.keyboard.press('Control+Enter');
  await expect(rows(page)).toHaveCount(3);

  await sqlField(page).fill('SELECT  FROM types');
  await sqlField(page).evaluate((field: HTMLTextAreaElement) => field.setSelectionRange(7, 7));
  await page
    .getByRole('list', { name: 'Columns of types' })
    .getByRole('button', { name: 'spelling' })
    .click();
  await expect(sqlField(page)).toHaveValue('SELECT spelling FROM types');
  await expect(sqlField(page)).toBeFocused();
  app.expectQuiet();
});

test('a real kernel is queried; a slow query is stopped, and the next query runs', {
  tag: '@long',
}, async ({ page }) => {
  const kernels = corpusKernels().map(({ id, name, ...entry }) => {
    return { id, name, buffer: readCorpusFile({ id, name, ...entry }) };
  });
  const kernel = kernels.toSorted((a, b) => b.buffer.length - a.buffer.length)[0];
  if (kernel === undefined) throw new Error('the corpus has no kernel');
  const app = new AppPage(page);
  await app.open();
  await app.dropFile(kernel);
  const { types } = await app.opened();
  await app.show('Query');
  await run(
    page,
    "SELECT name, bit_offset FROM members WHERE type = 'task_struct' AND name = 'pid'",
  );
  await expect(rows(page)).toHaveCount(2);
  await run(page, 'SELECT kernel, COUNT(*) AS types FROM types GROUP BY kernel');
  await expect(rows(page).nth(1)).toContainText(`${kernel.id}${types}`);

  // A query over all triples of types, which practically never ends.
  await run(
    page,
    'SELECT a.id FROM types a JOIN types b ON TRUE JOIN types c ON a.id + b.id + c.id < 0',
  );
  await page.getByRole('progressbar').waitFor();
  // There is a second button to stop, outside of the toolbar.
  await page.getByRole('group', { name: 'Query' }).getByRole('button', { name: 'Stop' }).click();
  await expect(page.getByText('The query was stopped').last()).toBeVisible();
  await run(page, 'SELECT name FROM functions LIMIT 3');
  await expect(rows(page)).toHaveCount(4);
  app.expectQuiet();
});

test('hostile names are only text', async ({ page }) => {
  const app = new AppPage(page);
  await app.open();
  await app.dropFile({
    name: '<img src=x onerror=alert(1)>.o',
    buffer: hostileObject(HOSTILE_NAMES),
  });
  await app.opened();
  await app.show('Query');
  for (const table of ['types', 'members', 'functions', 'relocations', 'core_relocations']) {
    await run(page, `SELECT * FROM ${table}`);
    await expect(result(page)).toContainText(/[1-9]\d* rows? of 1 file/);
    expect(await result(page).locator('img, iframe, script, a').count()).toBe(0);
  }
  app.expectQuiet();
});

for (const { name, ...look } of LOOKS) {
  test.describe(name, () => {
    test.use(look);
    test('has no axe violation', { tag: '@long' }, async ({ page }) => {
      const app = await openSamples(page, 'kernel.btf');
      await app.show('Query');
      await expectAccessible(page, 'no result');
      await run(page, 'SELECT name, size, members FROM types');
      await expect(result(page)).toContainText('rows of 1 file');
      await expectAccessible(page, 'table');
      await result(page).getByText('Chart', { exact: true }).click();
      await expectAccessible(page, 'chart');
      await run(page, 'SELECT nme FROM types');
      await expect(page.getByRole('alert').filter({ hasText: 'no column' })).toBeVisible();
      await expectAccessible(page, 'error');
      app.expectQuiet();
    });
  });
}

/**
 * Files of the corpus dropped into the page: counts as in other tools' output for one object in
 * eight and for all kernels, and the expected result of each damaged file. `npm test` uses the
 * objects of testdata/ only. No dropped file may make the page log an error.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import {
  type CorpusFile,
  corpusEdges,
  corpusKernels,
  corpusModules,
  corpusObjects,
  corpusPath,
  isPacked,
  readCorpusFile,
} from '../src/testing/corpus.ts';
import { coreCountOf, relocationCountOf, typeCountOf } from '../src/testing/goldens.ts';
import { AppPage } from './app-page.ts';

test.describe.configure({ mode: 'parallel' });
test.use({ trace: 'off' });
test.setTimeout(600_000);

/** Reasons why the corpus row of a file does not describe the file, by file name. */
const WRONG_ROWS: ReadonlyMap<string, string> = new Map([
  [
    'elf_ext_core_type_ptr.o',
    'byte for byte elf_rebuilt.o: its first record has root [2] STRUCT foo',
  ],
]);

let scratch = '';
test.beforeAll(() => {
  scratch = mkdtempSync(join(tmpdir(), 'btfscope-e2e-'));
});
test.afterAll(() => rmSync(scratch, { recursive: true, force: true }));

/** Returns the path of a file; unpacks a file that the corpus stores compressed. */
function onDisk(file: CorpusFile): string {
  if (!isPacked(file)) return corpusPath(file.file);
  // Each file has its own folder: several files have the same name.
  const folder = join(scratch, file.id);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, file.name), readCorpusFile(file));
  return join(folder, file.name);
}

/**
 * Share of objects that this test opens; `src/ingest/ingest.corpus.test.ts` counts all objects
 * without a page.
 */
const ONE_IN = 8;

test('objects have the counts that the tools give', { tag: '@corpus' }, async ({ page }) => {
  const app = new AppPage(page);
  await app.open();
  const objects = corpusObjects().filter((_, i) => i % ONE_IN === 0);
  const statuses = app.dropMany(objects.map(onDisk));
  const wrong: string[] = [];
  for (const object of objects) {
    const { value } = await statuses.next();
    if (value?.outcome !== 'opened') {
      wrong.push(`${object.id}: ${JSON.stringify(value)}`);
      continue;
    }
    const expected = {
      types: typeCountOf(object.id) ?? value.types,
      relocations: relocationCountOf(object.id) ?? value.relocations,
      coreRelocations: coreCountOf(object.id),
    };
    for (const [what, count] of Object.entries(expected)) {
      const shown = value[what as keyof typeof expected];
      if (shown !== count) wrong.push(`${object.id}: ${shown} ${what}, not ${count}`);
    }
  }
  expect(wrong).toEqual([]);
  app.expectQuiet();
});

test('kernels and modules open', { tag: '@long' }, async ({ page }) => {
  const app = new AppPage(page);
  await app.open();
  const files = [...corpusKernels(), ...corpusModules()];
  for await (const status of app.dropMany(files.map(onDisk))) {
    expect(status.outcome, status.name).toBe('opened');
    expect(status.outcome === 'opened' && status.types, status.name).toBeGreaterThan(0);
  }
  app.expectQuiet();
});

test('odd files are opened, warned about or refused as their rows require', {
  tag: '@long',
}, async ({ page }) => {
  const app = new AppPage(page);
  await app.open();
  const wrong: string[] = [];
  for (const edge of corpusEdges()) {
    await app.chooseFile(onDisk(edge));
    const status = await app.status();
    if ((status.outcome === 'refused') !== (edge.accept === 'refuse')) {
      wrong.push(`${edge.id}: ${status.outcome}, but the row says ${edge.accept}`);
    } else if (status.outcome === 'opened') {
      const isAlone = edge.base === null;
      if (isAlone && edge.types !== null && status.types !== edge.types) {
        wrong.push(`${edge.id}: ${status.types} types, not ${edge.types}`);
      }
      const isWarned = edge.accept === 'warn' && !WRONG_ROWS.has(edge.id);
      if (isAlone && isWarned && (await issueCount(app)) === 0) {
        wrong.push(`${edge.id}: nothing is said of "${edge.report.join('; ')}"`);
      }
    }
    await app.close(edge.name);
  }
  expect(wrong).toEqual([]);
  app.expectQuiet();
});

/** Returns the number of rows in the Issues tab after the slow checks are done. */
async function issueCount(app: AppPage): Promise<number> {
  await app.show('Issues');
  const panel = app.page.getByRole('tabpanel');
  const options = panel.getByRole('listbox', { name: 'Issues' }).getByRole('option');
  const allWell = panel.getByRole('heading', { name: 'No issues', exact: true });
  // The tab shows rows or "No issues"; the slow checks may add rows after the first result.
  await expect(options.first().or(allWell)).toBeVisible();
  await expect(panel.getByText('looking closer')).toHaveCount(0);
  return options.count();
}

/**
 * Drops files of the corpus into the page. Counts must equal other tools' counts for all kernels
 * and for one object in eight; damaged files must give their expected result. The page may not log
 * errors. `npm test` uses only objects of testdata/.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from '@playwright/test';
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
import { test } from './test.ts';

test.describe.configure({ mode: 'parallel' });
test.use({ trace: 'off' });
test.setTimeout(600_000);

/** Files whose row in the corpus is wrong, with the reason. */
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

/** Returns the path of a file on disk; unpacks it if the corpus stores it compressed. */
function onDisk(file: CorpusFile): string {
  if (!isPacked(file)) return corpusPath(file.file);
  // A folder per file, because several files have the same name.
  const folder = join(scratch, file.id);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, file.name), readCorpusFile(file));
  return join(folder, file.name);
}

/** One in this many objects is opened; `src/ingest/ingest.corpus.test.ts` checks all of them. */
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
      const isOther = isAlone && edge.types !== null && status.types !== edge.types;
      // Rows count types of BTF; a file without BTF shows those of its DWARF, and says so.
      if (isOther && !(edge.types === 0 && (await isOfDwarf(app)))) {
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

/** Returns true if the overview says that the types are those of DWARF. */
async function isOfDwarf(app: AppPage): Promise<boolean> {
  await app.show('Overview');
  const identity = app.page.getByRole('region', { name: 'Identity' });
  await expect(identity).toContainText('SHA-256');
  return /from DWARF \d/.test((await identity.textContent()) ?? '');
}

/** Returns the number of rows in the Issues tab, after the slow checks. */
async function issueCount(app: AppPage): Promise<number> {
  await app.show('Issues');
  const panel = app.page.getByRole('tabpanel');
  const options = panel.getByRole('listbox', { name: 'Issues' }).getByRole('option');
  const allWell = panel.getByRole('heading', { name: 'No issues', exact: true });
  // Waits for rows or "No issues"; the slow checks can add rows later.
  await expect(options.first().or(allWell)).toBeVisible();
  await expect(panel.getByText('looking closer')).toHaveCount(0);
  return options.count();
}

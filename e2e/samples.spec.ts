/** Opens every example, and compares its counts with those of other tools. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect } from '@playwright/test';
import { AppPage } from './app-page.ts';
import { test } from './test.ts';

const samples = new URL('../public/samples/', import.meta.url);

type Row = {
  readonly file: string;
  readonly title: string;
  readonly types: number;
  readonly relocations: number;
  readonly core: number;
};

const isAtlas = ({ file }: Row) => file.endsWith('.btfatlas');
const rows = JSON.parse(readFileSync(new URL('index.json', samples), 'utf8')) as readonly Row[];

test('each sample can be dropped', { tag: '@long' }, async ({ page }) => {
  const app = new AppPage(page);
  await app.open();
  for (const row of rows.filter((row) => !isAtlas(row))) {
    await app.dropFile(fileURLToPath(new URL(row.file, samples)));
    expect(await app.opened(), row.file).toMatchObject({
      types: row.types,
      relocations: row.relocations,
      coreRelocations: row.core,
    });
  }
  await expect(page.getByRole('navigation', { name: 'Files' }).getByRole('listitem')).toHaveCount(
    rows.filter((row) => !isAtlas(row)).length,
  );
  app.expectQuiet();
});

test('an example opens by its card, and its address opens it again', async ({ page }) => {
  const app = new AppPage(page);
  await app.open();
  const [first] = rows;
  if (first === undefined) throw new Error('there are no samples');
  await app.openExample(first.title);
  await expect(page.getByRole('status')).toContainText(`Opened ${first.file}: `);
  await app.show('Types');
  await expect(page).toHaveURL(new RegExp(`#/types\\?file=sample:${first.file}$`));
  await page.reload();
  await expect(page.getByRole('status')).toContainText(`Opened ${first.file}: `);
  await expect(app.tab('Types')).toHaveAttribute('aria-selected', 'true');
  app.expectQuiet();
});

/**
 * Tests the type graph: expanding and folding, moving along edges, highlighting by a CO-RE chip,
 * exports.
 */
import { readFile } from 'node:fs/promises';
import { expect, type Locator, type Page } from '@playwright/test';
import { AppPage } from './app-page.ts';
import { expectAccessible, LOOKS } from './expect-accessible.ts';
import { test } from './one-page.ts';
import { test as anew } from './test.ts';

const FILE = 'file=sample:exec_trace.bpf.o';
const TASK = `/graph?${FILE}&type=struct:task_struct&depth=1`;

const graph = (page: Page) => page.getByRole('listbox', { name: /^Types around / });
const node = (page: Page, name: string) =>
  graph(page).getByRole('option', { name: new RegExp(`^\\w+ ${name}\\b`) });

async function openGraph(page: Page, hash: string): Promise<AppPage> {
  const app = new AppPage(page);
  await app.open(hash);
  await expect(graph(page)).toBeVisible();
  return app;
}

async function placeOf(box: Locator): Promise<string | null> {
  return await box.getAttribute('transform');
}

test('expands and folds by button and key, and other types keep their place', async ({ page }) => {
  const app = await openGraph(page, TASK);
  await expect(node(page, 'task_struct')).toBeVisible();
  await expect(node(page, 'signal_struct')).toBeVisible();
  await expect(node(page, 'kuid_t')).toHaveCount(0);
  const before = await placeOf(node(page, 'signal_struct'));

  await node(page, 'cred').locator('[data-action="toggle"]').click();
  await expect(node(page, 'kuid_t')).toBeVisible();
  expect(await placeOf(node(page, 'signal_struct'))).toBe(before);
  await expect(page).toHaveURL(/open=[^&]*struct[^&]*cred/);

  await page.reload();
  await expect(node(page, 'kuid_t')).toBeVisible();
  expect(await placeOf(node(page, 'signal_struct'))).toBe(before);

  await node(page, 'cred').getByText('cred', { exact: true }).click({ force: true });
  await expect(node(page, 'cred')).toHaveAttribute('aria-selected', 'true');
  await graph(page).focus();
  await page.keyboard.press('Space');
  await expect(node(page, 'cred')).toHaveAccessibleName(/folded/);
  await expect(node(page, 'kuid_t')).toHaveCount(0);
  await page.keyboard.press('Space');
  await expect(node(page, 'kuid_t')).toBeVisible();
  app.expectQuiet();
});

test('arrows move along edges, Enter redraws the graph from the selected type', async ({
  page,
}) => {
  const app = await openGraph(page, TASK);
  await graph(page).focus();
  await page.keyboard.press('ArrowRight');
  await expect(node(page, 'task_struct')).toHaveAttribute('aria-selected', 'false');
  await page.keyboard.press('ArrowLeft');
  await expect(node(page, 'task_struct')).toHaveAttribute('aria-selected', 'true');
  await page.keyboard.press('End');
  await expect(node(page, 'task_struct')).toHaveAttribute('aria-selected', 'false');
  const last = await graph(page).locator('[aria-selected="true"]').getAttribute('data-type');
  await page.keyboard.press('Enter');
  await expect(graph(page).getByRole('option').first()).toHaveAttribute('data-type', last ?? '');
  app.expectQuiet();
});

test('a chip of an access string highlights its edge', async ({ page }) => {
  const app = new AppPage(page);
  await app.open(`/core?${FILE}&core=tp_btf%2Fsched_process_exec@0x88`);
  const chips = page.getByRole('toolbar', { name: 'Access string' }).getByRole('button');
  await chips.filter({ hasText: 'uid' }).click();
  await expect(page).toHaveURL(/step=1/);
  await app.show('Graph');
  const edge = graph(page).locator('[data-edge="cred kuid_t"]');
  await expect(edge).toHaveAttribute('data-mark', 'strong');
  await expect(edge).toHaveAttribute('data-order', '1');
  await chips.filter({ hasText: 'val' }).click();
  await expect(edge).toHaveAttribute('data-mark', 'lit');
  await expect(node(page, 'kuid_t').locator('[data-lit="strong"]')).toHaveCount(1);
  app.expectQuiet();
});

test('highlights the row of a selected member and its edge', async ({ page }) => {
  const app = await openGraph(page, `${TASK}&member=cred`);
  await expect(graph(page).locator('[data-edge="task_struct cred"]')).toHaveAttribute(
    'data-mark',
    'strong',
  );
  await expect(node(page, 'task_struct').locator('[data-lit="strong"]')).toHaveCount(1);
  app.expectQuiet();
});

test('shows referrers, hides kinds, and has the same content as a table', async ({ page }) => {
  const app = await openGraph(page, `/graph?${FILE}&type=struct:cred&depth=1`);
  await page.getByRole('button', { name: 'Referrers' }).click();
  const referrers = page.getByRole('complementary', { name: 'Referrers' });
  await referrers.getByRole('button', { name: 'task_struct' }).click();
  await expect(node(page, 'task_struct')).toBeVisible();
  await expect(referrers.getByRole('button', { name: 'task_struct' })).toHaveAttribute(
    'aria-pressed',
    'true',
  );
  await page
    .getByRole('group', { name: 'Kinds shown' })
    .getByRole('button', { name: 'Structs' })
    .click();
  await expect(page.getByRole('button', { name: 'Structs: hidden' })).toBeVisible();
  await expect(node(page, 'kuid_t')).toHaveCount(0);
  await expect(page).toHaveURL(/hide=/);
  await page.getByRole('button', { name: 'Show as table' }).click();
  await expect(page.getByRole('grid', { name: 'Types of the graph' })).toBeVisible();
  app.expectQuiet();
});

test('exports pictures and texts', { tag: '@long' }, async ({ page }) => {
  const app = await openGraph(page, TASK);
  const save = async (format: string) => {
    const isDirect = format === 'SVG';
    if (!isDirect) await page.getByRole('button', { name: 'Export' }).click();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole(isDirect ? 'button' : 'menuitem', { name: `Download ${format}` }).click(),
    ]);
    return { name: download.suggestedFilename(), bytes: await readFile(await download.path()) };
  };
  const svg = await save('SVG');
  expect(svg.name).toBe('task_struct.graph.svg');
  // The SVG is parsed in an empty page, because btfscope's content security policy forbids it.
  const reader = await page.context().newPage();
  const rootName = await reader.evaluate((text) => {
    const parsed = new DOMParser().parseFromString(text, 'image/svg+xml');
    return parsed.querySelector('parsererror') === null ? parsed.documentElement.localName : null;
  }, svg.bytes.toString());
  await reader.close();
  expect(rootName).toBe('svg');
  const png = await save('PNG');
  expect(png.bytes.subarray(1, 4).toString()).toBe('PNG');
  expect(png.bytes.length).toBeGreaterThan(5000);
  expect((await save('DOT')).bytes.toString()).toMatch(/^digraph types \{\n.*-> n\d+:h.*\}\n$/s);
  expect((await save('Mermaid')).bytes.toString()).toMatch(/^classDiagram\n.*-->/s);
  app.expectQuiet();
});

for (const { name, ...look } of LOOKS) {
  anew.describe(name, () => {
    anew.use(look);

    anew('is accessible', { tag: '@long' }, async ({ page }) => {
      await openGraph(page, TASK);
      await page.getByRole('button', { name: 'Referrers' }).click();
      await expect(page.getByRole('complementary', { name: 'Referrers' })).toContainText(/\d/);
      await expectAccessible(page, 'the graph with referrers');
      await page.getByRole('button', { name: 'Show as table' }).click();
      await expect(page.getByRole('grid', { name: 'Types of the graph' })).toBeVisible();
      await expectAccessible(page, 'the graph as a table');
    });
  });
}

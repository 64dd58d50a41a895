/** Hostile names in every view must stay text, cause no requests, and not block the page. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, type Page } from '@playwright/test';
import { visible } from '../src/bytes/text.ts';
import { HOSTILE_NAMES, hostileObject, LONG_NAME } from '../src/testing/hostile-names.ts';
import { AppPage, type TestFile } from './app-page.ts';
import { test } from './test.ts';

const FILE_NAME = '<img src=x onerror=alert(1)>\u202eo.fpb\u2066=1+1`|"\'.o';
const [MARKUP = LONG_NAME] = HOSTILE_NAMES;

type Mode = readonly [label: string, isNamed: boolean];

/** Tabs, whether they show names of the file, and the labels of the buttons for their modes. */
const TABS: readonly (readonly [tab: string, isNamed: boolean, modes: readonly Mode[]])[] = [
  ['Overview', true, []],
  [
    'Types',
    true,
    [
      ['Zig', true],
      ['Raw', true],
      ['Layout', true],
      ['Reorder', true],
      ['Declaration', true],
    ],
  ],
  [
    'Graph',
    true,
    [
      ['Paths', false],
      ['Explore', true],
    ],
  ],
  [
    'Text',
    true,
    [
      ['JSON', true],
      ['Raw', true],
      ['pahole', true],
    ],
  ],
  ['Bytes', true, []],
  ['Code', true, []],
  [
    'Data',
    true,
    [
      ['Decode a value', false],
      ['In this file', true],
    ],
  ],
  ['Relocations', true, []],
  [
    'CO-RE',
    true,
    [
      ['Needs', true],
      ['Simulate libbpf log', false],
      ['Explain a log', false],
      ['Playground', true],
      ['Records', true],
    ],
  ],
  ['Load', false, []],
  ['Compare', false, []],
  ['Check', true, []],
  ['Issues', false, []],
];

/**
 * Records nodes and attributes that are added to the page if they are not plain text, hide
 * characters or lead to another origin, even if they are removed at once. Also records long tasks.
 */
async function watchPage(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const hidden = /[\p{Cc}\p{Cf}\p{Noncharacter_Code_Point}]/u;
    /** Limit for the text of a node in characters: browsers need seconds to lay out a megabyte. */
    const longest = 100_000;
    const violations = new Set<string>();
    const look = (text: string | null, where: string) => {
      // Leaves out line ends and tabs, which the page writes in texts of several lines.
      const shown = (text ?? '').replaceAll(/[\n\t]/g, '');
      if (shown.length > longest) violations.add(`${shown.length} characters in ${where}`);
      if (hidden.test(shown)) violations.add(`${where}: ${JSON.stringify(shown.slice(0, 120))}`);
    };
    const lookAtElement = (element: Element) => {
      // The page in one file has its own scripts in its body, which the browser adds as it loads.
      const isOwn = document.readyState === 'loading' && element.matches('script');
      if (!isOwn && element.matches('img[src="x"], iframe, object, embed, body script')) {
        violations.add(`element: ${element.outerHTML.slice(0, 120)}`);
      }
      for (const { name, value } of element.attributes) {
        if (name.startsWith('on')) violations.add(`handler: ${name}=${value.slice(0, 120)}`);
        if (['title', 'aria-label', 'placeholder', 'alt'].includes(name)) look(value, name);
        if (!['href', 'src', 'action', 'data', 'xlink:href'].includes(name)) continue;
        const { protocol, origin } = new URL(value, location.href);
        if (['blob:', 'data:'].includes(protocol) || origin === location.origin) continue;
        violations.add(`leads away: ${name}=${value.slice(0, 120)}`);
      }
    };
    const lookAt = (node: Node) => {
      if (node instanceof Element) {
        lookAtElement(node);
        for (const child of node.childNodes) lookAt(child);
      } else if (node instanceof Text && node.parentElement?.matches('script, style') !== true) {
        look(node.nodeValue, node.parentElement?.tagName ?? 'text');
      }
    };
    new MutationObserver((records) => {
      for (const { target, addedNodes, type } of records) {
        if (type === 'attributes' && target instanceof Element) lookAtElement(target);
        else if (type === 'characterData') lookAt(target);
        for (const node of addedNodes) lookAt(node);
      }
    }).observe(document, { subtree: true, childList: true, characterData: true, attributes: true });
    const tasks: number[] = [];
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) tasks.push(duration);
    }).observe({ entryTypes: ['longtask'] });
    Object.assign(globalThis, { watched: { violations, tasks } });
  });
}

type WatchedPage = { readonly violations: ReadonlySet<string>; readonly tasks: readonly number[] };

async function expectOnlyText(page: Page): Promise<void> {
  const violations = await page.evaluate(() => {
    const { watched } = globalThis as unknown as { watched: WatchedPage };
    return [...watched.violations];
  });
  expect(violations).toEqual([]);
}

/** Returns the duration in ms of the page's longest task up to now. */
async function longestTask(page: Page): Promise<number> {
  return await page.evaluate(() => {
    const { watched } = globalThis as unknown as { watched: WatchedPage };
    return watched.tasks.reduce((most, task) => Math.max(most, task), 0);
  });
}

async function expectNoOverflow(page: Page, where: string): Promise<void> {
  const overflow = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  );
  expect.soft(overflow, `${where} scrolls sideways`).toBe(0);
}

/** Opens all views and their modes, and waits for the text that each must show. */
async function walkViews(
  page: Page,
  app: AppPage,
  name: RegExp,
  views: typeof TABS = TABS,
): Promise<void> {
  const panel = page.getByRole('tabpanel').first();
  for (const [tab, isNamed, modes] of views) {
    await app.show(tab);
    await expect(panel).toContainText(isNamed ? name : /\w/);
    await expectNoOverflow(page, tab);
    for (const [mode, isNamedThere] of modes) {
      // Hidden views of the pane may have a mode of that name, too.
      const buttons = panel.getByText(mode, { exact: true });
      await buttons.filter({ visible: true }).first().click();
      await expect(panel).toContainText(isNamedThere ? name : /\w/);
      await expectNoOverflow(page, `${tab}, ${mode}`);
    }
  }
}

async function openHostile(page: Page, file: TestFile, typeText: string): Promise<AppPage> {
  const app = new AppPage(page);
  page.on('dialog', (dialog) => {
    throw new Error(`a dialog: ${dialog.message()}`);
  });
  await watchPage(page);
  await app.open();
  await app.chooseFile(file);
  await expect(page.getByRole('status').filter({ hasText: /: \d+ types, / })).toBeAttached();
  await expect(page).toHaveTitle(`${visible(FILE_NAME)} · btfscope`);
  // Selects a type with a hostile name, which all following views show.
  await app.show('Types');
  await page.getByRole('searchbox', { name: 'Filter types' }).fill(typeText);
  // Waits for the filtered list: while rows change, a click may hit another row.
  const list = page.getByRole('listbox', { name: 'Types' });
  const types = list.getByRole('option');
  await expect(types.filter({ hasText: typeText })).not.toHaveCount(0);
  await expect(types.filter({ hasNotText: typeText })).toHaveCount(0);
  await list
    .getByRole('option', { name: /^STRUCT / })
    .first()
    .click();
  await expect(page).toHaveURL(/type=/);
  return app;
}

for (const width of [1440, 390]) {
  test(`every view shows hostile names as text, ${width} pixels wide`, {
    tag: '@long',
  }, async ({ page }) => {
    await page.setViewportSize({ width, height: 900 });
    const file = { name: FILE_NAME, buffer: hostileObject(HOSTILE_NAMES) };
    const app = await openHostile(page, file, 'onerror');
    await walkViews(page, app, /onerror/);
    await app.show('Data');
    // Finds the name as JSON writes it: JSON escapes fewer characters than the page's other texts.
    const turned = page.getByRole('option', { name: /^UNION a\\u\{202e\}b/ });
    await page.getByRole('listbox', { name: 'Data' }).locator(turned).click();
    await page.getByRole('radio', { name: 'JSON', exact: true }).check({ force: true });
    const json = page.getByRole('group', { name: /^JSON text/ });
    await expect(json).toContainText('"a\\u{202e}b');
    // Opens the file again, as the second file for Compare.
    await app.chooseFile({ name: `2${FILE_NAME}`, buffer: hostileObject(HOSTILE_NAMES) });
    await expect(page).toHaveTitle(/^2/);
    await app.show('Compare');
    await page.getByRole('tabpanel').first().getByText('All types', { exact: true }).click();
    await expect(page.getByRole('tabpanel').first()).toContainText(/onerror/);
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'Find anything' }).fill('onerror');
    await expect(page.getByRole('dialog').getByRole('option').first()).toContainText('onerror');
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Copy link' }).click();
    await expect(page.getByRole('dialog').getByLabel('Link', { exact: true })).toHaveValue(/#\//);
    await expectNoOverflow(page, 'the dialog of links');
    await expectOnlyText(page);
    app.expectQuiet();
  });
}

/** Modes that drew the whole name in earlier versions. */
const HEAVIEST: ReadonlySet<string> = new Set(['Raw', 'Paths', 'Needs']);

/** Limit of a task in ms. The longest takes 0.7 s on two cores at a load of six. */
const LONGEST_TASK_MS = 2000;

/** Selections whose name is a megabyte long, with the text that the view must show for them. */
const LONG_SECTION = 'W'.repeat(LONG_NAME.bytes.length);
const LONG_PLACES: readonly (readonly [view: string, selection: string, said: RegExp])[] = [
  ['code', `insn=${LONG_SECTION}@0x0`, /Instruction 0.*CO-RE relocation/s],
  ['code', `insn=${LONG_SECTION}@0x8`, /Instruction 1.*R_BPF_64_64/s],
  ['bytes', `insn=${LONG_SECTION}@0x0`, /Instruction.*WWWW/s],
  ['bytes', `insn=${LONG_SECTION}@0x8`, /R_BPF_64_64.*WWWW/s],
  ['bytes', `section=${LONG_SECTION}`, /WWWW/],
  ['relocations', `reloc=.rel${LONG_SECTION}@0x8`, /R_BPF_64_64.*WWWW/s],
  ['core', `core=${LONG_SECTION}@0x0`, /relo #0.*WWWW/s],
  ['data', `symbol=${LONG_SECTION}~1`, /WWWW/],
];

async function openLong(page: Page, folder: string): Promise<AppPage> {
  // On disk, so that the browser reads the file; passing the bytes to the page takes half a second.
  const path = join(folder, FILE_NAME);
  mkdirSync(folder, { recursive: true });
  writeFileSync(path, hostileObject([MARKUP, LONG_NAME]));
  return await openHostile(page, path, 'WWWW');
}

test(
  'a name of a megabyte blocks no view, and no view draws the whole name',
  { tag: '@long' },
  async ({ page }, { outputDir }) => {
    // Slow: the browser takes long for addresses of a megabyte.
    test.slow();
    const app = await openLong(page, outputDir);
    const views = TABS.map(([tab, isNamed, modes]) => {
      return [tab, isNamed, modes.filter(([mode]) => HEAVIEST.has(mode))] as const;
    });
    await walkViews(page, app, /WWWW|onerror/, views);
    await expectOnlyText(page);
    expect(await longestTask(page)).toBeLessThan(LONGEST_TASK_MS);
    app.expectQuiet();
  },
);

test(
  'a selected name of a megabyte is not drawn whole',
  { tag: '@long' },
  async ({ page }, { outputDir }) => {
    const app = await openLong(page, outputDir);
    const [file = ''] = /file=[^&]*/.exec(page.url()) ?? [];
    for (const [view, selection, said] of LONG_PLACES) {
      const hash = `/${view}?${file}&${selection}`;
      await page.evaluate((next) => location.replace(`#${next}`), hash);
      await expect(page.getByRole('tabpanel').first()).toContainText(said);
    }
    // Times are not checked, because the browser itself takes long for long addresses.
    await expectOnlyText(page);
    app.expectQuiet();
  },
);

test('hostile names in a link are shown as text', async ({ page }) => {
  const app = new AppPage(page);
  await watchPage(page);
  for (const [at, name] of HOSTILE_NAMES.entries()) {
    // In an address, bytes that are not UTF-8 are percent escapes.
    const text = Array.from(name.bytes, (b) => `%${b.toString(16).padStart(2, '0')}`).join('');
    const hash = `/types?file=${'0'.repeat(64)}&name=${at}${text}&type=struct:${text}&member=${text}`;
    if (at === 0) await app.open(hash);
    else await page.evaluate((next) => location.replace(`#${next}`), hash);
    if (at % 10 === 0) await expect(page.getByRole('main')).toContainText(`${at}`);
  }
  await expect(page.getByRole('main')).toContainText(`${HOSTILE_NAMES.length - 1}0x18`);
  await page.setViewportSize({ width: 390, height: 844 });
  await expectNoOverflow(page, 'what a link asks for');
  await expectOnlyText(page);
  expect(await page.title()).toMatch(/^[\p{L}\p{N}\p{P}\p{S} ]*$/u);
  app.expectQuiet();
});

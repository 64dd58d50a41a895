/**
 * Opens every example in every view, and uses every export. The processor is slowed down four
 * times, except for big-endian examples. Nothing may fail, and no request may go to another origin.
 * `lessons.spec.ts` plays the lessons.
 */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, type Locator, type Page } from '@playwright/test';
import { AppPage, longUnless } from './app-page.ts';
import { test } from './test.ts';

const SAMPLES = fileURLToPath(new URL('../public/samples', import.meta.url));
const THROTTLE = 4;

const samples: readonly { readonly file: string }[] = JSON.parse(
  readFileSync(`${SAMPLES}/index.json`, 'utf8'),
);

test.use({ trace: 'off' });
test.setTimeout(300_000);

/** True for big-endian examples, which have the same views as their little-endian twins. */
const isTwin = (file: string) => file.includes('.be.');

async function slowPage(page: Page): Promise<AppPage> {
  const session = await page.context().newCDPSession(page);
  await session.send('Emulation.setCPUThrottlingRate', { rate: THROTTLE });
  return new AppPage(page);
}

/** Opens each tab of the current file; yields its name once the view is drawn. */
async function* views(page: Page): AsyncGenerator<string> {
  const tabs = page.getByRole('tablist', { name: 'Views' }).getByRole('tab');
  // On a slow machine the tabs appear after the status says that the file is open.
  await expect(tabs.first()).toBeVisible();
  for (let i = 0; i < (await tabs.count()); i++) {
    const tab = tabs.nth(i);
    await tab.click();
    await expect(tab).toHaveAttribute('aria-selected', 'true');
    const panel = page.getByRole('tabpanel').first();
    await expect(panel).not.toContainText(/^Loading/);
    await expect(panel).not.toBeEmpty();
    await expect(page.getByText('this view could not be drawn')).toHaveCount(0);
    yield (await tab.textContent()) ?? '';
    const name = /^\D+/.exec((await tab.textContent()) ?? '')?.[0] ?? '';
    const others = page.getByRole('radiogroup', { name, exact: true }).getByRole('radio');
    for (let other = 1; other < (await others.count()); other++) {
      await others.nth(other).check({ force: true });
      await expect(panel).not.toContainText(/Loading/);
      await expect(page.getByText('this view could not be drawn')).toHaveCount(0);
      yield `${name}, ${other}`;
    }
  }
}

/** Opens each file and all of its views. */
async function tour(page: Page, app: AppPage, files: readonly string[]): Promise<void> {
  await app.open();
  for (const file of files) {
    await app.chooseFile(`${SAMPLES}/${file}`);
    await app.opened();
    let seen = 0;
    for await (const _ of views(page)) seen++;
    expect(seen, file).toBeGreaterThanOrEqual(5);
    await app.close(file);
  }
  app.expectQuiet();
}

/** The examples but the atlas, which has other views. */
const files = samples.map(({ file }) => file).filter((file) => !file.endsWith('.btfatlas'));
const PARTS = 4;
for (let part = 0; part < PARTS; part++) {
  test(`every example in every view, part ${part + 1} of ${PARTS}`, { tag: '@long' }, async ({
    page,
  }) => {
    const chosen = files.filter((file) => !isTwin(file)).filter((_, i) => i % PARTS === part);
    await tour(page, await slowPage(page), chosen);
  });
}

test('every big-endian twin in every view, at full speed', { tag: '@long' }, async ({ page }) => {
  await tour(page, new AppPage(page), files.filter(isTwin));
});

/** Selector of the element that is clicked before an export, by view. */
const FIRST: Readonly<Record<string, string>> = {
  Types: '[role=option]',
  Bytes: 'td[data-offset]',
  Data: '[data-row]',
};
/** Export buttons that appear once an element is selected, by file and view. */
const EXPORTS: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  'exec_trace.bpf.o': {
    Types: ['Download type_1.h', 'Copy: C declaration', 'Copy: Record as bpftool prints it'],
    'Types, 1': ['Copy', 'Download', 'Copy command'],
    Graph: ['Download SVG', 'Export in other formats'],
    Bytes: ['Copy as hex', 'Copy as C array', 'Copy as base64'],
    Data: ['Copy name'],
  },
  'kernel.btf': {
    Types: ['Download type_1.h', 'Copy: C declaration', 'Copy: Record as bpftool prints it'],
    'Types, 1': ['Copy', 'Download', 'Copy command'],
    Graph: ['Download SVG', 'Export in other formats'],
    Bytes: ['Copy as hex', 'Copy as C array', 'Copy as base64'],
  },
  'alpha_expression.ecoff': {
    Bytes: ['Copy as hex', 'Copy as C array', 'Copy as base64'],
  },
};

/** The only file whose exports `npm test` checks, because it has the fewest. */
const FEWEST = 'alpha_expression.ecoff';

for (const [file, exports] of Object.entries(EXPORTS)) {
  test(`every export of ${file}`, longUnless(FEWEST, file), async ({ page, context }) => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    const app = await slowPage(page);
    await app.open();
    await app.chooseFile(`${SAMPLES}/${file}`);
    await app.opened();
    const exportedViews: string[] = [];
    for await (const view of views(page)) {
      const name = /^[^\d,]+(, \d+)?/.exec(view)?.[0] ?? '';
      const buttons = exports[name];
      if (buttons === undefined) continue;
      exportedViews.push(name);
      const first = FIRST[name];
      if (first !== undefined) {
        // Views that were shown before stay in the page, out of sight.
        const panel = page.getByRole('tabpanel').first();
        // The first type by id is so short that all its parts are in sight.
        const order = page.getByRole('radiogroup', { name: 'Order' });
        if (name === 'Types') await order.getByText('Id', { exact: true }).click();
        await panel.locator(first).filter({ visible: true }).first().click();
      }
      for (const button of buttons) await expectGiven(page, button);
    }
    expect(exportedViews).toEqual(Object.keys(exports));
    app.expectQuiet();
  });
}

/** Presses a button, or each item of its menu, and expects a file or a copied text. */
async function expectGiven(page: Page, name: string): Promise<void> {
  const panel = page.getByRole('tabpanel').first();
  const button = panel.getByRole('button', { name, exact: true }).first();
  await expect(button).toBeEnabled();
  if ((await button.getAttribute('aria-haspopup')) === null) {
    await expectGift(page, button);
    return;
  }
  await button.click();
  const items = page.getByRole('menuitem');
  await expect(items.first()).toBeVisible();
  const count = await items.count();
  for (let n = 0; n < count; n++) {
    if (n > 0) await button.click();
    await expectGift(page, items.nth(n));
    await expect(items).toHaveCount(0);
  }
}

/** Presses a control. Expects a file if its name begins with Download, else a copied text. */
async function expectGift(page: Page, pressed: Locator): Promise<void> {
  const label = (await pressed.getAttribute('aria-label')) ?? (await pressed.textContent()) ?? '';
  if (label.startsWith('Download')) {
    const download = page.waitForEvent('download');
    await pressed.click();
    await (await download).cancel();
    return;
  }
  await page.evaluate(() => navigator.clipboard.writeText(''));
  await pressed.click();
  await expect.poll(() => page.evaluate(clipboardSize), { message: label }).toBeGreaterThan(0);
}

/** Returns the size in bytes of the text or picture in the clipboard. */
async function clipboardSize(): Promise<number> {
  let size = 0;
  for (const item of await navigator.clipboard.read()) {
    for (const type of item.types) size += (await item.getType(type)).size;
  }
  return size;
}

/**
 * The full tour on a slow machine: every example in every view and every export, with the
 * processor slowed down four times (but for the examples in the other byte order). Nothing may
 * fail, and nothing may be asked of another origin. `lessons.spec.ts` goes through the lessons.
 */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, type Page, test } from '@playwright/test';
import { AppPage } from './app-page.ts';

const SAMPLES = fileURLToPath(new URL('../public/samples', import.meta.url));
const THROTTLE = 4;

const samples: readonly { readonly file: string }[] = JSON.parse(
  readFileSync(`${SAMPLES}/index.json`, 'utf8'),
);

test.use({ trace: 'off' });
test.setTimeout(300_000);

/** The big-endian twin of another example, which gives the same views. */
const isTwin = (file: string) => file.includes('.be.');

async function slowPage(page: Page): Promise<AppPage> {
  const session = await page.context().newCDPSession(page);
  await session.send('Emulation.setCPUThrottlingRate', { rate: THROTTLE });
  return new AppPage(page);
}

/** Goes to each tab of the file that is looked at, and tells its name once the view stands. */
async function* views(page: Page): AsyncGenerator<string> {
  const tabs = page.getByRole('tablist', { name: 'Views' }).getByRole('tab');
  // A slow page shows them after it says that the file is open.
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

/** Opens each file and goes through its views. */
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

const files = samples.map(({ file }) => file);
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

const EXPORTED = ['exec_trace.bpf.o', 'kernel.btf', 'alpha_expression.ecoff'];
/** What gives something away: the clipboard, a file, a menu of these. */
const GIVES = /^(Copy(?! link)|Download|Save|Export)/;

for (const file of EXPORTED) {
  test(`every export of ${file}`, { tag: '@long' }, async ({ page, context }) => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    const app = await slowPage(page);
    let saved = 0;
    page.on('download', (download) => {
      saved++;
      void download.cancel();
    });
    await app.open();
    await app.chooseFile(`${SAMPLES}/${file}`);
    await app.opened();
    let pressed = 0;
    for await (const _ of views(page)) {
      await selectFirst(page);
      const buttons = page.getByRole('tabpanel').first().getByRole('button', { name: GIVES });
      for (let i = 0; i < (await buttons.count()); i++) {
        const button = buttons.nth(i);
        if (!(await button.isVisible()) || !(await button.isEnabled())) continue;
        pressed += await press(page, i);
      }
    }
    expect(pressed).toBeGreaterThan(2);
    if (!file.endsWith('.ecoff')) expect(saved).toBeGreaterThan(2);
    app.expectQuiet();

    /** Presses button `i`; where it opens a menu, each item of it. Gives how many were pressed. */
    async function press(onPage: Page, i: number): Promise<number> {
      const button = onPage
        .getByRole('tabpanel')
        .first()
        .getByRole('button', { name: GIVES })
        .nth(i);
      if ((await button.getAttribute('aria-haspopup')) === null) {
        await button.click();
        return 1;
      }
      await button.click();
      const items = onPage.getByRole('menuitem');
      await expect(items.first()).toBeVisible();
      const count = await items.count();
      for (let n = 0; n < count; n++) {
        if (n > 0) await button.click();
        await items.nth(n).click();
        await expect(items).toHaveCount(0);
      }
      return count;
    }
  });
}

/** Selects the first row of a list or table, where the view has one: many exports are about what is selected. */
async function selectFirst(page: Page): Promise<void> {
  const panel = page.getByRole('tabpanel').first();
  const first = panel.getByRole('option').or(panel.locator('[role="row"][data-row="0"]')).first();
  if (await first.isVisible()) await first.click();
}

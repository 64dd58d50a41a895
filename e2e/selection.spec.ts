/** Checks that the address restores the state after a reload and after Back. */
import { fileURLToPath } from 'node:url';
import { expect, type Locator, type Page } from '@playwright/test';
import { AppPage } from './app-page.ts';
import { test } from './test.ts';

const sample = (name: string) =>
  fileURLToPath(new URL(`../public/samples/${name}`, import.meta.url));

/**
 * Returns the text of the panel once it stays the same: the selected rows, and all text outside of
 * lists. Lists are left out because only their visible rows exist.
 */
async function picture(page: Page): Promise<string> {
  const view = page.getByRole('tabpanel').locator('[data-hidden="false"]');
  const read = () =>
    view.evaluate((panel) => {
      const selected = [...panel.querySelectorAll('[aria-selected=true]')];
      const rest = panel.cloneNode(true) as Element;
      const lists = '[role=listbox], [role=grid], [role=treegrid], [aria-live], [aria-hidden=true]';
      for (const list of rest.querySelectorAll(lists)) list.remove();
      return [...selected, rest].map((element) => element.textContent).join('\n');
    });
  let before = '';
  await expect
    .poll(async () => {
      const now = await read();
      const same = now === before && !now.includes('Loading');
      before = now;
      return same;
    })
    .toBe(true);
  return before;
}

type Place = {
  readonly what: string;
  readonly tab: string;
  readonly go: (page: Page, panel: Locator) => Promise<void>;
  readonly address: RegExp;
};

const PLACES: readonly Place[] = [
  {
    what: 'a type',
    tab: 'Types',
    async go(page) {
      await page.getByRole('searchbox', { name: 'Filter types' }).fill('task_struct');
      await page
        .getByRole('option', { name: /\btask_struct\b/ })
        .first()
        .click();
    },
    address: /#\/types\?file=[^&]+&(name=[^&]+&)?type=struct:task_struct$/,
  },
  {
    what: 'a member',
    tab: 'Types',
    async go(page, panel) {
      await page.getByRole('searchbox', { name: 'Filter types' }).fill('task_struct');
      await page
        .getByRole('option', { name: /\btask_struct\b/ })
        .first()
        .click();
      await panel
        .getByRole('row', { name: /\bpid\b/ })
        .first()
        .click();
    },
    address: /type=struct:task_struct&member=pid$/,
  },
  {
    what: 'a relocation',
    tab: 'Relocations',
    async go(_page, panel) {
      await panel.getByRole('row').filter({ hasText: 'R_BPF_64_64' }).first().click();
    },
    address: /#\/relocations\?.*reloc=[^&]+@0x[0-9a-f]+$/,
  },
  {
    what: 'a CO-RE record',
    tab: 'CO-RE',
    async go(_page, panel) {
      await panel.getByRole('row').filter({ hasText: 'byte_off' }).nth(1).click();
    },
    address: /#\/core\?.*core=[^&]+@0x[0-9a-f]+(~\d+)?$/,
  },
  {
    what: 'a byte range',
    tab: 'Bytes',
    async go(page, panel) {
      await panel.getByRole('gridcell').first().click();
      await page.keyboard.press('Shift+ArrowRight');
      await page.keyboard.press('Shift+ArrowRight');
      await page.keyboard.press('Shift+ArrowRight');
    },
    address: /#\/bytes\?.*bytes=[^&]*@0x[0-9a-f]+-0x[0-9a-f]+$/,
  },
];

/** Selections that `npm test` checks; the remaining ones only differ in the keys of the address. */
const EVERY_TIME: ReadonlySet<string> = new Set(['a member']);

for (const place of PLACES) {
  const tag = { tag: EVERY_TIME.has(place.what) ? [] : '@long' };
  test(`${place.what} is there again after a reload, and back leaves it`, tag, async ({ page }) => {
    const app = new AppPage(page);
    await app.open();
    await app.dropFile(sample('exec_trace.bpf.o'));
    await app.opened();
    await expect(page).toHaveURL(/file=[0-9a-f]{64}&name=exec_trace\.bpf\.o/);
    await app.show(place.tab);
    await picture(page);
    const before = page.url();
    await place.go(page, page.getByRole('tabpanel'));
    await expect(page).toHaveURL(place.address);
    const address = page.url();
    const shown = await picture(page);

    await page.reload();
    await app.opened();
    await expect(page).toHaveURL(address);
    await expect(app.tab(place.tab)).toHaveAttribute('aria-selected', 'true');
    await expect.poll(() => picture(page)).toBe(shown);

    await page.goBack();
    await expect(page).not.toHaveURL(address);
    await page.goForward();
    await expect(page).toHaveURL(address);
    expect(before).not.toBe(address);
    app.expectQuiet();
  });
}

test('a link to an unknown file names its hash', async ({ page }) => {
  const app = new AppPage(page);
  const hash = 'a'.repeat(64);
  await app.open(`/types?file=${hash}&name=prog.o&type=struct:foo`);
  await expect(page.getByRole('main')).toContainText('prog.o');
  await expect(page.getByRole('main')).toContainText(hash.slice(0, 8));
  app.expectQuiet();
});

test('any text behind # gives a page', { tag: '@long' }, async ({ page }) => {
  const app = new AppPage(page);
  for (const hash of [
    '%',
    '/types?file=%E0%A4%A',
    '/?type=<b>x</b>',
    '////',
    '/bytes?bytes=@0x9-0x1',
  ]) {
    await app.open(hash);
    await expect(app.fileInput).toBeAttached();
  }
  app.expectQuiet();
});

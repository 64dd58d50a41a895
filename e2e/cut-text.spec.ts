/** Tests that no text is cut while the columns or texts beside it have width to spare. */
import { fileURLToPath } from 'node:url';
import { expect, type Page } from '@playwright/test';
import { AppPage, longUnless } from './app-page.ts';
import { cutTexts } from './cut-texts.ts';
import { test } from './test.ts';

/** Files that are opened together; the views of the first one are tested. */
const FILES = [
  ['exec_trace.bpf.o'],
  ['doc_call.bpf.o'],
  ['kernel.btf'],
  ['xdp_counter.bpf.o'],
  ['module.distilled.ko'],
  ['alpha_expression.ecoff'],
  ['toy.btfatlas'],
  ['task_state.bpf.o', 'toy-5.10.btf', 'toy-6.1.btf', 'toy-6.18.btf'],
] as const;
/** The only files that `npm test` opens. */
const QUICKEST = ['doc_call.bpf.o', 'task_state.bpf.o'];

test.use({ viewport: { width: 1440, height: 900 } });

/** Fails if a view shows a cut text. Waits until the view is drawn. */
async function expectWhole(page: Page, view: string): Promise<void> {
  const panel = page.getByRole('tabpanel').first();
  await expect(panel).not.toContainText(/^Loading/);
  await expect(panel).not.toBeEmpty();
  await page.waitForTimeout(500);
  expect(await cutTexts(page), view).toEqual([]);
}

for (const names of FILES) {
  const [first] = names;
  test(
    `no text of ${names.join(', ')} is cut beside free width`,
    longUnless(QUICKEST.find((name) => name === first) ?? '', first),
    async ({ page }) => {
      const app = new AppPage(page);
      await app.open();
      await app.fileInput.setInputFiles(
        names.map((name) => fileURLToPath(new URL(`../public/samples/${name}`, import.meta.url))),
      );
      await expect(
        page
          .getByRole('status')
          .filter({ hasText: /^Opened / })
          .first(),
      ).toBeAttached();
      if (names.length > 1) {
        await expect(page.getByRole('grid', { name: 'Programs' })).toContainText(/of 3/);
      }
      const tabs = page.getByRole('tablist', { name: 'Views' }).getByRole('tab');
      for (let at = 0; at < (await tabs.count()); at++) {
        await tabs.nth(at).click();
        const tab = (await tabs.nth(at).textContent())?.replace(/\d+$/, '') ?? '';
        await expectWhole(page, tab);
        const views = page
          .getByRole('radiogroup', { name: tab, exact: true })
          .filter({ visible: true });
        const others = views.locator('label');
        for (let view = 1; view < (await others.count()); view++) {
          await others.nth(view).click();
          await expectWhole(page, `${tab}, view ${view + 1}`);
        }
      }
      app.expectQuiet();
    },
  );
}

/** Tests that no cell of a table is cut while the columns beside it have width to spare. */
import { fileURLToPath } from 'node:url';
import { expect, type Page } from '@playwright/test';
import { AppPage, longUnless } from './app-page.ts';
import { test } from './test.ts';

const FILES = [
  'public/samples/exec_trace.bpf.o',
  'public/samples/doc_call.bpf.o',
  'public/samples/kernel.btf',
  'public/samples/xdp_counter.bpf.o',
  'public/samples/module.distilled.ko',
  'public/samples/alpha_expression.ecoff',
  'public/samples/toy.btfatlas',
];
/** The only file that `npm test` opens. */
const QUICKEST = 'public/samples/doc_call.bpf.o';
/** Pixels that a column may have to spare: the room around icons. */
const TOLERANCE = 16;

test.use({ viewport: { width: 1440, height: 900 } });

/** Returns each visible table with a cut cell, and the width that its columns do not use. */
function cutTables(page: Page) {
  return page.evaluate(() => {
    /** Returns the width of the texts and icons of a cell, and how much of the widest is cut. */
    const measured = (cell: Element) => {
      let [left, right, lack] = [Infinity, -Infinity, 0];
      const walker = document.createTreeWalker(
        cell,
        NodeFilter.SHOW_TEXT | NodeFilter.SHOW_ELEMENT,
      );
      for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
        const parent = node.parentElement;
        if (parent === null || parent.closest('.visually-hidden') !== null) continue;
        const isDrawn = node instanceof HTMLElement && node.dataset.text !== undefined;
        if (!(node instanceof Text || node instanceof SVGSVGElement || isDrawn)) continue;
        const range = document.createRange();
        range.selectNode(node);
        const box = range.getBoundingClientRect();
        if (box.width === 0) continue;
        left = Math.min(left, box.left);
        right = Math.max(right, box.right);
      }
      for (const part of [cell, ...cell.querySelectorAll('*')]) {
        if (part.closest('.visually-hidden') !== null || part.clientWidth === 0) continue;
        if (getComputedStyle(part).textOverflow !== 'ellipsis') continue;
        lack = Math.max(lack, part.scrollWidth - part.clientWidth);
      }
      return { width: Math.max(0, right - left), lack };
    };
    return [...document.querySelectorAll('table')]
      .filter((table) => table.checkVisibility({ visibilityProperty: true }))
      .map((table) => {
        const needs: number[] = [];
        const widths: number[] = [];
        const hasText: boolean[] = [];
        const cut: string[] = [];
        // The width by which the cell that is cut least is too narrow.
        let least = Infinity;
        const { bottom } = table.getBoundingClientRect();
        for (const row of table.querySelectorAll('tr')) {
          // Rows that are drawn in advance are not seen.
          if (row.getBoundingClientRect().top >= bottom) continue;
          for (const [column, cell] of [...row.children].entries()) {
            const { paddingLeft, paddingRight } = getComputedStyle(cell);
            const padding = Number.parseFloat(paddingLeft) + Number.parseFloat(paddingRight);
            const { width, lack } = measured(cell);
            hasText[column] ||= cell.tagName === 'TD' && width > 0;
            needs[column] = Math.max(needs[column] ?? 0, width + lack + padding);
            widths[column] = cell.getBoundingClientRect().width;
            // Less is the line under a word that has a card.
            if (lack <= 3) continue;
            least = Math.min(least, lack);
            cut.push(`${cell.textContent?.slice(0, 40)} lacks ${lack}`);
          }
        }
        // A column without text, such as the arrows of jumps, spares nothing.
        const spare = widths.map((width, column) =>
          hasText[column] === true ? Math.max(0, width - (needs[column] ?? 0)) : 0,
        );
        return { label: table.getAttribute('aria-label'), cut: cut.slice(0, 3), least, spare };
      })
      .filter(({ cut }) => cut.length > 0);
  });
}

for (const file of FILES) {
  test(
    `no cell of ${file} is cut beside free width`,
    longUnless(QUICKEST, file),
    async ({ page }) => {
      const app = new AppPage(page);
      await app.open();
      await app.dropFile(fileURLToPath(new URL(`../${file}`, import.meta.url)));
      await expect(page.getByRole('status')).toContainText(/^Opened /);
      const tabs = page.getByRole('tablist', { name: 'Views' }).getByRole('tab');
      for (let at = 0; at < (await tabs.count()); at++) {
        await tabs.nth(at).click();
        const panel = page.getByRole('tabpanel').first();
        await expect(panel).not.toContainText(/^Loading/);
        await expect(panel).not.toBeEmpty();
        await page.waitForTimeout(500);
        const wasteful = (await cutTables(page)).filter(({ spare, least }) => {
          const free = spare.reduce((sum, width) => sum + Math.max(0, width - TOLERANCE), 0);
          return free >= least;
        });
        expect(wasteful, `${await tabs.nth(at).textContent()}`).toEqual([]);
      }
      app.expectQuiet();
    },
  );
}

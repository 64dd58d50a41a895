import type { Page } from '@playwright/test';

/** A box whose text is cut though width beside it is free. Widths are in CSS pixels. */
export type CutText = {
  readonly text: string;
  /** Width that the text lacks; for several lines, the width at which they would fit. */
  readonly lack: number;
  /** Free width: of the columns of the table, or else of the line with the box. */
  readonly free: number;
  /** Label of the table; null for a text outside of a table, or beside free width in its cell. */
  readonly table: string | null;
};

/** Returns the visible texts of a view that are cut beside free width. */
export function cutTexts(page: Page): Promise<readonly CutText[]> {
  return page.evaluate(() => {
    /** A text may be so much too wide without being cut: errors of rounding. */
    const UNSEEN = 0.25;
    /** Width that a column may have to spare: the room around icons. */
    const TOLERANCE = 16;
    /** Gap between two texts of a line that is not free: their padding and distance. */
    const GAP = 32;
    /** Boxes that are as wide as what they show is long: parts of a map or a scale. */
    const TO_SCALE = '[role="img"], [data-to-scale]';
    const CONTROLS = 'input, select, canvas, img, [role="progressbar"]';

    const isCutting = (overflow: string) => overflow === 'hidden' || overflow === 'clip';
    const isScrolling = (overflow: string) => overflow === 'auto' || overflow === 'scroll';

    const boxOf = (node: Node) => {
      const range = document.createRange();
      range.selectNode(node);
      return range.getBoundingClientRect();
    };

    /** Yields the texts, icons and controls of an element that have a size. */
    function* drawnIn(element: Element) {
      const walker = document.createTreeWalker(
        element,
        NodeFilter.SHOW_TEXT | NodeFilter.SHOW_ELEMENT,
      );
      for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
        const isText = node instanceof Text && node.data.trim() !== '';
        // A style sheet draws the text of the attribute (`CutName`).
        const isCutName = node instanceof HTMLElement && node.dataset.text !== undefined;
        const isControl =
          node instanceof Element && (node instanceof SVGSVGElement || node.matches(CONTROLS));
        const parent = node instanceof Element ? node : node.parentElement;
        if (parent === null || !(isText || isCutName || isControl)) continue;
        if (parent.closest('.visually-hidden') !== null) continue;
        if (!parent.checkVisibility({ visibilityProperty: true })) continue;
        const box = boxOf(node);
        if (box.width > 0) yield { node, parent, box, isText, isCutName };
      }
    }

    /** Returns the box that cuts a text, up to `end`, and the width that the text lacks. */
    const cutOf = (parent: Element, box: DOMRect, end: Element) => {
      for (let at: Element | null = parent; at !== null; at = at.parentElement) {
        // A box without a client width is inline, and cuts nothing.
        if (at.clientWidth > 0) {
          const { overflowX, overflowY, webkitLineClamp, borderRightWidth } = getComputedStyle(at);
          const lines = at.scrollHeight / at.clientHeight;
          if (webkitLineClamp !== 'none' && at.scrollHeight > at.clientHeight + 2) {
            return { by: at, lack: at.clientWidth * (lines - 1) };
          }
          if (isScrolling(overflowX)) return null;
          const rect = at.getBoundingClientRect();
          const lack = box.right - rect.right + Number.parseFloat(borderRightWidth);
          if (isCutting(overflowX) && lack > UNSEEN) return { by: at, lack };
          const isHalf = box.top < rect.bottom - 4 && box.bottom > rect.bottom + 4;
          if (isCutting(overflowY) && isHalf && box.height > 8) return { by: at, lack: 1 };
        }
        if (at === end) return null;
      }
      return null;
    };

    /** Returns the width of a box, at the height of `line`, that nothing is drawn in. */
    const freeWidth = (element: Element, line: DOMRect) => {
      const { paddingLeft, paddingRight } = getComputedStyle(element);
      const rect = element.getBoundingClientRect();
      let at = rect.left + Number.parseFloat(paddingLeft);
      const end = rect.right - Number.parseFloat(paddingRight);
      const boxes = [...drawnIn(element)]
        .map(({ box }) => box)
        .filter(({ top, bottom }) => bottom > line.top + 2 && top < line.bottom - 2)
        .sort((a, b) => a.left - b.left);
      let free = 0;
      for (const { left, right } of boxes) {
        free += Math.max(0, Math.min(left, end) - at - GAP);
        at = Math.max(at, right);
      }
      return free + Math.max(0, end - at - GAP);
    };

    /** Returns the cut texts of an element beside free width in the same line of it. */
    const cutInLines = (element: Element, isCell: boolean) => {
      const found = new Map<Element, CutText>();
      for (const { node, parent, box, isText, isCutName } of drawnIn(element)) {
        if (!isText && !isCutName) continue;
        if (!isCell && parent.closest('table') !== null) continue;
        if (parent.closest(TO_SCALE) !== null) continue;
        if (box.top >= innerHeight || box.bottom <= 0) continue;
        const cut = isCutName
          ? { by: parent, lack: parent.scrollWidth - parent.clientWidth - 1 }
          : cutOf(parent, box, element);
        if (cut === null || cut.lack <= UNSEEN || found.has(cut.by)) continue;
        const line = cut.by.getBoundingClientRect();
        let free = 0;
        for (let at = cut.by; at !== element && at.parentElement !== null; ) {
          at = at.parentElement;
          const { overflowX, flexDirection, display } = getComputedStyle(at);
          // What lies beside a column of texts is another part of the view.
          if (display.includes('grid') || (display.includes('flex') && flexDirection === 'row')) {
            free = Math.max(free, freeWidth(at, line));
            break;
          }
          free = Math.max(free, freeWidth(at, line));
          if (isScrolling(overflowX)) break;
        }
        const text =
          (node instanceof Text ? node.data : (parent as HTMLElement).dataset.text) ?? '';
        found.set(cut.by, {
          text: text.trim().slice(0, 60),
          lack: Math.ceil(cut.lack),
          free: Math.round(free),
          table: null,
        });
      }
      return [...found.values()].filter(({ lack, free }) => free >= lack);
    };

    const cutInTable = (table: HTMLTableElement): CutText[] => {
      const needs: number[] = [];
      const widths: number[] = [];
      const hasText: boolean[] = [];
      const cut: { readonly text: string; readonly lack: number }[] = [];
      const inCells: CutText[] = [];
      const { bottom } = table.getBoundingClientRect();
      let beside = Infinity;
      for (const row of table.rows) {
        // Rows that are drawn in advance are not seen.
        const line = row.getBoundingClientRect();
        if (line.top >= bottom) continue;
        let used = line.left;
        for (const [column, cell] of [...row.cells].entries()) {
          const { paddingLeft, paddingRight } = getComputedStyle(cell);
          const padding = Number.parseFloat(paddingLeft) + Number.parseFloat(paddingRight);
          let [start, end, lack] = [Infinity, -Infinity, 0];
          for (const { parent, box, isText, isCutName } of drawnIn(cell)) {
            start = Math.min(start, box.left);
            const by = isText ? cutOf(parent, box, cell) : null;
            end = Math.max(end, by === null ? box.right : by.by.getBoundingClientRect().right);
            if (by !== null) lack = Math.max(lack, by.lack);
            if (isCutName) lack = Math.max(lack, parent.scrollWidth - parent.clientWidth - 1);
          }
          const width = Math.max(0, end - start);
          hasText[column] ||= cell.tagName === 'TD' && width > 0;
          needs[column] = Math.max(needs[column] ?? 0, width + lack + padding);
          const rect = cell.getBoundingClientRect();
          widths[column] = rect.width;
          used = Math.max(used, rect.right);
          if (lack > UNSEEN) cut.push({ text: cell.textContent?.slice(0, 60) ?? '', lack });
          inCells.push(...cutInLines(cell, true));
        }
        // The room for the button that chooses columns is not free.
        const { paddingRight } = getComputedStyle(row);
        beside = Math.min(beside, line.right - Number.parseFloat(paddingRight) - used);
      }
      // A column without text, such as the arrows of jumps, spares nothing.
      const spare = widths.map((width, column) =>
        hasText[column] === true ? Math.max(0, width - (needs[column] ?? 0) - TOLERANCE) : 0,
      );
      const free = Math.round(
        spare.reduce((sum, width) => sum + width, Math.max(0, beside - TOLERANCE)),
      );
      const label = table.getAttribute('aria-label');
      return [
        ...cut
          .filter(({ lack }) => lack <= free)
          .map(({ text, lack }) => ({ text, lack: Math.ceil(lack), free, table: label })),
        ...inCells,
      ];
    };

    return [...document.querySelectorAll('[role="tabpanel"]')]
      .filter((panel) => panel.checkVisibility({ visibilityProperty: true }))
      .flatMap((panel) => [
        ...[...panel.querySelectorAll('table')]
          .filter((table) => table.checkVisibility({ visibilityProperty: true }))
          .flatMap(cutInTable),
        ...cutInLines(panel, false),
      ]);
  });
}

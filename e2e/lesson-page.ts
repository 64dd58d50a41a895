/**
 * A lesson beside the tool, for tests: goes through steps, clicks in the tool, gives answers, reads
 * feedback.
 */
import { expect, type Locator, type Page } from '@playwright/test';
import { lessonOf, OWN_FILE } from '#testing/lesson-files.ts';
import type { Click, PlannedAnswer, PlannedStep } from '#testing/lesson-plan.ts';

/** Intervals in ms at which a text is checked. */
const OFTEN = [50, 100, 100, 200];

/** Titles of the tabs that draw pins. */
const WITH_PINS: readonly string[] = ['Bytes', 'Types'];

export class LessonPage {
  readonly page: Page;
  readonly #id: string;

  constructor(page: Page, id: string) {
    this.page = page;
    this.#id = id;
  }

  get panel(): Locator {
    return this.page.getByRole('region', { name: 'Lesson', exact: true });
  }

  get #question(): Locator {
    return this.panel.getByRole('group', { name: 'Question', exact: true });
  }

  /** Opens a step by its address. Loads the page first if it is blank. */
  async follow({ id }: PlannedStep): Promise<void> {
    const own = lessonOf(this.#id).object === 'own' ? `&file=${OWN_FILE}` : '';
    const hash = `#/?lesson=${this.#id}&at=${encodeURIComponent(id)}${own}`;
    if (this.page.url() === 'about:blank') await this.page.goto(`./${hash}`);
    else await this.page.evaluate((address) => location.assign(address), hash);
  }

  async next(): Promise<void> {
    await this.panel.getByRole('button', { name: 'Next step', exact: true }).click();
  }

  /** Expects the step in the panel and its place in the tool. */
  async expectStep(step: PlannedStep, number: number, count: number): Promise<void> {
    const { page, panel } = this;
    await expect(panel.getByText(`Step ${number} of ${count}`, { exact: true })).toBeVisible();
    // Runs the checks in parallel, because each may have to wait for a busy browser.
    await Promise.all([
      expect(panel.getByRole('heading', { level: 3 })).toHaveText(step.title),
      // A log has a switch in place of tabs.
      expect(
        page
          .getByRole('tab', { name: step.tab, selected: true })
          .or(page.getByRole('radio', { name: step.tab, exact: true, checked: true }))
          .first(),
      ).toBeAttached(),
      expect
        .poll(() => decodeURIComponent(page.url()), { intervals: OFTEN })
        .toMatch(
          new RegExp(
            `[?&]lesson=${this.#id}&at=${escaped(step.id)}&.*${escaped(decodeURIComponent(step.place))}`,
          ),
        ),
    ]);
    // The marks of the previous step must be gone: the tool shows the place of this step.
    await Promise.all([
      expect(panel.getByRole('button', { name: 'Back to the step' })).toHaveCount(0),
      expect(panel).not.toContainText(/\\x[0-9a-f]{2}/),
      step.place === '' ? null : this.#expectLit(step),
      this.#expectPins(step),
      step.right === null ? null : expect(this.#question).toBeVisible(),
    ]);
  }

  /** Expects all callouts in the panel, and their pins if the view draws pins. */
  async #expectPins({ calloutCount, tab }: PlannedStep): Promise<void> {
    const pins = this.panel.getByRole('list', { name: 'Pins' }).getByRole('listitem');
    await expect(pins).toHaveCount(calloutCount);
    if (calloutCount === 0 || !WITH_PINS.includes(tab) || this.#isNarrow) return;
    const marks = this.page
      .getByRole('tabpanel')
      .locator('[title*="Pin "]:visible, [aria-label*="Pin "]:visible');
    await expect(marks.first()).toBeVisible();
  }

  /** Expects that the selection is marked in the tool or named in the heading. */
  async #expectLit({ heading, title }: PlannedStep): Promise<void> {
    const panel = this.page.getByRole('tabpanel');
    const marked = panel.locator('[aria-selected=true]:visible, [aria-current]:visible');
    const told = heading === null ? marked : marked.or(panel.getByText(heading, { exact: true }));
    await expect(told.filter({ visible: true }).first()).toBeVisible();
    // On a narrow screen the lesson can cover the marked row, so only the heading is checked.
    if (this.#isNarrow) return;
    await expect
      .poll(async () => (await this.#seenOf(told)).length, {
        intervals: OFTEN,
        message: `${title}: what is selected is in sight`,
      })
      .toBeGreaterThan(0);
  }

  get #isNarrow(): boolean {
    return (this.page.viewportSize()?.width ?? 0) < 720;
  }

  async #seenOf(marked: Locator): Promise<readonly true[]> {
    return marked.evaluateAll((elements) =>
      elements.flatMap((element) => {
        const { left, top, width, height } = element.getBoundingClientRect();
        const hit = document.elementFromPoint(left + Math.min(width / 2, 40), top + height / 2);
        return hit !== null && (element.contains(hit) || hit.contains(element))
          ? [true as const]
          : [];
      }),
    );
  }

  /** Expects that the panel is readable and does not scroll sideways. */
  async expectReadable(): Promise<void> {
    const { width, height } = this.page.viewportSize() ?? { width: 0, height: 0 };
    const [box, overflow] = await Promise.all([
      this.panel.boundingBox(),
      this.page.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      ),
    ]);
    if (box === null) throw new Error('the lesson is not shown');
    expect(box.x).toBeGreaterThanOrEqual(0);
    expect(box.x + box.width).toBeLessThanOrEqual(width);
    expect(box.y + box.height).toBeLessThanOrEqual(height);
    expect(box.height).toBeGreaterThan(height / 4);
    expect(overflow, 'scrolls sideways').toBe(0);
  }

  /** Gives an answer, and expects its feedback. */
  async answer({ give, why }: PlannedAnswer, step: PlannedStep, isRight: boolean): Promise<void> {
    switch (give.kind) {
      case 'typed':
        await this.#question.getByRole('textbox', { name: 'Your answer' }).fill(give.text);
        await this.#question.getByRole('button', { name: 'Check', exact: true }).click();
        break;
      case 'chosen':
        await this.#question.getByRole('radio').nth(give.option).click();
        break;
      default:
        await this.#click(give.click);
    }
    const said = this.panel.locator(`[data-answer=${isRight ? 'right' : 'wrong'}]`);
    await expect(said, `${step.title}: ${JSON.stringify(give.kind)}`).toContainText(why);
  }

  async #click(click: Click): Promise<void> {
    const { page } = this;
    const tab = page.getByRole('tab', { name: click.tab });
    if ((await tab.getAttribute('aria-selected')) !== 'true') await tab.click();
    switch (click.tab) {
      case 'Bytes':
        return this.#clickByte(click.fileOffset);
      case 'Code':
        return this.#clickInsn(click.section, click.insnOff);
      case 'Relocations':
        return this.#clickRelocation(click);
      default:
        return this.#clickType(click.type, click.member);
    }
  }

  /** Clicks the byte if it is visible; otherwise uses the "Go to offset" box. */
  async #clickByte(fileOffset: number): Promise<void> {
    const grid = this.page.getByRole('grid', { name: 'Bytes' });
    await expect(grid).toBeVisible();
    const cell = grid.locator(`td[data-offset="${fileOffset}"]`);
    if ((await cell.count()) > 0 && (await this.#seenOf(cell)).length > 0) return cell.click();
    const file = this.page.getByRole('option', { name: /^Whole file/ });
    if ((await file.count()) > 0) await file.click();
    const box = this.page.getByRole('textbox', { name: 'Go to offset' });
    await box.fill(`0x${fileOffset.toString(16)}`);
    await box.press('Enter');
  }

  async #clickRelocation(click: Extract<Click, { tab: 'Relocations' }>): Promise<void> {
    const panel = this.page.getByRole('tabpanel');
    const name = new RegExp(`^${escaped(click.relSection)}(?!\\w)`);
    const select = panel.getByRole('combobox', { name: 'Relocation sections' });
    if (await select.isVisible()) {
      const option = select.getByRole('option', { name });
      await select.selectOption((await option.getAttribute('value')) ?? '');
    } else await panel.getByRole('option', { name }).click();
    const offset = this.page
      .locator('td:first-child')
      .getByText(`0x${click.offset.toString(16)}`, { exact: true });
    await panel.locator('tr[data-row]').filter({ has: offset }).nth(click.ordinal).click();
  }

  async #clickInsn(section: string, insnOff: number): Promise<void> {
    const { page } = this;
    const title = page.getByRole('heading', { name: section, exact: true });
    if ((await title.count()) === 0) {
      await page
        .getByRole('listbox', { name: 'Functions' })
        .getByRole('option', { name: section, exact: true })
        .click();
    }
    await page
      .getByRole('grid', { name: 'Instructions' })
      .getByTitle(`byte 0x${insnOff.toString(16)} of the section`, { exact: true })
      .click();
  }

  async #clickType(type: number, member: string | null): Promise<void> {
    const { page } = this;
    const list = page.getByRole('listbox', { name: 'Types' });
    const option = list.getByRole('option', { name: `[${type}]` });
    const isShown =
      (await option.count()) > 0 && (await option.getAttribute('aria-selected')) === 'true';
    if (member === null || !isShown) {
      await page.getByRole('searchbox', { name: 'Filter types' }).fill(`#${type}`);
      await option.click();
      await page.getByRole('searchbox', { name: 'Filter types' }).fill('');
      if (member === null) return;
    }
    await page
      .getByRole('tabpanel')
      .getByRole('row', { name: new RegExp(`^${escaped(member)}(?!\\w)`) })
      .first()
      // Clicks the first cell, because a click on a link in another cell would follow it.
      .getByRole('gridcell')
      .first()
      .click();
  }
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}

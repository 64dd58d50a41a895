/** Lessons on a projector and a phone: the task and verdict of every step must be visible. */
import { expect, type Locator, type Page } from '@playwright/test';
import { lessonIds } from '#testing/lesson-files.ts';
import { lessonPlan, type PlannedStep } from '#testing/lesson-plan.ts';
import { AppPage } from './app-page.ts';
import { LessonPage } from './lesson-page.ts';
import { test } from './test.ts';

/** Rows of a table and of hex that an audience sees, at least. */
const LEAST_ROWS = 4;
const LEAST_HEX = 8;

type Room = {
  /** Share of the window's width and height that the lesson takes. */
  readonly lesson: readonly [width: number, height: number];
  readonly toolbars: number;
  /** Handles between panes. */
  readonly handles: number;
  /** Whole rows in sight, and all rows, of the table with the place. */
  readonly rows: readonly [whole: number, all: number];
  readonly hex: readonly [whole: number, all: number];
  /** Number of elements in sight that mark or name the selection. */
  readonly marks: number;
};

/** Measures what an audience sees of the tool. `heading` may name the selection. */
async function roomOf(page: Page, heading: string | null): Promise<Room> {
  return page.evaluate((named) => {
    // A log has a switch in place of tabs.
    const panel =
      document.querySelector('[role="tabpanel"]') ?? document.querySelector('[data-pane-body]');
    const lesson = document.querySelector('section[aria-label="Lesson"]');
    if (panel === null || lesson === null) throw new Error('no tool or no lesson');
    const outer = panel.getBoundingClientRect();
    const isSeen = (element: Element) => {
      const { left, top, width, height, bottom } = element.getBoundingClientRect();
      if (width === 0 || height === 0 || top < outer.top - 1 || bottom > outer.bottom + 1) {
        return false;
      }
      const hit = document.elementFromPoint(left + Math.min(width / 2, 40), top + height / 2);
      return hit !== null && (element.contains(hit) || hit.contains(element));
    };
    // Views that were shown before stay in the page, out of sight.
    const all = (selector: string) =>
      [...panel.querySelectorAll(selector)].filter((one) => !one.closest('[data-hidden="true"]'));
    const drawn = (element: Element) => element.getClientRects().length > 0;
    const hex = new Set(
      all('td[data-offset]')
        .filter(drawn)
        .map((cell) => cell.parentElement),
    );
    const box = lesson.getBoundingClientRect();
    const marks = all('[aria-selected="true"], [aria-current], [aria-pressed="true"]')
      .concat(
        named === null
          ? []
          : all('h2, h3, h4, code, span, p, dt, dd').filter(
              (one) => one.textContent?.trim() === named,
            ),
      )
      .filter(isSeen);
    // The table in which the place is; without a place, one that begins in the upper half.
    const tables = all('[role="grid"], [role="treegrid"], [role="listbox"], table').filter(drawn);
    const ofPlace = tables.filter((table) => marks.some((mark) => table.contains(mark)));
    const upper = tables.filter((table) => {
      const { top } = table.getBoundingClientRect();
      return top >= outer.top - 1 && top < (outer.top + outer.bottom) / 2;
    });
    const counts = (marks.length > 0 ? ofPlace : upper)
      .map((table) => {
        const rows = [...table.querySelectorAll('[role="row"], [role="option"], tr')].filter(drawn);
        return [rows.filter(isSeen).length, rows.length] as const;
      })
      .toSorted(([a], [b]) => b - a);
    return {
      lesson: [box.width / innerWidth, box.height / innerHeight],
      // The legend and the zoom of the graph lie over it.
      toolbars: all(
        'fieldset[aria-label]:not([aria-label="Kinds shown"], [aria-label="Zoom"])',
      ).filter(drawn).length,
      handles: all('[role="separator"]').filter(drawn).length,
      rows: counts[0] ?? [0, 0],
      hex: [[...hex].filter((row) => row !== null && isSeen(row)).length, hex.size],
      marks: marks.length,
    } as const;
  }, heading);
}

/** Expects that an audience sees enough of the tool, with the place of the step. */
async function expectRoom(page: Page, step: PlannedStep): Promise<void> {
  await expect(async () => {
    const { lesson, toolbars, handles, rows, hex, marks } = await roomOf(page, step.heading);
    const [width, height] = lesson;
    expect(width < 0.46 || height < 0.34, `${step.title}: room of the lesson`).toBe(true);
    expect([toolbars, handles], `${step.title}: toolbars and second panels`).toEqual([0, 0]);
    for (const [what, [whole, all], least] of [
      ['rows', rows, LEAST_ROWS],
      ['rows of hex', hex, LEAST_HEX],
    ] as const) {
      expect(whole, `${step.title}: ${what}`).toBeGreaterThanOrEqual(Math.min(least, all));
    }
    // Of a whole section, Bytes shows the bytes alone.
    const isSection = step.tab === 'Bytes' && hex[0] > 0 && !/=@/.test(step.place);
    if (step.place !== '' && !isSection) {
      expect(marks, `${step.title}: its place`).toBeGreaterThan(0);
    }
  }).toPass({ timeout: 10_000, intervals: [50, 100, 250, 500] });
}

/** The smallest projector. Larger ones only show everything larger: see `Presenter.test.ts`. */
const PROJECTOR = { width: 1280, height: 720 };
const FULL_HD = { width: 1920, height: 1080 };
const PHONE = { width: 390, height: 844 };

test.setTimeout(240_000);
test.use({ trace: 'off' });

// Presents in a window, because a test cannot resize a full-screen page.
test.beforeEach(async ({ page }) => {
  await page.addInitScript(() => Reflect.deleteProperty(Element.prototype, 'requestFullscreen'));
});

/**
 * Expects that the element is fully visible in the step's text. Returns how many CSS pixels are cut
 * off; a negative number is free space.
 */
async function expectInSight(element: Locator, what: string): Promise<number> {
  let cut = Number.POSITIVE_INFINITY;
  await expect(async () => {
    cut = await element.evaluate((shown) => {
      const text = shown.closest('[data-step-text]')?.getBoundingClientRect();
      const box = shown.getBoundingClientRect();
      if (text === undefined || box.height === 0) return Number.POSITIVE_INFINITY;
      return Math.max(text.top - box.top, box.bottom - text.bottom);
    });
    expect(cut, `${what}: CSS pixels that are cut`).toBeLessThan(2);
  }).toPass({ timeout: 10_000, intervals: [20, 50, 100, 250, 500] });
  return cut;
}

async function present(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Present', exact: true }).click();
  await expect(page.getByRole('toolbar', { name: 'Presenter' })).toBeVisible();
}

for (const id of lessonIds()) {
  test(`${id}: the place is in sight, and no task and no verdict is cut`, { tag: '@long' }, async ({
    page,
  }) => {
    const { steps } = await lessonPlan(id);
    const [first] = steps;
    if (first === undefined) throw new Error(`${id} has no step`);
    const app = new AppPage(page);
    const lesson = new LessonPage(page, id);
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await page.setViewportSize(PROJECTOR);
    await lesson.follow(first);
    await expect(lesson.panel).toBeVisible();
    await present(page);
    const question = lesson.panel.getByRole('group', { name: 'Question', exact: true });
    // For an exercise in C only the task must fit: the C can be longer than the screen.
    const isWritten = () => question.locator('textarea').count();
    const task = async () => ((await isWritten()) > 0 ? question.locator('p').first() : question);
    let tightest = { step: first, cut: Number.NEGATIVE_INFINITY };
    for (const [i, step] of steps.entries()) {
      if (i > 0) await lesson.next();
      await expect(lesson.panel.getByText(`Step ${i + 1} of ${steps.length}`)).toBeVisible();
      await expectRoom(page, step);
      if (step.right === null) continue;
      const cut = await expectInSight(await task(), step.title);
      if (cut > tightest.cut) tightest = { step, cut };
      // `lessons.spec.ts` tests answers by a click, which need another window size.
      const [wrong] = step.wrong.filter(({ give }) => give.kind !== 'click');
      if (wrong === undefined) continue;
      await lesson.answer(wrong, step, false);
      await expectInSight(lesson.panel.locator('[data-answer]'), `the verdict of ${step.title}`);
    }
    await page.setViewportSize(FULL_HD);
    await lesson.follow(tightest.step);
    await expect(lesson.panel.getByRole('heading', { level: 3 })).toHaveText(tightest.step.title);
    await expectInSight(await task(), `${tightest.step.title} at ${FULL_HD.width}`);
    app.expectQuiet();
  });
}

test('an audience sees rows of code, hex and CO-RE, and the place of each step', async ({
  page,
}) => {
  await page.setViewportSize(PROJECTOR);
  await page.emulateMedia({ reducedMotion: 'reduce' });
  const app = new AppPage(page);
  for (const [id, ...wanted] of [
    ['why-core', 'Code', 'CO-RE'],
    ['btf-header', 'Bytes'],
  ] as const) {
    const { steps } = await lessonPlan(id);
    const lesson = new LessonPage(page, id);
    for (const tab of wanted) {
      const step = steps.find((one) => one.tab === tab && one.place !== '');
      if (step === undefined) throw new Error(`${id} has no step in ${tab}`);
      await lesson.follow(step);
      await expect(lesson.panel.getByRole('heading', { level: 3 })).toHaveText(step.title);
      if ((await page.getByRole('toolbar', { name: 'Presenter' }).count()) === 0)
        await present(page);
      await expectRoom(page, step);
    }
  }
  app.expectQuiet();
});

test('PageDown scrolls a long text before it steps, and the lesson can be resized', {
  tag: '@long',
}, async ({ page }) => {
  await page.setViewportSize({ width: 1280, height: 720 });
  const app = new AppPage(page);
  await app.open('/?lesson=exercises-btf');
  await present(page);
  const panel = page.getByRole('region', { name: 'Lesson', exact: true });
  const handle = page.getByRole('separator', { name: 'Resize the lesson' });
  const width = async () => (await panel.boundingBox())?.width ?? 0;
  const before = await width();
  await handle.focus();
  for (let i = 0; i < 4; i++) await page.keyboard.press('ArrowRight');
  await expect.poll(width).toBeLessThan(before - 60);
  await page.mouse.click(640, 100);
  const text = page.locator('[data-step-text]');
  await page.keyboard.press('PageDown');
  await expect.poll(() => text.evaluate(({ scrollTop }) => scrollTop)).toBeGreaterThan(0);
  await expect(panel).toContainText('Step 1 of');
  await expect(async () => {
    await page.keyboard.press('PageDown');
    await expect(panel).toContainText('Step 2 of', { timeout: 500 });
  }).toPass();
  app.expectQuiet();
});

test('hex and tables have 18 pixels and more before an audience', { tag: '@long' }, async ({
  page,
}) => {
  for (const [address, text] of [
    ['/?lesson=btf-header', 'td[data-offset]'],
    ['/?lesson=structs&at=holes', '[role=gridcell]'],
  ] as const) {
    await page.setViewportSize({ width: 1280, height: 720 });
    const app = new AppPage(page);
    await app.open(address);
    await present(page);
    const cell = page.getByRole('tabpanel').locator(text).first();
    const size = await cell.evaluate((element) => {
      const zoom = (element as HTMLElement & { currentCSSZoom: number }).currentCSSZoom;
      return Number.parseFloat(getComputedStyle(element).fontSize) * zoom;
    });
    expect(size).toBeGreaterThanOrEqual(18);
    await page.keyboard.press('Escape');
    app.expectQuiet();
  }
});

test('on a phone a verdict scrolls into sight', async ({ page }) => {
  await page.setViewportSize(PHONE);
  const app = new AppPage(page);
  await app.open('/?lesson=exercises-layout&at=a-whole-cache-line');
  const panel = page.getByRole('region', { name: 'Lesson', exact: true });
  await panel.getByRole('button', { name: 'Check', exact: true }).click();
  await expectInSight(panel.locator('[data-answer=wrong]'), 'the verdict');
  app.expectQuiet();
});

test.describe('on a phone', () => {
  test.use({ hasTouch: true, viewport: PHONE });

  test('one scroll leads to the question, and the place stays in sight', { tag: '@long' }, async ({
    page,
  }) => {
    const app = new AppPage(page);
    await app.open('/?lesson=info-word&at=how-long-is-the-record');
    const panel = page.getByRole('region', { name: 'Lesson', exact: true });
    const place = page.getByRole('gridcell', { selected: true }).first();
    await expect(place).toBeInViewport();
    await page.locator('[data-step-text]').evaluate((text) => text.scrollBy(0, text.clientHeight));
    await expectInSight(panel.getByRole('group', { name: 'Question' }), 'the question');
    await expect(place).toBeInViewport();
    await panel.getByLabel('Your answer').fill('24');
    await panel.getByRole('button', { name: 'Check', exact: true }).tap();
    await expectInSight(panel.locator('[data-answer=wrong]'), 'the verdict');
    await expect(place).toBeInViewport();
    app.expectQuiet();
  });

  /** Expects the question, or its first lines at the lower edge, within the first screen. */
  async function expectAsked(page: Page, title: string): Promise<void> {
    await expect(async () => {
      const seen = await page.evaluate(() => {
        const body = document.querySelector('[data-step-text]')?.getBoundingClientRect();
        const prompts = document.querySelectorAll(
          '[data-pinned] p, fieldset[aria-label=Question] > :first-child > p',
        );
        return [...prompts].some((prompt) => {
          const { left, top, height } = prompt.getBoundingClientRect();
          const hit = document.elementFromPoint(left + 4, top + 8);
          // Two lines of a long prompt are enough.
          const end = top + Math.min(height, 38);
          const isWhole = body !== undefined && top >= body.top && end <= body.bottom;
          return isWhole && hit !== null && (prompt.contains(hit) || hit.contains(prompt));
        });
      });
      expect(seen, `${title}: its question is in the first screen`).toBe(true);
    }).toPass({ timeout: 10_000, intervals: [50, 100, 250, 500] });
  }

  test('the first question is within the first screen', async ({ page }) => {
    const app = new AppPage(page);
    await app.open('/?lesson=why-core');
    await expectAsked(page, 'why-core');
    const question = page.getByRole('group', { name: 'Question' });
    await page.locator('[data-step-text]').evaluate((text) => text.scrollTo(0, text.scrollHeight));
    await expectInSight(question, 'the question');
    await question.getByRole('radio').first().click();
    await expect(page.locator('[data-pinned]')).toHaveCount(0);
    app.expectQuiet();
  });

  test('each question is within the first screen of its step', { tag: '@long' }, async ({
    page,
  }) => {
    const app = new AppPage(page);
    for (const id of lessonIds()) {
      const { steps } = await lessonPlan(id);
      const lesson = new LessonPage(page, id);
      for (const step of steps.filter(({ right }) => right !== null)) {
        await lesson.follow(step);
        await expect(lesson.panel.getByRole('heading', { level: 3 })).toHaveText(step.title);
        await expectAsked(page, `${id}, ${step.title}`);
      }
    }
    app.expectQuiet();
  });

  test('Compare leaves lines of both types in sight above the lesson', { tag: '@long' }, async ({
    page,
  }) => {
    const app = new AppPage(page);
    let shown = 0;
    for (const id of lessonIds()) {
      const { steps } = await lessonPlan(id);
      const lesson = new LessonPage(page, id);
      for (const step of steps.filter(({ tab }) => tab === 'Compare')) {
        shown++;
        await lesson.follow(step);
        await expect(lesson.panel.getByRole('heading', { level: 3 })).toHaveText(step.title);
        const lines = page.getByRole('grid', {
          name: /^(Lines of both types|Source lines of both logs)$/,
        });
        await expect(lines.getByRole('row').nth(3)).toBeInViewport({ ratio: 1 });
        await expect(async () => {
          const [low, panel] = await Promise.all([
            lines.getByRole('row').nth(3).boundingBox(),
            lesson.panel.boundingBox(),
          ]);
          expect((low?.y ?? 9999) + (low?.height ?? 0)).toBeLessThanOrEqual(panel?.y ?? 0);
        }).toPass();
        const text = page.locator('[data-step-text]');
        await text.evaluate((body) => body.scrollBy(0, body.clientHeight));
        await expectInSight(lesson.panel.getByRole('group', { name: 'Question' }), step.title);
        const [wrong] = step.wrong;
        if (wrong === undefined) throw new Error(`${step.title} has no wrong answer`);
        await lesson.answer(wrong, step, false);
        await expectInSight(
          lesson.panel.locator('[data-answer=wrong]'),
          `verdict of ${step.title}`,
        );
      }
    }
    expect(shown).toBeGreaterThan(0);
    app.expectQuiet();
  });

  test('an access string is walked by touch and by the arrow keys', { tag: '@long' }, async ({
    page,
  }) => {
    const app = new AppPage(page);
    await app.open('/?lesson=access-strings&at=one-step-after-the-other');
    const numbers = page.getByRole('toolbar', { name: 'Access string' }).getByRole('button');
    await expect(numbers.nth(0)).toHaveAttribute('aria-pressed', 'true');
    await numbers.nth(2).tap();
    await expect(numbers.nth(2)).toHaveAttribute('aria-pressed', 'true');
    await expect(page.getByText(/^Element 0 of the array numbers/).first()).toBeVisible();
    await page.keyboard.press('ArrowRight');
    await expect(numbers.nth(3)).toHaveAttribute('aria-pressed', 'true');
    // Arrow keys work while the lesson has the focus, too.
    await page.locator('[data-step-text]').focus();
    await page.keyboard.press('ArrowLeft');
    await expect(numbers.nth(2)).toHaveAttribute('aria-pressed', 'true');
    app.expectQuiet();
  });
});

test('beside a lesson the buttons over the code are in its panel', { tag: '@long' }, async ({
  page,
}) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  const app = new AppPage(page);
  await app.open('/?lesson=other-kernel&at=ask-before-you-read');
  const list = page.getByRole('region', { name: '.text', exact: true });
  const panel = await list.boundingBox();
  for (const control of [
    list.getByRole('button', { name: 'CO-RE beside' }),
    list.getByRole('textbox').first(),
  ]) {
    const box = await control.boundingBox();
    expect((box?.x ?? 0) + (box?.width ?? 9999)).toBeLessThanOrEqual(
      (panel?.x ?? 0) + (panel?.width ?? 0),
    );
    // `trial` checks that no other element covers the control.
    await control.click({ trial: true });
  }
  app.expectQuiet();
});

/** Lessons on a projector and a phone: the task and verdict of every step must be visible. */
import { expect, type Locator, type Page, test } from '@playwright/test';
import { lessonIds } from '#testing/lesson-files.ts';
import { lessonPlan } from '#testing/lesson-plan.ts';
import { AppPage } from './app-page.ts';
import { LessonPage } from './lesson-page.ts';

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
  test(`${id}: no task and no verdict is cut`, { tag: '@long' }, async ({ page }) => {
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

test('PageDown scrolls a long text before it steps, and the strip can be resized', {
  tag: '@long',
}, async ({ page }) => {
  await page.setViewportSize({ width: 1280, height: 720 });
  const app = new AppPage(page);
  await app.open('/?lesson=exercises-btf');
  await present(page);
  const panel = page.getByRole('region', { name: 'Lesson', exact: true });
  const handle = page.getByRole('separator', { name: 'Resize the lesson' });
  const height = async () => (await panel.boundingBox())?.height ?? 0;
  const before = await height();
  await handle.focus();
  for (let i = 0; i < 9; i++) await page.keyboard.press('ArrowDown');
  expect(await height()).toBeLessThan(before - 60);
  await page.mouse.click(640, 100);
  const text = page.locator('[data-step-text]');
  await page.keyboard.press('PageDown');
  await expect.poll(() => text.evaluate(({ scrollTop }) => scrollTop)).toBeGreaterThan(0);
  await expect(panel).toContainText('Step 1 of');
  await expect(async () => {
    await page.keyboard.press('PageDown');
    await expect(panel).toContainText('Step 2 of', { timeout: 500 });
  }).toPass();
  const box = await handle.boundingBox();
  if (box === null) throw new Error('the handle is not drawn');
  await page.mouse.move(640, box.y + box.height / 2);
  await page.mouse.down();
  await page.mouse.move(640, 300);
  await page.mouse.up();
  expect(await height()).toBeGreaterThan(330);
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
        const lines = page.getByRole('grid', { name: 'Lines of both types' });
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

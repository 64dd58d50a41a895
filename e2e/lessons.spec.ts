/**
 * Every step of every lesson in the page: its place is shown, its right answer accepted, three
 * wrong answers explained; by buttons on a wide screen, then by step addresses on a narrow one.
 * `lesson-plan.ts` computes the answers and their feedback without the page.
 */
import { expect, test } from '@playwright/test';
import { lessonIds } from '#testing/lesson-files.ts';
import { lessonPlan } from '#testing/lesson-plan.ts';
import { AppPage, longUnless } from './app-page.ts';
import { expectAccessible } from './expect-accessible.ts';
import { LessonPage } from './lesson-page.ts';

/** The lesson that `npm test` plays. */
const SHORTEST = 'from-source';

const WIDE = { width: 1440, height: 900 };
const NARROW = { width: 390, height: 844 };

// A whole lesson, twice, takes seconds alone and minutes beside eight others.
test.setTimeout(240_000);
// A trace would take a screenshot of every click, for a hundred steps.
test.use({ trace: 'off', viewport: WIDE, actionTimeout: 20_000 });

for (const [index, id] of lessonIds().entries()) {
  test(`lesson ${id}`, longUnless(SHORTEST, id), async ({ page }) => {
    const { title, steps } = await lessonPlan(id);
    const [first] = steps;
    if (first === undefined) throw new Error(`${id} has no step`);
    const app = new AppPage(page);
    const lesson = new LessonPage(page, id);
    await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });

    await lesson.follow(first);
    await expect(lesson.panel.getByRole('heading', { level: 2 })).toHaveText(title);
    for (const [i, step] of steps.entries()) {
      if (i > 0) await lesson.next();
      await lesson.expectStep(step, i + 1, steps.length);
      for (const wrong of step.wrong) await lesson.answer(wrong, step, false);
      if (step.right !== null) await lesson.answer(step.right, step, true);
    }

    await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' });
    await page.setViewportSize(NARROW);
    for (const [i, step] of steps.entries()) {
      await lesson.follow(step);
      await lesson.expectStep(step, i + 1, steps.length);
      await lesson.expectReadable();
    }

    // axe checks the first step: elsewhere a row scrolled half under a header is too small a
    // target.
    await lesson.follow(first);
    await lesson.expectStep(first, 1, steps.length);
    if (index % 2 === 0) await page.setViewportSize(WIDE);
    if (index % 4 < 2) await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
    await expectAccessible(page, `${id}, its first step`);
    app.expectQuiet();
  });
}

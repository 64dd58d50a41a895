/**
 * Plays every step of every lesson: its place is shown, the right answer is accepted, three wrong
 * answers are explained. Uses buttons on a wide screen, and the addresses of steps on a narrow one.
 * `lesson-plan.ts` computes answers and feedback.
 */
import { expect } from '@playwright/test';
import { lessonIds } from '#testing/lesson-files.ts';
import { lessonPlan } from '#testing/lesson-plan.ts';
import { AppPage, longUnless } from './app-page.ts';
import { expectAccessible } from './expect-accessible.ts';
import { LessonPage } from './lesson-page.ts';
import { test } from './test.ts';

/** Lesson that `npm test` plays; the long run plays all. */
const SHORTEST = 'from-source';

const WIDE = { width: 1440, height: 900 };
const NARROW = { width: 390, height: 844 };

// Playing a lesson twice takes seconds alone, but minutes beside eight other tests.
test.setTimeout(240_000);
// No trace: it would contain a screenshot of every click in a hundred steps.
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

    // axe checks only the first step. In others a row under a header can be too small to click.
    await lesson.follow(first);
    await lesson.expectStep(first, 1, steps.length);
    if (index % 2 === 0) await page.setViewportSize(WIDE);
    if (index % 4 < 2) await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
    await expectAccessible(page, `${id}, its first step`);
    app.expectQuiet();
  });
}

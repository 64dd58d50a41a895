/**
 * Tests class mode: a learner's code, a teacher's tally, certificates, export, import and reset.
 * The page must send no request.
 */
import { readFileSync } from 'node:fs';
import { expect, type Page } from '@playwright/test';
import { readLesson } from '#lessons/read-lesson.ts';
import { lessonText } from '#testing/lesson-files.ts';
import {
  decodeProgress,
  encodeProgress,
  lessonFingerprint,
} from '../src/lessons/class-progress.ts';
import { AppPage } from './app-page.ts';
import { expectAccessible } from './expect-accessible.ts';
import { test } from './test.ts';

const { lesson } = readLesson(lessonText('btf-header'));
const steps = lesson?.steps ?? [];
const fingerprint = lessonFingerprint(
  lesson?.title ?? '',
  steps.map(({ id }) => id),
);

/** Returns the code of a learner who has answered all steps before step `at`. */
const codeOf = (name: string, at: number, isFinished = false, wrong: readonly number[] = []) =>
  encodeProgress({
    name,
    lessons: [{ fingerprint, at, done: steps.map((_, i) => isFinished || i < at), wrong }],
  });

/** Bit of the first step's wrong answer *How long the header is*, its second option. */
const HOW_LONG = 1 << 1;

const dialog = (page: Page, name: string) => page.getByRole('dialog', { name });

async function answerFirst(page: Page): Promise<AppPage> {
  const app = new AppPage(page);
  await app.open('/?lesson=btf-header');
  const panel = page.getByRole('region', { name: 'Lesson', exact: true });
  await panel.getByRole('radio', { name: /^How long the header is/ }).click();
  await expect(panel.locator('[data-answer=wrong]')).toBeVisible();
  await panel.getByRole('radio', { name: /^The byte order/ }).click();
  await expect(panel.locator('[data-answer=right]')).toBeVisible();
  await page.getByRole('button', { name: 'btfscope: start page' }).click();
  await page.getByRole('button', { name: 'Progress', exact: true }).click();
  await expect(dialog(page, 'Progress')).toBeVisible();
  return app;
}

test('a learner copies a code, exports the progress, and resets it', async ({ page }) => {
  const app = await answerFirst(page);
  const progress = dialog(page, 'Progress');
  await progress.getByLabel('Name in the code').fill('Ada Lovelace');
  await expect(progress.getByRole('img', { name: 'QR code of the progress' })).toBeVisible();
  const code = await progress.getByRole('textbox', { name: 'Code', exact: true }).inputValue();
  expect(decodeProgress(code)).toEqual({
    name: 'Ada Lovelace',
    lessons: [
      {
        fingerprint,
        at: 0,
        done: steps.map((_, index) => index === 0),
        wrong: steps.map((_, index) => (index === 0 ? HOW_LONG : 0)),
      },
    ],
  });
  await expect(progress.getByRole('button', { name: 'Certificate' })).toBeDisabled();
  await expectAccessible(page, 'the progress');

  const [download] = await Promise.all([
    page.waitForEvent('download'),
    progress.getByRole('button', { name: 'Export' }).click(),
  ]);
  const file = readFileSync(await download.path(), 'utf8');
  await progress.getByRole('button', { name: 'Reset', exact: true }).click();
  await progress.getByRole('button', { name: 'Keep' }).click();
  await progress.getByRole('button', { name: 'Reset', exact: true }).click();
  await progress.getByRole('button', { name: 'Reset progress' }).click();
  await expect(progress).toContainText('There is no code before the first lesson is begun.');
  await progress
    .getByLabel('Import progress')
    .setInputFiles({ name: 'p.json', mimeType: 'application/json', buffer: Buffer.from(file) });
  await expect(progress.getByRole('textbox', { name: 'Code', exact: true })).toHaveValue(code);

  await page.reload();
  await page.getByRole('button', { name: /^Continue: / }).click();
  const panel = page.getByRole('region', { name: 'Lesson', exact: true });
  await expect(panel.getByRole('radio', { name: /^The byte order/ })).toBeChecked();
  await expect(panel.locator('[data-answer=right]')).toContainText('little-endian');
  app.expectQuiet();
});

test('a teacher sees each learner’s step and the step where most learners stop', async ({
  page,
}) => {
  const app = new AppPage(page);
  await app.open();
  await page.getByRole('button', { name: 'Class', exact: true }).click();
  const room = dialog(page, 'Class');
  const field = room.getByLabel(/^Codes/);
  await field.fill('nothing');
  await room.getByRole('button', { name: 'Add codes' }).click();
  await expect(room).toContainText('There is no code that can be read.');
  await field.fill(
    [
      `Ada: ${codeOf('Ada', 3)}`,
      codeOf('Bob', 3, false, [HOW_LONG]),
      codeOf('Eva', 3).slice(0, -5),
      codeOf('Cid', 1),
      codeOf('Dan', 9, true),
      codeOf('', 4),
    ].join('\n'),
  );
  await room.getByRole('button', { name: 'Add codes' }).click();
  await expect(room).toContainText(
    'Added 5 codes. The code of Eva is cut at its end: copy the whole code.',
  );
  await expect(room.getByRole('listitem').first()).toContainText(
    'Wrong: How long the header is (1)',
  );
  const learners = room.getByRole('table');
  await expect(learners.getByRole('row', { name: /^Ada The BTF header/ })).toContainText('3 of 10');
  await expect(learners.getByRole('row', { name: /^Dan/ })).toContainText('all');
  await expect(learners.getByRole('row', { name: /^Learner 5/ })).toBeVisible();
  await expect(room).toContainText('Begun by 5, finished by 1.');
  const stop = room.getByRole('listitem').filter({ hasText: 'Stops most' });
  await expect(stop).toHaveCount(1);
  await expect(stop).toContainText(`${steps[3]?.title} Stops most: Ada, Bob2 of 5`);
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    await expectAccessible(page, `the class, ${colorScheme}`);
  }
  await page.setViewportSize({ width: 390, height: 844 });
  await expectAccessible(page, 'the class, narrow');

  // Opens the address of a QR code as a phone does. It replaces the learner's older code.
  await page.goto('about:blank');
  await page.goto(`./#/?class=${codeOf('Ada', 5)}`);
  await expect(learners.getByRole('row', { name: /^Ada/ })).toContainText('5 of 10');
  await expect(learners.getByRole('row')).toHaveCount(6);
  await room.getByRole('button', { name: 'Remove all codes' }).click();
  await expect(learners).toHaveCount(0);
  app.expectQuiet();
});

test('a finished lesson is on the certificate', async ({ page }) => {
  const entry = { title: 'Two bytes', steps: ['a'], at: 'a', done: ['a'], isFinished: true };
  await page.addInitScript(
    (kept) => localStorage.setItem('btfscope-lessons', kept),
    JSON.stringify({ two: { ...entry, seenAt: 1_790_000_000_000 } }),
  );
  const app = new AppPage(page);
  await app.open();
  await page.getByRole('button', { name: 'Progress', exact: true }).click();
  const progress = dialog(page, 'Progress');
  await progress.getByLabel('Name in the code').fill('Ada Lovelace');
  await progress.getByRole('button', { name: 'Certificate' }).click();
  const paper = page.getByRole('main');
  await expect(paper).toContainText('Ada Lovelace');
  await expect(paper).toContainText('has finished 1 lesson on BTF and CO-RE, with 1 right answer');
  await expect(paper.getByRole('listitem')).toContainText('Two bytes');
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    await expectAccessible(page, `the certificate, ${colorScheme}`, { withContrast: true });
  }
  const pdf = await page.pdf({ preferCSSPageSize: true });
  expect(pdf.toString('latin1').match(/\/Type\s*\/Page\b/g)).toHaveLength(1);
  await page.getByRole('button', { name: 'Close certificate' }).click();
  await expect(page.getByRole('button', { name: 'Progress', exact: true })).toBeVisible();
  app.expectQuiet();
});

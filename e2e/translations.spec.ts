/** Tests a translated lesson: its answers by text, and how many pages its handout has. */
import { expect } from '@playwright/test';
import { lessonIds } from '#testing/lesson-files.ts';
import { AppPage } from './app-page.ts';
import { test } from './test.ts';

test('a lesson is offered in another language, whose address and progress are kept', async ({
  page,
}) => {
  const app = new AppPage(page);
  await app.open('#/?lesson=why-core&at=the-other-kernel');
  const panel = page.getByRole('region', { name: 'Lesson', exact: true });
  await panel.getByRole('button', { name: 'Deutsch', exact: true }).click();
  await expect(panel.getByRole('heading', { level: 3 })).toHaveText('Der andere Kernel');
  await expect(panel.locator('[data-step-text]')).toHaveAttribute('lang', 'de');
  await expect(page).toHaveURL(/lesson=why-core\.de&at=the-other-kernel/);
  await panel.getByLabel('Your answer').fill('128');
  await panel.getByRole('button', { name: 'Check', exact: true }).click();
  await expect(panel.getByText('Dort hat der Kernel real_cred.')).toBeVisible();
  await panel.getByLabel('Your answer').fill('136');
  await panel.getByRole('button', { name: 'Check', exact: true }).click();
  await expect(panel.getByText('Das sind 96 Bytes mehr als im Programm.')).toBeVisible();
  await page.reload();
  await expect(panel.getByRole('heading', { level: 3 })).toHaveText('Der andere Kernel');
  await panel.getByRole('button', { name: 'English', exact: true }).click();
  await expect(panel.getByRole('heading', { level: 3 })).toHaveText('The other kernel');
  await expect(panel.getByText('It is 96 bytes further than in the program.')).toBeVisible();
  app.expectQuiet();
});

test('a lesson that was left in German is continued in German', async ({ page }) => {
  const app = new AppPage(page);
  await app.open('#/?lesson=why-core.de&at=the-other-kernel');
  const panel = page.getByRole('region', { name: 'Lesson', exact: true });
  await expect(panel.getByRole('heading', { level: 3 })).toHaveText('Der andere Kernel');
  await page.goto('./');
  await page.getByRole('button', { name: /^Continue: Why CO-RE, step \d+$/ }).click();
  await expect(panel.getByRole('heading', { level: 3 })).toHaveText('Der andere Kernel');
  app.expectQuiet();
});

const UNFINISHED = `---
title: Warum
about: Ein Anfang.
lang: de
translates: why-core
---

## Ein Feld {#a-member-is-only-a-number}

Text.
`;

test('the editor checks a translation against its original, by its own lines', {
  tag: '@long',
}, async ({ page }) => {
  const app = new AppPage(page);
  await app.open('');
  await app.dropFile({ name: 'warum.md', buffer: Buffer.from(UNFINISHED) });
  await page.getByRole('button', { name: 'Edit lesson' }).click();
  const field = page.getByLabel('Markdown of the lesson');
  await expect(field).toHaveValue(UNFINISHED);
  const text = page.getByRole('region', { name: 'Text of the lesson' });
  await expect(text).toContainText('8:1Callouts: 1 in the original, 0 here');
  await expect(text).toContainText('8:1Questions: 1 in the original, 0 here');
  await field.fill(`${UNFINISHED}\n\`\`\`callout\nDas Feld\n\`\`\`\n`);
  await expect(text).not.toContainText('Callouts:');
  await expect(text).toContainText('8:1Questions: 1 in the original, 0 here');
  app.expectQuiet();
});

const GIVEN_AWAY = `---
title: A magic number
about: The first bytes.
object: sample:kinds.btf
---

## How long

The header has 24 bytes, in hex \`0x18\`.

\`\`\`show
bytes?bytes=.BTF@0x4-0x8
\`\`\`

\`\`\`ask number 24
How many bytes has the header?
\`\`\`
`;

test('the answer in a step’s text is hidden until the learner answers', async ({ page }) => {
  const app = new AppPage(page);
  await app.open('');
  await app.dropFile({
    name: 'magic.md',
    buffer: Buffer.from(GIVEN_AWAY),
  });
  const panel = page.getByRole('region', { name: 'Lesson', exact: true });
  await expect(panel.getByText('The header has … bytes, in hex ….')).toBeVisible();
  await panel.getByLabel('Your answer').fill('24');
  await panel.getByRole('button', { name: 'Check', exact: true }).click();
  await expect(panel.getByText('The header has 24 bytes, in hex 0x18.')).toBeVisible();
  app.expectQuiet();
});

/**
 * Limit for the average number of A4 pages of a handout; with pictures below the text there were
 * twice as many.
 */
const MAX_PAGES = 5.6;

test('handouts of all lessons take few pages', { tag: '@long' }, async ({ page }) => {
  test.setTimeout(600_000);
  const pages: Record<string, number> = {};
  for (const id of lessonIds()) {
    // This lesson needs a file of the learner for its pictures.
    if (id === 'my-object') continue;
    await page.goto('about:blank');
    await page.goto(`./#/?lesson=${id}`);
    await page.getByRole('button', { name: 'Handout', exact: true }).click();
    await expect(page.getByRole('status')).toHaveText('The handout is ready');
    await expect(page.getByRole('region', { name: 'Answers' })).not.toContainText('…');
    const pdf = await page.pdf({ preferCSSPageSize: true });
    pages[id] = pdf.toString('latin1').match(/\/Type\s*\/Page\b/g)?.length ?? 0;
    await expect(page.getByRole('main')).not.toContainText(/\bclick/i);
  }
  const sum = Object.values(pages).reduce((all, count) => all + count, 0);
  console.log(`${sum} pages:`, pages);
  expect(Math.min(...Object.values(pages))).toBeGreaterThan(1);
  expect(sum / Object.keys(pages).length).toBeLessThanOrEqual(MAX_PAGES);
});

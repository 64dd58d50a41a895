/** Tests the lesson editor: writing beside the tool, inserting places, copying a link. */
import { fileURLToPath } from 'node:url';
import { expect, type Locator, type Page } from '@playwright/test';
import { AppPage } from './app-page.ts';
import { expectAccessible } from './expect-accessible.ts';
import { test } from './test.ts';

const sample = (name: string) =>
  fileURLToPath(new URL(`../public/samples/${name}`, import.meta.url));

const LESSON = `---
title: Two bytes
about: What a blob begins with.
object: sample:kinds.btf
---

## The magic

It is \`0xeb9f\`, [here](#/bytes?bytes=@0x0-0x2).

\`\`\`show
bytes?bytes=@0x0-0x2
\`\`\`

## The version

\`\`\`ask click bytes=@0x2-0x3
Click it.
\`\`\`
`;

const lessonFile = (text = LESSON) => ({ name: 'two.txt', buffer: Buffer.from(text) });
const panel = (page: Page) => page.getByRole('region', { name: 'Lesson', exact: true });
const field = (page: Page) => page.getByLabel('Markdown of the lesson');
const byte = (page: Page, offset: string): Locator =>
  page.getByRole('gridcell', { name: new RegExp(`^${offset}: `) });

async function write(page: Page): Promise<void> {
  await page.keyboard.press('Control+k');
  await page.getByRole('dialog').getByRole('combobox').fill('write a lesson');
  await page.getByRole('option', { name: /Write a lesson/ }).click();
  await expect(field(page)).toBeVisible();
}

test('a lesson and its preview are side by side', { tag: '@long' }, async ({ page }) => {
  // A width for three columns: the text, the tool and the lesson.
  await page.setViewportSize({ width: 1920, height: 1000 });
  const app = new AppPage(page);
  await app.open();
  await app.chooseFile(sample('layout.bpf.o'));
  await app.opened();
  await app.show('Types');
  await page.getByRole('listbox', { name: 'Types' }).getByRole('option').first().click();
  await expect(page).toHaveURL(/file=[0-9a-f]{64}.*type=/);
  await write(page);
  await expect(panel(page)).toContainText('The first step');
  await expect(field(page)).toHaveValue(/object: [0-9a-f]{64}\n/);
  await expect(field(page)).toHaveValue(/```show\ntypes\?type=/);

  // Inserts a pin on another type at the end of the text.
  await page.getByRole('listbox', { name: 'Types' }).getByRole('option').nth(1).click();
  await field(page).press('Control+End');
  await page.getByRole('button', { name: 'Insert place' }).click();
  await page.getByRole('menuitem', { name: 'A pin on what is selected' }).click();
  await expect(field(page)).toHaveValue(/```callout type=[^\n]+\nWhat it is\.\n```/);
  await expect(panel(page)).toContainText('What it is.');

  // Problems show line and column, and a click goes there.
  await field(page).fill(`${await field(page).inputValue()}\n## Next\n\n<b>bold</b>\n`);
  const problem = page.getByRole('button', { name: /HTML is not shown/ }).first();
  await expect(problem).toBeVisible();
  await problem.click();
  const before = await field(page).evaluate((area: HTMLTextAreaElement) =>
    area.value.slice(area.selectionStart),
  );
  expect(before).toMatch(/^<b>/);
  await expectAccessible(page, 'writing a lesson');

  // The preview shows the step with the caret. A wrapped line and its number have the same height.
  await field(page).press('Control+Home');
  await expect(panel(page).getByRole('heading', { level: 3 })).toHaveText('Next');
  const goTo = (piece: string) =>
    field(page).evaluate((area: HTMLTextAreaElement, text) => {
      area.focus();
      area.setSelectionRange(area.value.indexOf(text), area.value.indexOf(text));
    }, piece);
  await goTo('Explain one thing');
  await field(page).press('ArrowRight');
  await expect(panel(page).getByRole('heading', { level: 3 })).toHaveText('The first step');
  const heights = await field(page).evaluate((area: HTMLTextAreaElement) => [
    area.scrollHeight,
    area.clientHeight,
    area.previousElementSibling?.clientHeight,
  ]);
  expect(new Set(heights).size, heights.join(' ')).toBe(1);

  // The draft is stored: it is there after a reload, and in the palette after the lesson is closed.
  await page.reload();
  await expect(panel(page)).toContainText('The first step');
  await page.getByRole('button', { name: 'Close lesson' }).click();
  await page.keyboard.press('Control+k');
  await page.getByRole('dialog').getByRole('combobox').fill('draft');
  await page.getByRole('option', { name: /Draft: My lesson/ }).click();
  await expect(field(page)).toHaveValue(/<b>bold<\/b>/);
  await page.getByRole('button', { name: 'Discard the draft' }).click();
  await expect(panel(page)).toBeHidden();
  app.expectQuiet();
});

test('a dropped lesson plays under any file name', async ({ page }) => {
  const app = new AppPage(page);
  await app.open();
  await app.dropFile(lessonFile());
  await expect(panel(page)).toContainText('The magic');
  await expect(byte(page, '0x0001')).toHaveAttribute('aria-selected', 'true');
  await page.getByRole('button', { name: 'Next step' }).click();
  await byte(page, '0x0002').click();
  await expect(panel(page).locator('[data-answer="right"]')).toBeVisible();
  // The address contains the lesson, so that it can be reloaded and opened elsewhere.
  await expect(page).toHaveURL(/lesson=md1:[\w-]+&at=the-version/);
  const other = await page.context().newPage();
  await other.goto(page.url());
  await expect(panel(other)).toContainText('The version');
  app.expectQuiet();
});

test('a lesson full of errors is shown with its errors', async ({ page }) => {
  const app = new AppPage(page);
  await app.open();
  await app.dropFile(
    lessonFile('---\ntitle: <img src=x onerror=alert(1)>\nobject: nothing\n---\ntext\n'),
  );
  await expect(panel(page)).toContainText('This lesson has no step yet');
  await panel(page).getByRole('button', { name: 'All steps' }).click();
  await page.getByRole('menuitem', { name: 'Edit a copy' }).click();
  await expect(page.getByRole('button', { name: /object is sample:NAME/ })).toBeVisible();
  await expect(page.getByRole('button', { name: /A step begins with a heading/ })).toBeVisible();
  app.expectQuiet();
});

test('an address points at a lesson on the page’s own server', { tag: '@long' }, async ({
  page,
}) => {
  const app = new AppPage(page);
  await page.route('**/workshop/first.md', (route) =>
    route.fulfill({ body: LESSON, contentType: 'text/markdown' }),
  );
  await page.goto('./?lesson=workshop/first.md');
  const dialog = page.getByRole('dialog').or(page.getByRole('alertdialog'));
  await expect(dialog).toContainText('workshop/first.md');
  await dialog.getByRole('button', { name: /^Open/ }).click();
  await expect(panel(page)).toContainText('The magic');
  await expect(byte(page, '0x0001')).toHaveAttribute('aria-selected', 'true');
  app.expectQuiet();
});

test('a lesson that the server lacks is reported, and the page works', async ({ page }) => {
  const app = new AppPage(page);
  await page.route('**/gone.md', (route) => route.fulfill({ status: 404, body: 'no' }));
  await page.goto('./?lesson=gone.md');
  await page
    .getByRole('dialog')
    .or(page.getByRole('alertdialog'))
    .getByRole('button', { name: /^Open/ })
    .click();
  await expect(page.getByText(/The server answered 404/).first()).toBeVisible();
  await app.chooseFile(sample('kinds.btf'));
  await app.opened();
});

test('a lesson and its small object are one link', { tag: '@long' }, async ({ page }) => {
  const app = new AppPage(page);
  await app.open();
  await app.chooseFile(sample('doc_call.bpf.o'));
  await app.opened();
  await app.show('Bytes');
  await byte(page, '0x0000').click();
  await expect(page).toHaveURL(/file=[0-9a-f]{64}.*bytes=/);
  await write(page);
  await page
    .getByRole('button', { name: 'Copy link' })
    .and(page.locator('[data-size="small"]'))
    .click();
  const dialog = page.getByRole('dialog', { name: 'Link to this lesson' });
  await expect(dialog).toContainText('Contains the lesson and its object');
  const link = await dialog.getByLabel('Link', { exact: true }).inputValue();
  expect(link).toMatch(/#\/\?lesson=md1:[\w-]+&at=the-first-step&file=bytes1:[\w-]+$/);

  const context = await page.context().browser()?.newContext();
  const other = await context?.newPage();
  if (other === undefined) throw new Error('no second person');
  await other.goto(link);
  await expect(panel(other)).toContainText('The first step');
  await expect(byte(other, '0x0000')).toHaveAttribute('aria-selected', 'true');
  await context?.close();
  app.expectQuiet();
});

test('a lesson is written at the width of a phone', { tag: '@long' }, async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  const app = new AppPage(page);
  await app.open();
  await app.chooseFile(sample('kinds.btf'));
  await app.opened();
  await page.getByRole('button', { name: /^Find/ }).click();
  await page.getByRole('dialog').getByRole('combobox').fill('write a lesson');
  await page.getByRole('option', { name: /Write a lesson/ }).click();
  await expect(field(page)).toBeVisible();
  await expect(panel(page)).toBeVisible();
  const width = await page.evaluate(() => document.documentElement.scrollWidth);
  expect(width).toBe(390);
  await expectAccessible(page, 'writing a lesson');
  app.expectQuiet();
});

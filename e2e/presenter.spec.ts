import { expect, type Locator, type Page } from '@playwright/test';
import { AppPage } from './app-page.ts';
import {
  expectAccessible,
  expectAccessibleInEachLook,
  LOOKS,
  showAs,
} from './expect-accessible.ts';
import { test } from './test.ts';

const LESSON = '/?lesson=btf-header';
const STEPS = 10;

type Box = { x: number; y: number; width: number; height: number };

async function present(page: Page, hash = LESSON): Promise<AppPage> {
  const app = new AppPage(page);
  await app.open(hash);
  await page.getByRole('button', { name: 'Present', exact: true }).click();
  await expect(page.getByRole('toolbar', { name: 'Presenter' })).toBeVisible();
  return app;
}

function lesson(page: Page): Locator {
  return page.getByRole('region', { name: 'Lesson', exact: true });
}

async function boxOf(locator: Locator): Promise<Box> {
  const box = await locator.boundingBox();
  if (box === null) throw new Error('it is not drawn');
  return box;
}

/** Returns the selected bytes of the hex view. */
function selectedBytes(page: Page): Locator {
  return page.locator('main td[role="gridcell"][aria-selected="true"]');
}

async function expectLit(page: Page, count: number): Promise<void> {
  await expect(selectedBytes(page)).toHaveCount(count);
  await expect(async () => {
    const holes = await page.locator('[data-hole]').all();
    const boxes = await Promise.all(holes.map(boxOf));
    const cells = await Promise.all((await selectedBytes(page).all()).map(boxOf));
    const holes1 = boxes.filter((hole) => cells.some((cell) => holds(hole, cell)));
    // There is one hole in the cover. It contains the bytes, with a margin of at most 20 px.
    expect(holes1).toHaveLength(1);
    expect(cells.every((cell) => holes1.some((hole) => holds(hole, cell)))).toBe(true);
    const left = Math.min(...cells.map(({ x }) => x));
    const right = Math.max(...cells.map(({ x, width }) => x + width));
    expect((holes1[0]?.width ?? 0) - (right - left)).toBeLessThan(20);
  }).toPass();
}

function holds(outer: Box, inner: Box): boolean {
  return (
    outer.x <= inner.x + 1 &&
    outer.y <= inner.y + 1 &&
    outer.x + outer.width >= inner.x + inner.width - 1 &&
    outer.y + outer.height >= inner.y + inner.height - 1
  );
}

test('keys start and end the presentation of a lesson, large and without bars', async ({
  page,
}) => {
  const app = await present(page);
  await expect(page.getByRole('banner')).toBeHidden();
  await expect(lesson(page)).toContainText(`Step 1 of ${STEPS}`);

  await page.keyboard.press('PageDown');
  await expect(lesson(page)).toContainText(`Step 2 of ${STEPS}`);
  await page.keyboard.press('ArrowRight');
  await expect(lesson(page)).toContainText(`Step 3 of ${STEPS}`);
  await page.keyboard.press('PageUp');
  await expect(lesson(page)).toContainText(`Step 2 of ${STEPS}`);
  // The keys of a presenter remote change the step even if a list has the focus.
  await page.getByRole('grid').focus();
  await page.keyboard.press('PageDown');
  await expect(lesson(page)).toContainText(`Step 3 of ${STEPS}`);

  await page.keyboard.press('b');
  const light = page.getByRole('button', { name: 'Unblank screen' });
  await expect(light).toBeVisible();
  await page.keyboard.press('b');
  await expect(light).toHaveCount(0);

  await page.keyboard.press('?');
  await expect(page.getByRole('dialog', { name: 'Keys while presenting' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await page.keyboard.press('Escape');
  await expect(page.getByRole('banner')).toBeVisible();
  await expect(lesson(page)).toContainText(`Step 3 of ${STEPS}`);
  app.expectQuiet();
});

// Needs a window, because a full-screen page is resized.
test('text is readable from the last row, and the spotlight is on the selected bytes', {
  tag: ['@long', '@window'],
}, async ({ page }) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  const app = await present(page, `${LESSON}&at=version-and-flags`);
  const text = lesson(page).getByText('Two fields of one byte each follow');
  const height = await text.evaluate((element) => {
    const drawn = element.getBoundingClientRect().width / (element as HTMLElement).offsetWidth;
    return Number.parseFloat(getComputedStyle(element).fontSize) * drawn;
  });
  expect(height).toBeGreaterThanOrEqual(22);

  await page.keyboard.press('s');
  await expectLit(page, 24);
  await page.keyboard.press('PageDown');
  await expectLit(page, 4);
  await page.setViewportSize({ width: 1200, height: 800 });
  await expectLit(page, 4);
  // The spotlight does not catch clicks.
  await page.locator('main td[data-offset="12"]').first().click();
  await expectLit(page, 1);
  await page.keyboard.press('s');
  await expect(page.locator('[data-spotlight]')).toHaveCount(0);
  app.expectQuiet();
});

test('the laser follows the pointer, and moves from the lesson to the shown place', async ({
  page,
}) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  const app = await present(page);
  await page.keyboard.press('l');
  const dot = page.locator('[data-laser]');
  await page.mouse.move(700, 300);
  await expect(dot).toBeVisible();
  const near = async (x: number, y: number) => {
    const box = await boxOf(dot);
    return Math.hypot(box.x + box.width / 2 - x, box.y + box.height / 2 - y);
  };
  await expect.poll(() => near(700, 300)).toBeLessThan(3);

  await page.keyboard.press('PageDown');
  await expect(selectedBytes(page)).toHaveCount(24);
  await page.keyboard.press('s');
  await expect(async () => {
    const holes = await Promise.all((await page.locator('[data-hole]').all()).map(boxOf));
    const ways = holes.map((hole) => near(hole.x + hole.width / 2, hole.y + hole.height / 2));
    expect(Math.min(...(await Promise.all(ways)))).toBeLessThan(6);
  }).toPass();
  app.expectQuiet();
});

test('notes in a second window follow and control the presentation', { tag: '@long' }, async ({
  page,
  context,
}) => {
  const app = await present(page);
  const [notes] = await Promise.all([context.waitForEvent('page'), page.keyboard.press('n')]);
  await expect(notes.getByRole('heading', { level: 1 })).toHaveText('Two bytes to know it by');
  await expect(notes.getByRole('main')).toContainText('Elapsed');
  const step = notes.getByRole('region', { name: 'This step' });
  await expect(step).toContainText('After this lesson you can take any BTF blob apart by hand');
  await expect(step).toContainText('Ask who would write eb 9f for 0xeb9f.');
  await expect(notes.getByText(/^This step 0:0[2-9]$/)).toBeVisible();
  await expect(notes.getByRole('region', { name: 'Question and answer' })).toContainText(
    'The byte order of all following numbers',
  );
  await expect(notes.getByRole('region', { name: 'Next' })).toContainText('Version and flags');
  // The style rules of the page also apply in the notes window.
  const weight = await notes
    .getByRole('heading', { level: 1 })
    .evaluate((h) => getComputedStyle(h).fontSize);
  expect(weight).toBe('24px');

  await notes.keyboard.press('PageDown');
  await expect(lesson(page)).toContainText(`Step 2 of ${STEPS}`);
  await expect(notes.getByText(/^This step 0:0[01]$/)).toBeVisible();
  await expect(notes.getByRole('region', { name: 'Question and answer' })).toContainText(
    'version (0x2, 1 byte)',
  );
  await notes.getByRole('button', { name: 'Previous step' }).click();
  await expect(lesson(page)).toContainText(`Step 1 of ${STEPS}`);
  await page.keyboard.press('PageDown');
  await expect(notes.getByRole('heading', { level: 1 })).toHaveText('Version and flags');

  const pressed = page.getByRole('button', { name: 'Notes', exact: true });
  await expect(pressed).toHaveAttribute('aria-pressed', 'true');
  await notes.close();
  await expect(pressed).toHaveAttribute('aria-pressed', 'false');

  const [again] = await Promise.all([context.waitForEvent('page'), pressed.click()]);
  await expect(again.getByRole('main')).toBeVisible();
  const closed = again.waitForEvent('close');
  await page.getByRole('button', { name: 'End presentation' }).click();
  await closed;
  app.expectQuiet();
});

test('a blocked window is reported', async ({ page }) => {
  await page.addInitScript(() => {
    window.open = () => null;
  });
  const app = await present(page);
  await page.keyboard.press('n');
  await expect(page.getByRole('status')).toContainText('allow pop-ups');
  app.expectQuiet();
});

test('the tool is presented without a lesson, too', { tag: '@long' }, async ({ page }) => {
  const app = new AppPage(page);
  await app.open('/types?file=sample:layout.bpf.o&type=struct:careless&member=cpu');
  await expect(app.tab('Types')).toHaveAttribute('aria-selected', 'true');
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox').fill('Present');
  await page
    .getByRole('option', { name: /^Present/ })
    .first()
    .click();
  await expect(page.getByRole('toolbar', { name: 'Presenter' })).toBeVisible();
  await expect(page.getByRole('banner')).toBeHidden();
  await page.keyboard.press('s');
  await expect(page.locator('[data-hole]').first()).toBeAttached();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('banner')).toBeVisible();
  app.expectQuiet();
});

async function openHandout(page: Page): Promise<AppPage> {
  const app = new AppPage(page);
  await app.open(LESSON);
  await page.getByRole('button', { name: 'Handout', exact: true }).click();
  await expect(page.getByRole('status')).toHaveText('The handout is ready');
  return app;
}

test('a handout has every step with a picture, and closes', async ({ page }) => {
  const app = await openHandout(page);
  await expect(page.getByRole('article')).toHaveCount(STEPS);
  await expect(page.getByRole('figure')).toHaveCount(STEPS);
  await expect(page.getByRole('article').first()).toContainText('0xeb9f');
  // The last step of the lesson is about another file.
  await expect(page.getByRole('article').last()).toContainText('kinds.be.bpf.o');
  await expect(page.getByRole('main')).not.toContainText(/\bclick/i);

  await page.getByRole('button', { name: 'Close handout' }).click();
  await expect(lesson(page)).toContainText(`Step 1 of ${STEPS}`);
  await expect(page.getByRole('banner')).not.toContainText('kinds.be.bpf.o');
  app.expectQuiet();
});

test('the answers follow all questions of a handout', async ({ page }) => {
  const app = await openHandout(page);
  const answers = page.getByRole('region', { name: 'Answers' });
  await expect(answers.getByRole('listitem')).toHaveCount(STEPS);
  await expect(answers).toContainText('2272, or 0x8e0');
  await expect(answers).not.toContainText('…');
  const lastQuestion = await page.getByRole('article').last().boundingBox();
  const answersBox = await answers.boundingBox();
  expect(answersBox?.y).toBeGreaterThanOrEqual(
    (lastQuestion?.y ?? 0) + (lastQuestion?.height ?? 0),
  );
  const asked = page.getByRole('article').nth(3);
  await expect(asked).toContainText('At which offset of this file does the last type record end?');
  await expect(asked).not.toContainText(/2272|0x8e0/);
  app.expectQuiet();
});

test('a handout is printed from the first page on', async ({ page }) => {
  const app = await openHandout(page);
  await expect(page.getByRole('figure')).toHaveCount(STEPS);
  const first = await page.getByRole('article').first().boundingBox();
  expect(first?.y ?? 0, 'the first step begins on page 1').toBeLessThan(400);
  const pdf = await page.pdf({ preferCSSPageSize: true });
  expect(pdf.toString('latin1').match(/\/Type\s*\/Page\b/g)?.length ?? 0).toBeGreaterThan(3);
  app.expectQuiet();
});

test('presenting is accessible', { tag: ['@long', '@window'] }, async ({ page }) => {
  const app = await present(page, `${LESSON}&at=version-and-flags`);
  for (const look of LOOKS) {
    await showAs(page, look);
    await expect(selectedBytes(page)).toHaveCount(24);
    await expectAccessible(page, `presenting, ${look.name}`);
  }
  app.expectQuiet();
});

test('the handout is accessible', { tag: '@long' }, async ({ page }) => {
  const app = await openHandout(page);
  await expect(page.getByRole('figure')).toHaveCount(STEPS);
  await expectAccessibleInEachLook(page, 'handout');
  app.expectQuiet();
});

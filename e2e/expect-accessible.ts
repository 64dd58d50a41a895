import AxeBuilder from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';

/**
 * axe spends most of its time on contrast, which depends only on the theme's colours:
 * src/ui/contrast.test.ts checks those in each run, and `npm run test:long` checks each element.
 */
const isLong = process.env.BTFSCOPE_LONG !== undefined;

/**
 * Pairs of theme and width: each theme and each width once, since colours do not depend on the
 * width. `accessibility.spec.ts` checks every view in all four combinations.
 */
export const LOOKS = [
  { name: 'light, 1440 px', colorScheme: 'light', viewport: { width: 1440, height: 900 } },
  { name: 'dark, 390 px', colorScheme: 'dark', viewport: { width: 390, height: 844 } },
] as const;

type Look = (typeof LOOKS)[number];

/** Shows an open page in another theme and width. */
export async function showAs(page: Page, { colorScheme, viewport }: Look): Promise<void> {
  await page.emulateMedia({ colorScheme });
  await page.setViewportSize(viewport);
}

/** Runs `expectAccessible` in each of `LOOKS`. */
export async function expectAccessibleInEachLook(page: Page, what: string): Promise<void> {
  for (const look of LOOKS) {
    await showAs(page, look);
    await expectAccessible(page, `${what}, ${look.name}`);
  }
}

/**
 * Fails if axe finds a violation or if the page scrolls sideways; `what` names the page. Measures
 * contrast too if no test of the long run checks the same page.
 */
export async function expectAccessible(
  page: Page,
  what: string,
  { withContrast = isLong } = {},
): Promise<void> {
  // One pass for violations only: axe takes ten times as long if it also reports the elements that
  // pass. Frames are left out: other tests open their content as a page.
  const { violations } = await new AxeBuilder({ page })
    .setLegacyMode()
    .options({ resultTypes: ['violations'], iframes: false })
    .withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'])
    .disableRules(withContrast ? [] : ['color-contrast'])
    .analyze();
  const found = violations.map(
    ({ id, nodes }) => `${id}: ${nodes.map((node) => node.target.join(' ')).join(', ')}`,
  );
  expect(found, what).toEqual([]);
  const overflow = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  );
  expect(overflow, `${what} scrolls sideways`).toBe(0);
}

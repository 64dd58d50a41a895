import AxeBuilder from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';

/**
 * True if contrast is measured. Measuring it takes most of axe's time. It depends only on colours,
 * which src/ui/contrast.test.ts checks; `npm run test:long` also measures each element.
 */
const isLong = process.env.BTFSCOPE_LONG !== undefined;

/**
 * Themes and widths, each once: colours do not depend on the width. `accessibility.spec.ts` checks
 * every view in all four combinations.
 */
export const LOOKS = [
  { name: 'light, 1440 px', colorScheme: 'light', viewport: { width: 1440, height: 900 } },
  { name: 'dark, 390 px', colorScheme: 'dark', viewport: { width: 390, height: 844 } },
] as const;

type Look = (typeof LOOKS)[number];

/** Changes the theme and the width of an open page. */
export async function showAs(page: Page, { colorScheme, viewport }: Look): Promise<void> {
  await page.emulateMedia({ colorScheme });
  await page.setViewportSize(viewport);
}

/** Runs `expectAccessible` in each theme and width of `LOOKS`. */
export async function expectAccessibleInEachLook(page: Page, what: string): Promise<void> {
  for (const look of LOOKS) {
    await showAs(page, look);
    await expectAccessible(page, `${what}, ${look.name}`);
  }
}

/**
 * Fails if axe finds a violation or if the page scrolls sideways; `what` is for the message.
 * Measures contrast in the long run, and with `withContrast`.
 */
export async function expectAccessible(
  page: Page,
  what: string,
  { withContrast = isLong } = {},
): Promise<void> {
  // Asks only for violations, since a report of all elements takes ten times as long. Leaves out
  // frames, because other tests open their content as a page.
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

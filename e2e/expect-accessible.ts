import AxeBuilder from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';

/**
 * Most of axe's time goes into measuring contrast, which the colours of the theme decide:
 * src/ui/contrast.test.ts checks those each time, and `npm run test:long` each element.
 */
const isLong = process.env.BTFSCOPE_LONG !== undefined;

/**
 * How a page is looked at: each theme and each width once, since colours do not depend on the
 * width. `accessibility.spec.ts` looks at every view in all four.
 */
export const LOOKS = [
  { name: 'light, 1440 px', colorScheme: 'light', viewport: { width: 1440, height: 900 } },
  { name: 'dark, 390 px', colorScheme: 'dark', viewport: { width: 390, height: 844 } },
] as const;

type Look = (typeof LOOKS)[number];

/** Shows a page that is open in another theme and width. */
export async function showAs(page: Page, { colorScheme, viewport }: Look): Promise<void> {
  await page.emulateMedia({ colorScheme });
  await page.setViewportSize(viewport);
}

/** `expectAccessible` in each of `LOOKS`. */
export async function expectAccessibleInEachLook(page: Page, what: string): Promise<void> {
  for (const look of LOOKS) {
    await showAs(page, look);
    await expectAccessible(page, `${what}, ${look.name}`);
  }
}

/**
 * Fails where axe finds a violation, or where the page scrolls sideways; `what` names the page.
 * Measures contrast too where no test of the long run looks at the same page.
 */
export async function expectAccessible(
  page: Page,
  what: string,
  { withContrast = isLong } = {},
): Promise<void> {
  // In one go and violations alone: what axe says of the other elements takes it ten times as
  // long to write. What is in frames is examined as a page of its own.
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

import type { AriaAttributes } from 'react';

/**
 * For an element that scrolls and has nothing in it to focus: a named tab stop,
 * so that the keyboard can scroll it (WCAG 2.1.1; not every browser makes it one).
 */
export function scrollRegion(
  label: string,
): AriaAttributes & { readonly role: 'region'; readonly tabIndex: 0 } {
  return { role: 'region', tabIndex: 0, 'aria-label': label };
}

import type { AriaAttributes } from 'react';

/**
 * For an element that scrolls and has nothing in it to focus: a named tab stop,
 * so that the keyboard can scroll it (WCAG 2.1.1; not every browser makes it one). A group, no
 * landmark: a page has dozens.
 */
export function scrollRegion(
  label: string,
): AriaAttributes & { readonly role: 'group'; readonly tabIndex: 0 } {
  return { role: 'group', tabIndex: 0, 'aria-label': label };
}

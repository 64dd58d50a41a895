import type { MouseEvent, SyntheticEvent } from 'react';

/** The number in `data-row` of the row that the event happened in, or null outside of rows. */
export function rowOfEvent(event: SyntheticEvent): number | null {
  if (!(event.target instanceof Element)) return null;
  const row = event.target.closest('[data-row]')?.getAttribute('data-row');
  return row === undefined || row === null ? null : Number(row);
}

/**
 * For `onMouseDown` of a widget that names its active row by `aria-activedescendant`:
 * the focus goes to the widget, never to the row under the pointer. Buttons in
 * rows and headers take it as ever.
 */
export function keepFocus(event: MouseEvent<HTMLElement>): void {
  if (event.target instanceof Element && event.target.closest('button, a, input') !== null) return;
  if (event.target === event.currentTarget) return;
  event.preventDefault();
  event.currentTarget.focus({ preventScroll: true });
}

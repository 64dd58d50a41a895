/** The current line of each open log. */
import { ViewState } from '#store/session/view-state.ts';

/** Line of a log that the user has chosen, counted from 0; null for the one shown first. */
export const logPlaceState = new ViewState(
  'log-place',
  { line: null as number | null },
  {
    address: {
      line: {
        key: 'line',
        format: (line) => (line === null ? null : `${line + 1}`),
        parse: (text) => (text !== null && /^[1-9]\d{0,8}$/.test(text) ? Number(text) - 1 : null),
      },
    },
  },
);

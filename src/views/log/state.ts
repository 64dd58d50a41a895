/** State of the view *Lines* of a log. */
import { choiceField, ViewState } from '#store/session/view-state.ts';

export const LINE_FILTERS = ['all', 'failures', 'unknown'] as const;
export type LineFilter = (typeof LINE_FILTERS)[number];

export const logLinesState = new ViewState(
  'log-lines',
  { filter: 'all' as LineFilter, text: '' },
  { address: { filter: choiceField('show', LINE_FILTERS) } },
);

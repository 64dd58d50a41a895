/** State of the view *Explain a log*. */
import { choiceField, ViewState } from '#store/session/view-state.ts';

/** Parts of the view: read a log, or simulate libbpf's. */
const PARTS = ['read', 'write'] as const;

export const logPartState = new ViewState(
  'log-part',
  { part: 'read' as (typeof PARTS)[number] },
  { address: { part: choiceField('part', PARTS) } },
);

export type LineFilter = 'all' | 'known' | 'failures';

/** The pasted log of each file. It is not lost when the user changes the view. */
export type LogViewState = {
  readonly text: string;
  /** Index of the explained line; null for the line that caused the failure. */
  readonly chosen: number | null;
  readonly filter: LineFilter;
};

export const logState = new ViewState<LogViewState>('log', {
  text: '',
  chosen: null,
  filter: 'all',
});

/** State of the view *Explain a log*: read a log, or simulate libbpf's. */
import { choiceField, ViewState } from '#store/session/view-state.ts';

const PARTS = ['read', 'write'] as const;

export const logPartState = new ViewState(
  'log-part',
  { part: 'read' as (typeof PARTS)[number] },
  { address: { part: choiceField('part', PARTS) } },
);

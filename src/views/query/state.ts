import { textField, ViewState } from '#store/session/view-state.ts';

/** The current query, and `draft`, its edited text. A draft of another query is not used. */
export const queryState = new ViewState(
  'query',
  { sql: null as string | null, draft: { of: null as string | null, text: '' } },
  { address: { sql: textField('sql') }, inherits: true },
);

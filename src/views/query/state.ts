/** State of the view Query. */
import { textField, ViewState } from '#store/session/view-state.ts';

/**
 * The query that was run last, over all open files, and the draft. The draft counts while `of` is
 * the query that was run: a link to another query replaces it.
 */
export const queryState = new ViewState(
  'query',
  { sql: null as string | null, draft: { of: null as string | null, text: '' } },
  { address: { sql: textField('sql') }, inherits: true },
);

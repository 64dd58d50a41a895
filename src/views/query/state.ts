import { textField, ViewState } from '#store/session/view-state.ts';

/** The last query and its edited text, which is used only while `of` is the current query. */
export const queryState = new ViewState(
  'query',
  { sql: null as string | null, draft: { of: null as string | null, text: '' } },
  { address: { sql: textField('sql') }, inherits: true },
);

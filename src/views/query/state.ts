import { textField, ViewState } from '#store/session/view-state.ts';

/** The last query and the draft, which counts while its `of` equals the query. */
export const queryState = new ViewState(
  'query',
  { sql: null as string | null, draft: { of: null as string | null, text: '' } },
  { address: { sql: textField('sql') }, inherits: true },
);

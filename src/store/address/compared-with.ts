/** Holds no import of the worker: end-to-end tests load the registered views in Node. */
import type { FileId } from '#store/session/session.ts';
import { textField, ViewState } from '#store/session/view-state.ts';

/** The file that an open file is compared with: by key, and by id while it has no key. */
export const comparedWith = new ViewState(
  'compared-with',
  { key: null as string | null, other: null as FileId | null },
  { address: { key: textField('with') } },
);

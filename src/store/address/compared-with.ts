/** This file must not import the worker: end-to-end tests load the registered views in Node. */
import type { FileId } from '#store/session/session.ts';
import { textField, ViewState } from '#store/session/view-state.ts';

/** File with which an open file is compared: its key, or its id until the key is known. */
export const comparedWith = new ViewState(
  'compared-with',
  { key: null as string | null, other: null as FileId | null },
  { address: { key: textField('with') } },
);

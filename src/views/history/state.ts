/** State of the view History: the name, its part, item and kernel, order and grouping of kernels. */
import { textsState } from '#store/session/view-state.ts';

export const historyState = textsState('history', [
  'entry',
  'part',
  'item',
  'kernel',
  'order',
  'each',
]);

/** State of the view History: the name, its item and kernel, the order and grouping of kernels. */
import { textsState } from '#store/session/view-state.ts';

export const historyState = textsState('history', ['entry', 'item', 'kernel', 'order', 'each']);

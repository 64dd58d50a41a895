/** Section addresses that the user has typed, for the views Bytes and Relocations. */
import { textsState } from '#store/session/view-state.ts';

export const layoutState = textsState('layout', ['layout']);

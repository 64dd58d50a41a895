/** Section addresses that a person has set, for Bytes and Relocations. */
import { textsState } from '#store/session/view-state.ts';

export const layoutState = textsState('layout', ['layout']);

/** Addresses of sections that a person has set, as the views Bytes and Relocations use them. */
import { textsState } from '#store/session/view-state.ts';

export const layoutState = textsState('layout', ['layout']);

/**
 * Section addresses that the user has typed, for the views Bytes and Relocations, and the key of the
 * linked file that Relocations shows beside an object.
 */
import { textsState } from '#store/session/view-state.ts';

export const layoutState = textsState('layout', ['layout', 'linked']);

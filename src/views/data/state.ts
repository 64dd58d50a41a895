/** State of the view Data: values, or the decoder. */
import { textsState } from '#store/session/view-state.ts';

export const dataState = textsState('data', ['mode']);

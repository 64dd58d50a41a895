/** State of the Data view: values or decoder. */
import { textsState } from '#store/session/view-state.ts';

export const dataState = textsState('data', ['mode']);

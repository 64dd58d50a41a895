/** State of the Graph view: depth, expanded boxes, hidden kinds, start and end of a path. */
import { textsState } from '#store/session/view-state.ts';

export const graphState = textsState('graph', ['depth', 'open', 'hide', 'path']);

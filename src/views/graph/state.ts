/** State of the view Graph: depth, expanded and hidden boxes, the two ends of a path. */
import { textsState } from '#store/session/view-state.ts';

export const graphState = textsState('graph', ['depth', 'open', 'hide', 'path']);

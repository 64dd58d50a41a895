/** State of the view *Replay* of a log. */
import { choiceField, textField, ViewState } from '#store/session/view-state.ts';

export const REPLAY_LISTS = ['source', 'steps', 'paths', 'cost'] as const;
export type ReplayList = (typeof REPLAY_LISTS)[number];

export const replayState = new ViewState(
  'log-replay',
  {
    list: 'source' as ReplayList,
    /** Register or slot whose writes are shown. */
    register: null as string | null,
  },
  { address: { list: choiceField('list', REPLAY_LISTS), register: textField('register') } },
);

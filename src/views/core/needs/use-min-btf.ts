import { useEffect, useState } from 'react';
import type { Progress } from '#bytes/progress.ts';
import type { ChosenTarget } from '#store/core-target.ts';
import { type MinBtfOutcome, minBtfOf } from '#store/core-tries.ts';
import type { FileId } from '#store/session.ts';

export type MinBtfState =
  | { readonly step: 'working'; readonly progress: Progress | null }
  | { readonly step: 'done'; readonly outcome: MinBtfOutcome | null };

const WORKING: MinBtfState = { step: 'working', progress: null };

/** The minimal BTF of the chosen target for `object`, made by the target's worker. */
export function useMinBtf(object: FileId, chosen: ChosenTarget): MinBtfState {
  const { id: target, types } = chosen;
  const [state, setState] = useState({ object, types, made: WORKING });

  useEffect(() => {
    const controller = new AbortController();
    const put = (made: MinBtfState) => {
      if (!controller.signal.aborted) setState({ object, types, made });
    };
    void minBtfOf(object, target, controller.signal, (progress) =>
      put({ step: 'working', progress }),
    ).then((outcome) => put({ step: 'done', outcome }));
    return () => controller.abort();
  }, [object, target, types]);

  return state.object === object && state.types === types ? state.made : WORKING;
}

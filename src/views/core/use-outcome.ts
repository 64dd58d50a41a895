import { useLayoutEffect } from 'react';
import { type CoreTask, resolveCore, useCoreOutcome } from '#store/core-results.ts';
import type { ChosenTarget } from '#store/core-target.ts';
import { useCoreView } from '#store/core-view.ts';
import type { FileId } from '#store/session.ts';

/** No file has this id. */
const NOBODY: FileId = -1;

/** What the records of `object` come to on its target, asked for when that is not yet done. Null without a target. */
export function useOutcome(object: FileId, chosen: ChosenTarget | null): CoreTask | null {
  const fresh = useCoreView((state) => state.fresh);
  const target = chosen?.id ?? NOBODY;
  const types = chosen?.types ?? null;
  const outcome = useCoreOutcome({ object, target, fresh });
  // Before the page is painted: what is shown is that work goes on, not that there is none.
  useLayoutEffect(() => {
    // Other types of the same file: it was read again, on another base.
    if (types !== null) void resolveCore({ object, target, fresh });
  }, [object, target, types, fresh]);
  return outcome;
}

import { useEffect, useRef } from 'react';
import type { Selection } from '#model/selection.ts';
import { setCoreMode } from '#store/core-view.ts';
import { cameByLink } from '#store/link/link-state.ts';
import type { FileId } from '#store/session.ts';

/** What was selected in each file when its tab was last in sight. */
const lastSeen = new Map<FileId, Selection>();

/**
 * Shows the records when another view led here with one of them: a link "CO-RE
 * record" must not end in a log. Whoever only comes back finds what was left.
 */
export function useCoreArrival(id: FileId, selection: Selection): void {
  const arrived = useRef(false);
  useEffect(() => {
    // The object itself: a link selects anew, also what is selected already.
    const isNew = lastSeen.get(id) !== selection;
    const isFromView = isNew && !cameByLink(selection);
    if (!arrived.current && isFromView && selection.kind === 'core') setCoreMode('records');
    arrived.current = true;
    lastSeen.set(id, selection);
  }, [id, selection]);
}

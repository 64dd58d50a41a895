/** Visited places, which the empty palette lists. The browser's history is in `address-sync.ts`. */
import { create } from 'zustand';
import { type Selection, sameSelection } from '#model/selection.ts';
import { onClosed } from '#store/session/files.ts';
import { activate } from '#store/session/panes.ts';
import { activeFileNow, type FileId, session } from '#store/session/session.ts';
import type { ViewName } from '#store/session/views.ts';
import { select } from './navigation.ts';

export type VisitedPlace = {
  readonly fileId: FileId;
  readonly view: ViewName;
  readonly selection: Selection;
};

/** Milliseconds of stay after which a place counts as visited. */
const STAY_MS = 400;
const MAX_PLACES = 20;

const useVisited = create<{ readonly places: readonly VisitedPlace[] }>(() => ({ places: [] }));

/** Returns visited places, newest first. A hook. */
export function useVisitedPlaces(): readonly VisitedPlace[] {
  return useVisited((state) => state.places);
}

/** Returns `places` with `place` in front, once per selection of a file. */
export function withVisit(
  places: readonly VisitedPlace[],
  place: VisitedPlace,
): readonly VisitedPlace[] {
  const others = places.filter(
    ({ fileId, selection }) =>
      fileId !== place.fileId || !sameSelection(selection, place.selection),
  );
  return [place, ...others].slice(0, MAX_PLACES);
}

/** Watches where the person goes. Returns a function that stops it. */
export function watchPlaces(): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let seen = placeNow();
  const unsubscribe = session.subscribe(() => {
    const now = placeNow();
    if (isSame(seen, now)) return;
    seen = now;
    clearTimeout(timer);
    timer = setTimeout(noteVisit, STAY_MS);
  });
  return () => {
    clearTimeout(timer);
    unsubscribe();
  };
}

/** Adds the current place. Opening the palette counts as a visit without waiting. */
export function noteVisit(): void {
  const place = placeNow();
  if (place !== null) useVisited.setState(({ places }) => ({ places: withVisit(places, place) }));
}

onClosed((id) => {
  useVisited.setState(({ places }) => ({ places: places.filter(({ fileId }) => fileId !== id) }));
});

function isSame(a: VisitedPlace | null, b: VisitedPlace | null): boolean {
  return a?.fileId === b?.fileId && a?.view === b?.view && a?.selection === b?.selection;
}

function placeNow(): VisitedPlace | null {
  const file = activeFileNow();
  if (file?.status.step !== 'ready' || file.selection.kind === 'none') return null;
  return { fileId: file.id, view: file.view, selection: file.selection };
}

/** Goes to a visited place, if its file is open. */
export function revisit({ fileId, view, selection }: VisitedPlace): void {
  activate(fileId);
  select(selection, view);
}

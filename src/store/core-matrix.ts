/** How the matrix of an object is looked at: which targets it has, and what is shown of it. */
import { create } from 'zustand';
import type { MatrixFilter } from '#analysis/core/matrix/filter.ts';
import type { Grouping } from '#analysis/core/matrix/groups.ts';
import { onClosed } from './files.ts';
import type { FileId } from './session.ts';

export type MatrixSettings = MatrixFilter & {
  readonly by: Grouping;
  /** Groups that are folded, by grouping and key. */
  readonly folded: ReadonlySet<string>;
  /** Files that somebody has put in or taken out; all others go by what they are. */
  readonly targets: ReadonlyMap<FileId, boolean>;
  /** Nothing more is asked until somebody wants it. */
  readonly stopped: boolean;
};

const AT_FIRST: MatrixSettings = {
  by: 'program',
  show: 'all',
  states: new Set(),
  text: '',
  folded: new Set(),
  targets: new Map(),
  stopped: false,
};

type State = { readonly ofObject: ReadonlyMap<FileId, MatrixSettings> };

const useSettings = create<State>(() => ({ ofObject: new Map() }));

/** The settings of an object's matrix. Draws again when they change. */
export function useMatrixSettings(object: FileId): MatrixSettings {
  return useSettings(({ ofObject }) => ofObject.get(object) ?? AT_FIRST);
}

/** Changes some settings of an object's matrix. */
export function setMatrix(object: FileId, patch: Partial<MatrixSettings>): void {
  useSettings.setState(({ ofObject }) => {
    const next = new Map(ofObject);
    next.set(object, { ...(ofObject.get(object) ?? AT_FIRST), ...patch });
    return { ofObject: next };
  });
}

onClosed((id) => {
  useSettings.setState(({ ofObject }) => ({
    ofObject: new Map(
      Array.from(ofObject)
        .filter(([object]) => object !== id)
        .map(([object, settings]) => [object, without(settings, id)] as const),
    ),
  }));
});

function without(settings: MatrixSettings, id: FileId): MatrixSettings {
  const targets = new Map(settings.targets);
  return targets.delete(id) ? { ...settings, targets } : settings;
}

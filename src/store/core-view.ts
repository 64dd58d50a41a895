/** How the CO-RE view is looked at: which part of it, against which target, with which candidates. */
import type { MatrixFilter } from '#analysis/core/matrix/filter.ts';
import type { Grouping } from '#analysis/core/matrix/groups.ts';
import { type FileId, fileById, session, useSession } from './session.ts';
import { type CoreMode, coreState, ViewState } from './view-state.ts';

export const CORE_MODE_TITLES: Readonly<Record<CoreMode, string>> = {
  records: 'Records',
  matrix: 'Matrix',
  log: 'Explain a log',
  playground: 'Playground',
  needs: 'Needs',
};

const targetState = new ViewState('core-target', { target: null as FileId | null });

export function setCoreMode(mode: CoreMode): void {
  coreState.set({ mode });
}

/** Looks at `object` with `target`; null: as it is alone. */
export function setCoreTarget(object: FileId, target: FileId | null): void {
  targetState.set({ target }, object);
}

/** The target that `object` is looked at with; null while none is chosen, or it was closed. */
export function coreTargetId(object: FileId): FileId | null {
  const { target } = targetState.of(fileById(session.getState(), object));
  return fileById(session.getState(), target)?.id ?? null;
}

/** As `coreTargetId`; draws again when it changes. */
export function useCoreTargetId(object: FileId): FileId | null {
  return useSession(() => coreTargetId(object));
}

/** Are the candidates reset for each record? libbpf keeps one list for each type. */
export function useFreshCandidates(): boolean {
  return coreState.useActive().candidates === 'fresh';
}

/** How the matrix of an object is looked at: which targets it has, and what is shown of it. */

export type MatrixSettings = MatrixFilter & {
  readonly by: Grouping;
  /** Groups that are folded, by grouping and key. */
  readonly folded: ReadonlySet<string>;
  /** Files that somebody has put in or taken out; all others go by what they are. */
  readonly targets: ReadonlyMap<FileId, boolean>;
  /** Nothing more is asked until somebody wants it. */
  readonly stopped: boolean;
};

export const matrixState = new ViewState<MatrixSettings>('core-matrix', {
  by: 'program',
  show: 'all',
  states: new Set(),
  text: '',
  folded: new Set(),
  targets: new Map(),
  stopped: false,
});

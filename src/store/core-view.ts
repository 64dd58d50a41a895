/** How the CO-RE tab is looked at: which part of it, against which target, with which list of candidates. */
import { create } from 'zustand';
import { onClosed } from './files.ts';
import type { FileId } from './session.ts';

export const CORE_MODES = ['records', 'matrix', 'log', 'playground', 'needs'] as const;
export type CoreMode = (typeof CORE_MODES)[number];

export const CORE_MODE_TITLES: Readonly<Record<CoreMode, string>> = {
  records: 'Records',
  matrix: 'Matrix',
  log: 'Explain a log',
  playground: 'Playground',
  needs: 'Needs',
};

type CoreViewState = {
  readonly mode: CoreMode;
  /** The target that each object is looked at with. */
  readonly targets: ReadonlyMap<FileId, FileId>;
  /** A fresh list of candidates for every record; libbpf keeps one for each type. */
  readonly fresh: boolean;
};

export const useCoreView = create<CoreViewState>(() => ({
  mode: 'records',
  targets: new Map(),
  fresh: false,
}));

export function setCoreMode(mode: CoreMode): void {
  useCoreView.setState({ mode });
}

/** Looks at `object` with `target`; null: as it is alone. */
export function setCoreTarget(object: FileId, target: FileId | null): void {
  useCoreView.setState(({ targets }) => {
    const next = new Map(targets);
    if (target === null) next.delete(object);
    else next.set(object, target);
    return { targets: next };
  });
}

export function setFreshCandidates(fresh: boolean): void {
  useCoreView.setState({ fresh });
}

onClosed((id) => {
  useCoreView.setState(({ targets }) => ({
    targets: new Map([...targets].filter(([object, target]) => object !== id && target !== id)),
  }));
});

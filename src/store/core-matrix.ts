/** How the matrix of an object is looked at: which targets it has, and what is shown of it. */
import type { MatrixFilter } from '#analysis/core/matrix/filter.ts';
import type { Grouping } from '#analysis/core/matrix/groups.ts';
import type { FileId } from './session.ts';
import { ViewState } from './view-state.ts';

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

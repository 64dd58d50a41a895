/** State of the view Compare; the other file is in `comparedWith`. */

import type { Facet } from '#analysis/compare/changes.ts';
import type { TypeState } from '#analysis/compare/compare-tables.ts';
import { NO_SELECTION, type Selection } from '#model/selection.ts';
import { textsState, ViewState } from '#store/session/view-state.ts';

/** The comparison, the filter of its list, and the two types if they are chosen separately. */
export const compareState = textsState('compare', ['show', 'filter', 'a', 'b']);

export const COMPARE_ORDERS = ['name', 'kind', 'state', 'weight', 'size'] as const;

export type CompareSettings = {
  /** Filter by state; empty: all. */
  readonly states: ReadonlySet<TypeState>;
  /** Filter by kind of change; empty: all. */
  readonly facets: ReadonlySet<Facet>;
  /** Filter by BTF kind; null: all. */
  readonly kind: number | null;
  readonly order: (typeof COMPARE_ORDERS)[number];
  readonly descending: boolean;
  /** In lock-step: only lines that differ. */
  readonly onlyChanged: boolean;
  /** Selection when the list was opened. A different one now is the second type to compare. */
  readonly listedAt: Selection;
};

export const compareSettings = new ViewState<CompareSettings>('compare-settings', {
  states: new Set(),
  facets: new Set(),
  kind: null,
  order: 'weight',
  descending: true,
  onlyChanged: false,
  listedAt: NO_SELECTION,
});

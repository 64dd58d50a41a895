/** State of the Compare view. `comparedWith` has the other file. */

import type { Facet } from '#analysis/compare/changes.ts';
import type { TypeState } from '#analysis/compare/compare-tables.ts';
import { NO_SELECTION, type Selection } from '#model/selection.ts';
import { textsState, ViewState } from '#store/session/view-state.ts';

/** Texts in the address: the shown part, the filter of the list, the chosen types. */
export const compareState = textsState('compare', ['show', 'filter', 'a', 'b']);

export const COMPARE_ORDERS = ['name', 'kind', 'state', 'weight', 'size'] as const;

export type CompareSettings = {
  /** States of types to list; an empty set for all. */
  readonly states: ReadonlySet<TypeState>;
  /** Kinds of change to list; an empty set for all. */
  readonly facets: ReadonlySet<Facet>;
  /** BTF kind to list; null for all. */
  readonly kind: number | null;
  readonly order: (typeof COMPARE_ORDERS)[number];
  readonly descending: boolean;
  /** Whether a comparison of two types shows only lines that differ. */
  readonly onlyChanged: boolean;
  /** Selection when the list was last used. Selecting another type leaves the list. */
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

/** State of the view Compare beside the other file, which `comparedWith` has. */
import type { TypeState } from '#analysis/compare/compare-tables.ts';
import type { Facet } from '#analysis/compare/facets.ts';
import { NOTHING, type Selection } from '#model/selection.ts';
import { textsState, ViewState } from '#store/session/view-state.ts';

/** What is compared, the filter of its list, and the two types where they are chosen apart. */
export const compareState = textsState('compare', ['show', 'filter', 'a', 'b']);

export const COMPARE_ORDERS = ['name', 'kind', 'state', 'weight', 'size'] as const;
export type CompareOrder = (typeof COMPARE_ORDERS)[number];

export type CompareSettings = {
  /** Only these; all while it is empty. */
  readonly states: ReadonlySet<TypeState>;
  /** Only types in which one of these is changed; all while it is empty. */
  readonly facets: ReadonlySet<Facet>;
  /** Only this BTF kind; null = all. */
  readonly kind: number | null;
  readonly order: CompareOrder;
  readonly descending: boolean;
  /** In lock-step: only lines that differ. */
  readonly onlyChanged: boolean;
  /** Selection at the time the list was opened. A different selection now is the second type to compare. */
  readonly listedAt: Selection;
};

export const compareSettings = new ViewState<CompareSettings>('compare-settings', {
  states: new Set(),
  facets: new Set(),
  kind: null,
  order: 'weight',
  descending: true,
  onlyChanged: false,
  listedAt: NOTHING,
});

/** How the list of all differences is looked at, for each file: what is left out, and in which order. */
import type { TypeState } from '#analysis/compare/compare-tables.ts';
import type { Facet } from '#analysis/compare/facets.ts';
import { NOTHING, type Selection } from '#model/selection.ts';
import { ViewState } from './view-state.ts';

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
  /** What was selected when a list was last chosen: another selection is a type to compare. */
  readonly listedAt: Selection;
};

export const compareState = new ViewState<CompareSettings>('compare-settings', {
  states: new Set(),
  facets: new Set(),
  kind: null,
  order: 'weight',
  descending: true,
  onlyChanged: false,
  listedAt: NOTHING,
});

/** Comparisons of open files. The worker of the first does the work; the types of the other are sent to it. */
import type { TypeState, WholeComparison } from '#analysis/compare/compare-tables.ts';
import type { DuplicateGroup } from '#analysis/compare/duplicates.ts';
import type { Facet } from '#analysis/compare/facets.ts';
import { NOTHING, type Selection } from '#model/selection.ts';
import { typesOf } from './core-target.ts';
import { clientOf } from './files.ts';
import { type FileId, fileById, session, useSession } from './session.ts';
import { revisionKey, type TaskState, Tasks } from './tasks.ts';
import { ViewState } from './view-state.ts';

const wholes = new Tasks<WholeComparison>();
const duplicates = new Tasks<readonly DuplicateGroup[]>();

/** The comparison of two files as far as it is known; null before it is asked for. */
export function useWholeComparison(a: FileId, b: FileId | null): TaskState<WholeComparison> | null {
  const key = useSession(() => pairKey(a, b));
  return wholes.use((known) => known.get(key) ?? null);
}

/** The types of a file that share a name, as far as they are known; null before they are asked for. */
export function useDuplicates(id: FileId): TaskState<readonly DuplicateGroup[]> | null {
  const key = useSession(() => revisionKey(id));
  return duplicates.use((known) => known.get(key) ?? null);
}

/** Compares all types of two files, unless that is done or going on. */
export async function compareWhole(a: FileId, b: FileId): Promise<void> {
  const other = typesOf(fileById(session.getState(), b));
  const client = clientOf(a);
  if (other === null || client === null) return;
  await wholes.run(pairKey(a, b), (options) => client.call('compare', { other }, options));
}

/** Finds the types of a file that share a name, unless that is done or going on. */
export async function findDuplicates(id: FileId): Promise<void> {
  await duplicates.run(revisionKey(id), async (options) =>
    clientOf(id)?.call('duplicates', null, options),
  );
}

/** Stops the comparison of two files; it can be asked for again. */
export function stopComparing(a: FileId, b: FileId): void {
  wholes.stop(pairKey(a, b));
}

/** Stops the search for types that share a name; it can be asked for again. */
export function stopDuplicates(id: FileId): void {
  duplicates.stop(revisionKey(id));
}

function pairKey(a: FileId, b: FileId | null): string {
  return `${revisionKey(a)}:${revisionKey(b)}`;
}

/** How the list of all differences is looked at, for each file: what is left out, and in which order. */

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

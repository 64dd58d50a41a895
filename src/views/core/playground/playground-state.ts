/** The chain of accesses in the playground, and how it follows the selection. */
import { coreKind } from '#analysis/core/core-kinds.ts';
import { coreRecord } from '#analysis/core/core-records.ts';
import { accessStringOf, type Hop, isEnumRoot, walkHop } from '#analysis/core/playground.ts';
import type { TypeId } from '#model/ids.ts';
import type { ObjectModel } from '#model/object-model.ts';
import { type Selection, typeSelection } from '#model/selection.ts';
import { hasType, type TypeTable } from '#model/type-table.ts';
import { ViewState } from '#store/view-state.ts';
import { memberPathOf } from '#views/core/parts/access-indices.ts';

export type Walk = {
  /** At least one; each but the last ends at a pointer. */
  readonly hops: readonly Hop[];
  /** The CO-RE record that it was taken from; null for one of a person's own. */
  readonly core: number | null;
};

/**
 * The chain to show: the kept one as long as the selection means the same or nothing
 * of the sort, else the one of the selection. Null where neither has any.
 */
export function walkOf(model: ObjectModel, selection: Selection, kept: Walk | null): Walk | null {
  const { types } = model;
  if (types === null) return null;
  if (selection.kind === 'core') {
    return kept?.core === selection.core ? kept : (ofCore(model, types, selection.core) ?? kept);
  }
  if (selection.kind !== 'type' || !hasType(types, selection.type)) return kept;
  const [first] = kept?.hops ?? [];
  if (kept !== null && first !== undefined && means(types, first, selection)) return kept;
  return newWalk(types, selection.type, selection.memberPath);
}

/** A chain of one access. For an enum it selects the first enumerator, since an access needs one. */
export function newWalk(t: TypeTable, root: TypeId, path: readonly number[] = []): Walk {
  const taken = isEnumRoot(t, root) && path.length === 0 ? [0] : path;
  return { hops: [{ root, accessStr: accessStringOf(t, root, taken) }], core: null };
}

/** What the chain selects: its first access, up to the first step that is not a member. */
export function selectionOf(t: TypeTable, { hops }: Walk): Selection | null {
  const [first] = hops;
  return first === undefined ? null : typeSelection(first.root, membersOf(t, first));
}

function membersOf(t: TypeTable, hop: Hop): number[] {
  return isEnumRoot(t, hop.root) ? [] : memberPathOf(walkHop(t, hop));
}

function means(
  t: TypeTable,
  hop: Hop,
  { type, memberPath }: { readonly type: TypeId; readonly memberPath: readonly number[] },
): boolean {
  return hop.root === type && membersOf(t, hop).join() === memberPath.join();
}

function ofCore(
  model: ObjectModel,
  types: TypeTable,
  core: Extract<Selection, { readonly kind: 'core' }>['core'],
): Walk | null {
  if (core >= model.ext.core.count) return null;
  const { root, kind, accessStr } = coreRecord(model, core);
  const isType = coreKind(kind)?.group === 'type';
  return isType ? { ...newWalk(types, root), core } : { hops: [{ root, accessStr }], core };
}

/** The chain of each file, kept while another view is shown. */
export const playgroundState = new ViewState(
  'playground',
  { walk: null as Walk | null },
  { ofModel: true },
);

/** Where a hit leads: which view shows it best, and what Tab makes of its name. */
import type { FindHit, HitWhat } from '#analysis/find/hit.ts';
import { BtfKind } from '#formats/btf/kinds.ts';
import type { ViewName } from '#store/session.ts';

/** The view that shows it, and the views that a person stays in when they are there already. */
const PLACES: Readonly<Record<HitWhat, readonly ViewName[]>> = {
  type: ['types', 'graph', 'text'],
  member: ['types', 'graph'],
  hole: ['types'],
  'member-name': ['types'],
  enumerator: ['types', 'text'],
  function: ['code'],
  section: ['bytes', 'relocations'],
  symbol: ['bytes'],
  string: ['bytes'],
  core: ['core'],
};

/** The view to go to from `current`; with `inGraph` the graph, where it can show such a thing. */
export function viewFor(hit: FindHit, current: ViewName, inGraph: boolean): ViewName {
  if (inGraph && hit.selection?.kind === 'type') return 'graph';
  const fitting = PLACES[hit.what];
  return fitting.includes(current) ? current : (fitting[0] ?? current);
}

/** What to type next when the hit is taken up: a struct's members, a member's own. */
export function completion({ what, kind, title, refine }: FindHit): string {
  if (refine !== null) return refine;
  const hasMembers = kind === BtfKind.STRUCT || kind === BtfKind.UNION;
  return what === 'type' && hasMembers ? `${title}.` : title.replaceAll('[]', '');
}

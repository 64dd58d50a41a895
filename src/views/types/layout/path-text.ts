/** A member's way as C writes it. */

import { visible } from '#bytes/text.ts';
import type { TypeId } from '#model/ids.ts';
import { memberAt } from '#model/type-items.ts';
import { skipModifiers, type TypeTable } from '#model/type-table.ts';

const MAX_STEPS = 12;
const MAX_NAME = 100;

/**
 * `se.cfs_rq`: names from the struct `composite` down, without those members that
 * have none; `(anon)` where there is no other. Long ways begin with `…`. Fit to be drawn.
 */
export function pathText(types: TypeTable, composite: TypeId, path: readonly number[]): string {
  const names: string[] = [];
  let at = composite;
  for (const index of path) {
    const member = memberAt(types, at, index);
    if (member === null) break;
    if (member.name !== '') names.push(visible(member.name.slice(0, MAX_NAME)));
    at = skipModifiers(types, member.type);
  }
  if (names.length === 0) return '(anon)';
  return names.length > MAX_STEPS ? `….${names.slice(-MAX_STEPS).join('.')}` : names.join('.');
}

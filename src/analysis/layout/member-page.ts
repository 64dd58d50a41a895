/**
 * The members of a very wide struct by pages: each row of a table or drawing is an
 * object, and a struct of 2026's encoding may have 16 million members.
 */
import type { MemberRange } from '#analysis/types/struct-layout.ts';
import { MAX_ITEMS } from '#analysis/types/wide-types.ts';
import type { TypeId } from '#model/ids.ts';
import { memberCount } from '#model/type-items.ts';
import type { TypeTable } from '#model/type-table.ts';

export const FIRST_PAGE: MemberRange = { first: 0, end: MAX_ITEMS };

export type MemberPage = MemberRange & {
  /** Number of the page, from 0. */
  readonly number: number;
  /** Pages in all, at least 1. */
  readonly pages: number;
  /** Members of the struct. */
  readonly total: number;
};

/** Page `number` of the members of a STRUCT or UNION, or the nearest one that exists. */
export function memberPage(types: TypeTable, composite: TypeId, number: number): MemberPage {
  const total = memberCount(types, composite);
  const pages = Math.max(1, Math.ceil(total / MAX_ITEMS));
  const at = Math.min(Math.max(0, number), pages - 1);
  const first = at * MAX_ITEMS;
  return { first, end: Math.min(first + MAX_ITEMS, total), number: at, pages, total };
}

/** Number of the page that the member at `path` stands on; the first where it names none. */
export function pageOfPath(path: readonly number[]): number {
  return Math.floor((path[0] ?? 0) / MAX_ITEMS);
}

import { useState } from 'react';
import { type MemberPage, memberPage, pageOfPath } from '#analysis/layout/member-rows.ts';
import type { TypeId } from '#model/ids.ts';
import type { TypeTable } from '#model/type-table.ts';

/**
 * The page of members to show: that of the selected member until another is asked
 * for, and again once another member is selected.
 */
export function useMemberPage(
  types: TypeTable,
  composite: TypeId,
  memberPath: readonly number[],
): readonly [MemberPage, (number: number) => void] {
  const selected = pageOfPath(memberPath);
  const [asked, setAsked] = useState({ composite, selected, number: selected });
  const isCurrent = asked.composite === composite && asked.selected === selected;
  const page = memberPage(types, composite, isCurrent ? asked.number : selected);
  return [page, (number) => setAsked({ composite, selected, number })];
}

import type { StructLayout } from '#analysis/types/struct-layout.ts';
import { grouped } from '#ui/grouped.ts';
import { countOf } from '#views/parts/number-text.ts';
import { widthText } from '#views/parts/type-size-text.ts';

/** One line about a layout: `112 members, 3 holes of 12 bytes, 4 bytes of padding`. `total`: members of the struct, where the layout has a page of them. */
export function layoutSummary(layout: StructLayout, total: number): string {
  const { rows, holes, holeBits, paddingBits } = layout;
  const members = rows.filter((row) => row.kind === 'member').length;
  const of = members < total ? `${grouped(members)} of ` : '';
  const parts = [`${of}${countOf(total, 'member')}`];
  if (holes > 0) parts.push(`${countOf(holes, 'hole')} of ${widthText(holeBits)}`);
  if (paddingBits > 0) parts.push(`${widthText(paddingBits)} of padding`);
  if (layout.outOfOrder) parts.push('shown by offset, not as declared');
  return parts.join(', ');
}

import type { StructLayout } from '#analysis/struct-layout.ts';
import { countOf } from '#views/parts/number-text.ts';
import { widthText } from '#views/parts/type-size-text.ts';

/** One line about a layout: `112 members, 3 holes of 12 bytes, 4 bytes of padding`. */
export function layoutSummary(layout: StructLayout): string {
  const { rows, holes, holeBits, paddingBits } = layout;
  const members = rows.filter((row) => row.kind === 'member').length;
  const parts = [countOf(members, 'member')];
  if (holes > 0) parts.push(`${countOf(holes, 'hole')} of ${widthText(holeBits)}`);
  if (paddingBits > 0) parts.push(`${widthText(paddingBits)} of padding`);
  if (layout.outOfOrder) parts.push('shown by offset, not as declared');
  return parts.join(', ');
}

import type { LayoutRow } from '#analysis/types/struct-layout.ts';
import { widthText } from '#views/parts/type-size-text.ts';

/** What a row without a member says: `4-byte hole`, `24 bits of padding`. */
export function gapText(row: LayoutRow): string {
  if (row.kind === 'padding') return `${widthText(row.bitSize)} of padding`;
  return row.bitSize % 8 === 0 ? `${row.bitSize / 8}-byte hole` : `${row.bitSize}-bit hole`;
}

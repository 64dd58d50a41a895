/** From member to member in a drawing to scale, as the arrow keys go. */
import type { MemberRow } from './member-rows.ts';
import type { Scale, ScaleBox } from './scale.ts';

/**
 * The row of the member that `key` leads to from row `from` (null: from nowhere).
 * Left and right go in the order of the members, up and down to what is drawn
 * above and below, Home and End to the first and last. Null where the key means
 * nothing or there is no further one.
 */
export function memberAfterKey(
  scale: Scale,
  rows: readonly MemberRow[],
  from: number | null,
  key: string,
): number | null {
  const beside = (start: number, step: 1 | -1): number | null => {
    for (let i = start; i >= 0 && i < rows.length; i += step) {
      if (rows[i]?.kind === 'member' && scale.stripOfRow[i] !== -1) return i;
    }
    return null;
  };
  switch (key) {
    case 'Home':
      return beside(0, 1);
    case 'End':
      return beside(rows.length - 1, -1);
    case 'ArrowRight':
    case 'ArrowDown':
    case 'ArrowLeft':
    case 'ArrowUp':
      if (from === null || scale.stripOfRow[from] === -1) return beside(0, 1);
      if (key === 'ArrowRight') return beside(from + 1, 1);
      if (key === 'ArrowLeft') return beside(from - 1, -1);
      return memberAcross(scale, rows, from, key === 'ArrowDown' ? 1 : -1);
    default:
      return null;
  }
}

function memberAcross(
  { strips, stripOfRow, lineBytes }: Scale,
  rows: readonly MemberRow[],
  from: number,
  step: 1 | -1,
): number | null {
  const lineBits = 8 * lineBytes;
  const x = (rows[from]?.bitOffset ?? 0) % lineBits;
  for (let i = (stripOfRow[from] ?? 0) + step; i >= 0 && i < strips.length; i += step) {
    const strip = strips[i];
    if (strip?.kind !== 'bytes') continue;
    const found = boxAt(strip.boxes, 8 * strip.startByte + x);
    if (found !== null && found.row !== from && rows[found.row]?.kind === 'member') {
      return found.row;
    }
  }
  return null;
}

function boxAt(boxes: readonly ScaleBox[], bit: number): ScaleBox | null {
  return boxes.find(({ startBit, bits }) => startBit <= bit && bit < startBit + bits) ?? null;
}

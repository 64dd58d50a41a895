/** How many bytes fit into a row of the hex view. */
import { ASCII_GAP, hexWidth, OFFSET_PADDING } from '#ui/hex-layout.ts';
import { offsetDigits } from '#ui/hex-marks.ts';

/** Width of a character of the hex view's font in CSS pixels, with a little to spare. */
const CHAR = 7.9;

/** Padding behind the text, and a scroll bar. */
const END_PADDING = 12 + 12;

/** The widest of 32, 16 and 8 columns that needs no more than `width` CSS pixels; 8 where none fits. */
export function columnsFor(width: number, lastOffset: number): 8 | 16 | 32 {
  const offsetWidth = offsetDigits(lastOffset) + 2;
  const fits = (columns: number) => {
    const chars = offsetWidth + hexWidth(columns) + ASCII_GAP + columns;
    return chars * CHAR + OFFSET_PADDING + END_PADDING <= width;
  };
  if (fits(32)) return 32;
  return fits(16) ? 16 : 8;
}

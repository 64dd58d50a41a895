import type { GetBytes } from './HexRow.tsx';
import { type ByteRange, hexByte } from './hex-marks.ts';

/** More than this would stall the page and serves nobody as text. */
const MAX_COPIED_BYTES = 1 << 20;

/** The selected bytes as `85 10 00 00`, or null with the reason in `said`, which also tells of success. */
export function copyText(
  { start, end }: ByteRange,
  getBytes: GetBytes,
): { readonly text: string | null; readonly said: string } {
  const size = end - start;
  if (size > MAX_COPIED_BYTES) {
    return { text: null, said: 'Not copied: more than 1 MiB is selected' };
  }
  const bytes = getBytes(start, end);
  if (bytes === null) return { text: null, said: 'Not copied: the bytes are not loaded yet' };
  return {
    text: Array.from(bytes, hexByte).join(' '),
    said: `Copied ${size} ${size === 1 ? 'byte' : 'bytes'} as hex`,
  };
}

/** The strings of a BTF blob, one after another as they are stored. */
import { decodeText, stringEnd } from '#bytes/text.ts';
import type { TypeTable } from '#model/type-table.ts';

export type StoredString = {
  /** As `name_off` counts. */
  readonly offset: number;
  /** Raw text; empty for the first. */
  readonly text: string;
  /** Bytes of the blob, the NUL at the end with them. */
  readonly start: number;
  readonly end: number;
};

/** All strings, the empty one at offset 0 first. */
export function storedStrings({ blob, strStart, strEnd, strBase }: TypeTable): StoredString[] {
  const strings: StoredString[] = [];
  for (let start = strStart; start < strEnd; ) {
    const nul = Math.min(stringEnd(blob, start), strEnd);
    const end = Math.min(nul + 1, strEnd);
    const text = decodeText(blob.subarray(start, nul));
    strings.push({ offset: start - strStart + strBase, text, start, end });
    start = end;
  }
  return strings;
}

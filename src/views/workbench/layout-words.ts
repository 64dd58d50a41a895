/** The figures of a layout in a few words. */
import type { StructLayout } from '#analysis/types/struct-layout.ts';
import { countOf } from '#views/parts/number-text.ts';
import { widthText } from '#views/parts/type-size-text.ts';

/** `48 bytes, 2 holes of 7 bytes, 3 bytes of padding`. */
export function layoutWords({ sizeBytes, holes, holeBits, paddingBits }: StructLayout): string {
  return [
    countOf(sizeBytes, 'byte'),
    holes > 0 ? `${countOf(holes, 'hole')} of ${widthText(holeBits)}` : '',
    paddingBits > 0 ? `${widthText(paddingBits)} of padding` : '',
  ]
    .filter((part) => part !== '')
    .join(', ');
}

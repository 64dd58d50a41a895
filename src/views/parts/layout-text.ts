/** Widths and unused bytes of structs as text. */
import type { StructLayout } from '#analysis/types/struct-layout.ts';
import { countOf } from './number-text.ts';

/** Returns a number of bits in words: `8 bytes`, `3 bits`, `77 bytes and 1 bit`. */
export function widthText(bits: number): string {
  const rest = bits % 8;
  if (rest === 0) return countOf(bits / 8, 'byte');
  return bits < 8
    ? countOf(rest, 'bit')
    : `${countOf(Math.floor(bits / 8), 'byte')} and ${countOf(rest, 'bit')}`;
}

/** Describes the unused bits of a struct: `2 holes of 7 bytes`, `3 bytes of padding`. */
export function unusedTexts(layout: StructLayout): string[] {
  const { holes, holeBits, paddingBits, unknownSizes } = layout;
  return [
    ...(unknownSizes > 0
      ? [`${countOf(unknownSizes, 'member')} of unknown size: the base is not open`]
      : []),
    ...(holes > 0 ? [`${countOf(holes, 'hole')} of ${widthText(holeBits)}`] : []),
    ...(paddingBits > 0 ? [`${widthText(paddingBits)} of padding`] : []),
  ];
}

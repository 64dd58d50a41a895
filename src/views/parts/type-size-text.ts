/** Sizes of types: exact as far as a person reads them. Arrays of arrays can pass any number of digits. */
import { grouped } from '#ui/grouped.ts';
import { countOf, hexText } from './number-text.ts';

const MANY = 1n << 64n;

/** For a row: `9 792`; `≥ 2^64` beyond what a loader can count; empty where a type has no size. */
export function shortSize(size: bigint | null): string {
  if (size === null) return '';
  return size >= MANY ? `≥ 2^${powerBelow(size)}` : grouped(size);
}

/** In words: `9 792 bytes, 0x2640`; null where a type has no size. */
export function longSize(size: bigint | null): string | null {
  if (size === null) return null;
  if (size >= MANY) return `2^${powerBelow(size)} bytes or more`;
  const decimal = size === 1n ? '1 byte' : `${grouped(size)} bytes`;
  return size < 10n ? decimal : `${decimal}, ${hexText(size)}`;
}

function powerBelow(size: bigint): number {
  const hex = size.toString(16);
  return (hex.length - 1) * 4 + (31 - Math.clz32(Number.parseInt(hex[0] ?? '1', 16)));
}

/** A width in bits: `8 bytes`, `3 bits`, `77 bytes and 1 bit`. */
export function widthText(bits: number): string {
  const rest = bits % 8;
  if (rest === 0) return countOf(bits / 8, 'byte');
  return bits < 8
    ? countOf(rest, 'bit')
    : `${countOf(Math.floor(bits / 8), 'byte')} and ${countOf(rest, 'bit')}`;
}

import { hexText } from '#bytes/text.ts';
import { grouped } from '#ui/grouped.ts';

/** Returns a number with its noun: `1 type`, `126 572 types`. `plural` is for irregular nouns. */
export function countOf(value: number, noun: string, plural = `${noun}s`): string {
  return `${grouped(value)} ${value === 1 ? noun : plural}`;
}

const UNITS = ['KiB', 'MiB', 'GiB', 'TiB'] as const;

/** Returns a size with three digits: `512 bytes`, `8.4 KiB`, `512 MiB`. */
export function sizeText(bytes: number): string {
  if (bytes < 1024) return countOf(bytes, 'byte');
  let value = bytes;
  let unit = '';
  for (const next of UNITS) {
    if (value < 1023.5) break;
    value /= 1024;
    unit = next;
  }
  return `${value < 99.95 ? value.toFixed(1) : value.toFixed(0)} ${unit}`;
}

/** Returns a share as `42 %`, `0.3 %` or `< 0.1 %`. */
export function shareText(part: number, whole: number): string {
  if (whole <= 0) return '';
  const percent = (100 * part) / whole;
  if (percent > 0 && percent < 0.1) return '< 0.1 %';
  return `${percent < 10 ? percent.toFixed(1) : percent.toFixed(0)} %`;
}

/** Larger sizes are written as powers of 2: sizes of nested arrays can have very many digits. */
const MANY = 1n << 64n;

/** Returns a size in bytes: `9 792`, or `≥ 2^64` for a larger one. Empty for no size. */
export function shortSize(size: bigint | null): string {
  if (size === null) return '';
  return size >= MANY ? `≥ 2^${powerBelow(size)}` : grouped(size);
}

/** Returns a size in decimal and hex: `9 792 bytes, 0x2640`; null for a type without a size. */
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

/** How numbers are written in views: counts grouped by a thin space, offsets in hex. */
import { grouped } from '#ui/grouped.ts';

/** `0x18`. Offsets, addresses and flags. */
export function hexText(value: number | bigint): string {
  return `0x${value.toString(16)}`;
}

/** `1 type`, `126 572 types`; `plural` where an s will not do. */
export function countOf(value: number, noun: string, plural = `${noun}s`): string {
  return `${grouped(value)} ${value === 1 ? noun : plural}`;
}

const UNITS = ['KiB', 'MiB', 'GiB', 'TiB'] as const;

/** `512 bytes`, `8.4 KiB`, `512 MiB`: three digits are enough to compare by. */
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

/** Part of a whole: `42 %`, `0.3 %`, `< 0.1 %`. */
export function shareText(part: number, whole: number): string {
  if (whole <= 0) return '';
  const percent = (100 * part) / whole;
  if (percent > 0 && percent < 0.1) return '< 0.1 %';
  return `${percent < 10 ? percent.toFixed(1) : percent.toFixed(0)} %`;
}

/** Whether the bytes that were given are those of the type. */
import type { Value } from '#analysis/values/decode.ts';
import { countOf } from '#views/parts/number-text.ts';

/** A sentence where they are too few or too many; null where they are just right. */
export function sizeWords({ bitSize }: Value, given: number): string | null {
  const size = Math.ceil(bitSize / 8);
  if (size === given) return null;
  const both = `The type has ${countOf(size, 'byte')}, ${countOf(given, 'byte')} ${given === 1 ? 'was' : 'were'} given`;
  if (given < size) return `${both}: what lies behind them has no value.`;
  const times = size > 0 && given % size === 0 ? `, which is ${given / size} times as many` : '';
  return `${both}${times}: the first ${countOf(size, 'byte')} are read.`;
}

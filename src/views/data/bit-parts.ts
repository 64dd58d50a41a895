/** A bit-field in the bytes that it touches, from the highest bit to the lowest, as a ruler draws it. */
import { bitsAt } from '#analysis/values/bits.ts';
import type { Value } from '#analysis/values/decode.ts';
import type { RulerPart } from '#views/parts/BitRuler.tsx';

/** null for what is no bit-field, and where its bits are not there. */
export function bitParts({
  scope,
  bitOffset,
  bitSize,
  isBitfield,
  name,
}: Value): RulerPart[] | null {
  if (!isBitfield || bitSize === 0) return null;
  const first = 8 * Math.floor(bitOffset / 8);
  const end = 8 * Math.ceil((bitOffset + bitSize) / 8);
  const part = (from: number, length: number, field: string): RulerPart | null => {
    const value = length === 0 ? null : bitsAt(scope, from, length);
    return value === null ? null : { field, length, value };
  };
  const before = part(first, bitOffset - first, '');
  const own = part(bitOffset, bitSize, name || 'value');
  const behind = part(bitOffset + bitSize, end - bitOffset - bitSize, '');
  if (own === null) return null;
  // Bit 0 is the lowest of a little-endian number and the highest of a big-endian one.
  const inOrder = scope.endian === 'little' ? [behind, own, before] : [before, own, behind];
  return inOrder.filter((each) => each !== null);
}

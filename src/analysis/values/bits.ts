/**
 * Numbers out of bytes, bit by bit, in both byte orders.
 *
 * Bit 0 of a little-endian byte is its lowest; of a big-endian one its highest, as
 * compilers count bit-fields there. Source: "BTF Type Format", section 2.2.4.
 */
import type { Endian } from '#bytes/span.ts';

/** Bytes of a value; those past the end of `bytes` but below `byteLength` are 0, as in `.bss`. */
export type ValueBytes = {
  readonly bytes: Uint8Array;
  readonly byteLength: number;
  readonly endian: Endian;
};

/** Do `bitSize` bits from `bitOffset` lie inside? */
export function hasBits(from: ValueBytes, bitOffset: number, bitSize: number): boolean {
  return bitOffset >= 0 && bitSize >= 0 && bitOffset + bitSize <= 8 * from.byteLength;
}

/** The `bitSize` bits from `bitOffset` as an unsigned number; null where they do not all lie inside. */
export function bitsAt(from: ValueBytes, bitOffset: number, bitSize: number): bigint | null {
  if (!hasBits(from, bitOffset, bitSize)) return null;
  const first = Math.floor(bitOffset / 8);
  const end = Math.ceil((bitOffset + bitSize) / 8);
  const isLittle = from.endian === 'little';
  let whole = 0n;
  for (let i = 0; i < end - first; i++) {
    const at = isLittle ? end - 1 - i : first + i;
    whole = (whole << 8n) | BigInt(from.bytes[at] ?? 0);
  }
  const below = isLittle ? bitOffset - 8 * first : 8 * end - (bitOffset + bitSize);
  return BigInt.asUintN(bitSize, whole >> BigInt(below));
}

/**
 * The number that the bits of an IEEE 754 value stand for; null for widths other
 * than 16, 32 and 64 bits, whose values no JavaScript number holds.
 */
export function floatOf(bits: bigint, bitSize: number): number | null {
  const view = new DataView(new ArrayBuffer(8));
  view.setBigUint64(0, BigInt.asUintN(64, bits));
  switch (bitSize) {
    case 64:
      return view.getFloat64(0);
    case 32:
      return view.getFloat32(4);
    case 16:
      return halfOf(view.getUint16(6));
    default:
      return null;
  }
}

function halfOf(bits: number): number {
  const sign = bits >= 0x8000 ? -1 : 1;
  const exponent = (bits >>> 10) & 0x1f;
  const fraction = bits & 0x3ff;
  if (exponent === 0x1f) return fraction === 0 ? sign * Infinity : NaN;
  return exponent === 0
    ? sign * fraction * 2 ** -24
    : sign * (1 + fraction / 1024) * 2 ** (exponent - 15);
}

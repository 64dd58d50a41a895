/**
 * Reads numbers at bit offsets, in both byte orders. As compilers count bit-fields, bit 0 of a byte
 * is the lowest bit in little-endian data, and the highest bit in big-endian data. Source: "BTF
 * Type Format", section 2.2.4.
 */
import type { Endian } from '#bytes/span.ts';

/** Bytes of a value; missing bytes at its end (up to `byteLength`) are 0, as in `.bss`. */
export type ValueBytes = {
  readonly bytes: Uint8Array;
  readonly byteLength: number;
  readonly endian: Endian;
};

/** Returns true if all `bitSize` bits from `bitOffset` on lie inside the value. */
export function hasBits(from: ValueBytes, bitOffset: number, bitSize: number): boolean {
  return bitOffset >= 0 && bitSize >= 0 && bitOffset + bitSize <= 8 * from.byteLength;
}

/** Returns `bitSize` bits from `bitOffset` as an unsigned number, or null if some lie outside. */
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

/** Returns the number of an IEEE 754 bit pattern, or null unless it has 16, 32 or 64 bits. */
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

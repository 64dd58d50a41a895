/** The byte under the pointer and those after it, read as numbers. */
import type { Endian } from '#bytes/span.ts';
import { hexByte } from '#ui/hex-marks.ts';

export type NumberReading = {
  readonly bits: 8 | 16 | 32 | 64;
  readonly unsigned: bigint;
  readonly signed: bigint;
  /** As a number, so in the order of digits, not of bytes: `0x0000002a`. */
  readonly hex: string;
};

/** The widths for which `bytes` (from the byte on) are long enough, read in the given byte order. */
export function readNumbers(bytes: Uint8Array, endian: Endian): NumberReading[] {
  const readings: NumberReading[] = [];
  for (const bits of [8, 16, 32, 64] as const) {
    const size = bits / 8;
    if (bytes.length < size) break;
    const own = bytes.slice(0, size);
    const digits = [...(endian === 'little' ? own.toReversed() : own)].map(hexByte).join('');
    const unsigned = BigInt(`0x${digits}`);
    readings.push({
      bits,
      unsigned,
      signed: BigInt.asIntN(bits, unsigned),
      hex: `0x${digits}`,
    });
  }
  return readings;
}

const CONTROL = [
  ...['NUL', 'SOH', 'STX', 'ETX', 'EOT', 'ENQ', 'ACK', 'BEL', 'BS', 'TAB', 'LF', 'VT', 'FF'],
  ...['CR', 'SO', 'SI', 'DLE', 'DC1', 'DC2', 'DC3', 'DC4', 'NAK', 'SYN', 'ETB', 'CAN', 'EM'],
  ...['SUB', 'ESC', 'FS', 'GS', 'RS', 'US', 'space'],
];

/** The character as it is, the name of one that cannot be seen; empty above 0x7f, where ASCII ends. */
export function characterOf(byte: number): string {
  const named = CONTROL[byte];
  if (named !== undefined) return named;
  if (byte === 0x7f) return 'DEL';
  return byte < 0x7f ? String.fromCharCode(byte) : '';
}

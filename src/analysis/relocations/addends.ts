/**
 * Addends of REL entries, which are in the bytes of the place. Source: the supplements named by the
 * tables; for Arm, AAELF32, "Relocation types", column "Operation" of the initial addend.
 */
import type { Endian } from '#bytes/span.ts';
import { EM } from '#formats/elf/constants.ts';
import {
  fieldBytes,
  gatherBits,
  type RelocationField,
  readUnits,
  readWord,
} from '#formats/elf/relocations/relocation-field.ts';
import type { RelocationType } from '#formats/elf/relocations/relocation-type.ts';

/** Returns the addend at byte `at`, or null if the place is outside `bytes` or its form unknown. */
export function addendAtPlace(
  machine: number,
  type: RelocationType,
  field: RelocationField,
  bytes: Uint8Array,
  at: number,
  endian: Endian,
): bigint | null {
  if (at < 0 || at + fieldBytes(field) > bytes.length) return null;
  if (field.coding === 'uleb') return ulebAt(bytes, at)?.value ?? null;
  const units = readUnits(bytes, at, field, endian);
  return machine === EM.arm ? armAddend(type, field, units) : gatherBits(units, field.pieces);
}

function armAddend(
  { name }: RelocationType,
  field: RelocationField,
  units: readonly bigint[],
): bigint {
  const [first = 0n, second = 0n] = units;
  const isNegative = ((first >> 23n) & 1n) === 0n;
  const signed = (magnitude: bigint) => (isNegative ? -magnitude : magnitude);
  switch (field.coding) {
    case 'j24':
      return thumbBranch(first, second);
    case 'alu': {
      const rotation = Number((first >> 8n) & 15n) * 2;
      const low = first & 0xffn;
      const magnitude = BigInt.asUintN(
        32,
        (low >> BigInt(rotation)) | (low << BigInt(32 - rotation)),
      );
      return ((first >> 22n) & 3n) === 1n ? -magnitude : magnitude;
    }
    case 'sm':
    case 'ldrg':
    case 'g1':
      return signed(first & 0xfffn);
    case 'ldrsg':
      return signed(((first >> 4n) & 0xf0n) | (first & 15n));
    case 'ldcg':
      return signed((first & 0xffn) << 2n);
    case 'thp':
      return ((first >> 7n) & 1n) === 0n ? -(second & 0xfffn) : second & 0xfffn;
    case 'tha': {
      const magnitude = BigInt.asUintN(12, gatherBits(units, field.pieces));
      return ((first >> 7n) & 1n) === 0n ? magnitude : -magnitude;
    }
    default:
      return armBits(name, field, units);
  }
}

/** Low bit of the value in the types that hold the upper half of a 32-bit immediate. */
const UPPER_HALF = 16;

function armBits(name: string, field: RelocationField, units: readonly bigint[]): bigint {
  const bits = gatherBits(units, field.pieces);
  const low = field.pieces.reduce((least, { valueLow }) => Math.min(least, valueLow), 64);
  if (/MOVT/.test(name)) return bits >> BigInt(UPPER_HALF);
  if (/ALU_ABS/.test(name)) return BigInt.asUintN(8, bits >> BigInt(low));
  if (/ABS12|BREL12|OFF12|L[DE]O?12|IE12|ABS5|PC8|JUMP6$/.test(name)) {
    const high = field.pieces.reduce((most, { valueHigh }) => Math.max(most, valueHigh), 0);
    return BigInt.asUintN(high + 1, bits);
  }
  return bits;
}

/** Returns the distance in a Thumb BL or B.W: bits S, I1 = NOT(J1 EOR S), I2 = NOT(J2 EOR S). */
function thumbBranch(first: bigint, second: bigint): bigint {
  const sign = (first >> 10n) & 1n;
  const i1 = 1n ^ ((second >> 13n) & 1n) ^ sign;
  const i2 = 1n ^ ((second >> 11n) & 1n) ^ sign;
  const low = ((first & 0x3ffn) << 12n) | ((second & 0x7ffn) << 1n);
  return BigInt.asIntN(25, (sign << 24n) | (i1 << 23n) | (i2 << 22n) | low);
}

/** A longer number would not fit 64 bits. */
const MAX_ULEB_BYTES = 10;

/** Reads a ULEB128 number; null if it does not end in `bytes` or within ten bytes. */
export function ulebAt(bytes: Uint8Array, at: number): { value: bigint; length: number } | null {
  let value = 0n;
  for (let i = 0; i < MAX_ULEB_BYTES; i++) {
    const byte = bytes[at + i];
    if (byte === undefined) return null;
    value |= BigInt(byte & 0x7f) << BigInt(7 * i);
    if (byte < 0x80) return { value, length: i + 1 };
  }
  return null;
}

/** Types of MIPS that hold the upper half of an addend, with those of the lower half. */
const MIPS_HALVES: ReadonlyMap<number, number> = new Map([
  [5, 6],
  [9, 6],
  [64, 65],
  [104, 105],
  [102, 105],
  [134, 135],
  [138, 135],
]);

/** Types of `MIPS_HALVES` that have a lower half only if the symbol is local. */
const LOCAL_ONLY: ReadonlySet<number> = new Set([9, 102, 138]);

/** Returns the type of the entry that holds the lower half of an addend, or null. */
export function lowerHalfType(machine: number, rType: number, isLocal: boolean): number | null {
  if (machine !== EM.mips || (LOCAL_ONLY.has(rType) && !isLocal)) return null;
  return MIPS_HALVES.get(rType) ?? null;
}

/** Returns the addend of an upper and a lower half: `(high << 16) + (signed) low`. */
export function joinedAddend(high: bigint, low: bigint): bigint {
  return BigInt.asIntN(32, ((high & 0xffffn) << 16n) + BigInt.asIntN(16, low));
}

/** Returns the unsigned word at byte `at` of SuperH, whose RELA entries add it to their addend. */
export function inPlaceWord(bytes: Uint8Array, at: number, endian: Endian): bigint {
  return at >= 0 && at + 4 <= bytes.length ? BigInt.asIntN(32, readWord(bytes, at, 4, endian)) : 0n;
}

/**
 * Puts the value of a relocation into the bytes of its place. Sources: the supplements named by the
 * tables; GNU BFD 2.40 for Arm's group relocations (`calculate_group_reloc_mask`) and PowerPC's
 * branch prediction (`ppc64_elf_relocate_section`, `ppc_elf_relocate_section`).
 */
import type { Endian } from '#bytes/span.ts';
import { EM } from '#formats/elf/constants.ts';
import {
  type RelocationField,
  readUnits,
  scatterBits,
  writeUnits,
} from '#formats/elf/relocations/relocation-field.ts';
import type { RelocationType } from '#formats/elf/relocations/relocation-type.ts';
import { ulebAt } from './addends.ts';

/** Facts other than the value that decide about bits of an instruction. */
export type EncodeFacts = {
  readonly machine: number;
  readonly type: RelocationType;
  readonly field: RelocationField;
  readonly endian: Endian;
  /** True if the symbol is a function of Thumb code, false if of Arm code, null for no function. */
  readonly isThumb: boolean | null;
  /** Distance from the place to the target; null if unknown. */
  readonly distance: bigint | null;
  /** Distance in bytes from the first to the second place of Alpha's GPDISP. */
  readonly second: number;
};

/** Writes `value` at byte `at` of `bytes`, which contain the place. Other bits stay. */
export function encodeValue(
  bytes: Uint8Array,
  at: number,
  value: bigint,
  facts: EncodeFacts,
): void {
  const { field, endian } = facts;
  if (field.coding === 'uleb') {
    writeUleb(bytes, at, value);
    return;
  }
  const units = readUnits(bytes, at, field, endian);
  switch (field.coding) {
    case 'alu':
    case 'ldrg':
    case 'g1':
    case 'sm':
    case 'ldrsg':
    case 'ldcg':
      units[0] = groupInsn(units[0] ?? 0n, value, facts);
      break;
    case 'thp':
    case 'tha':
      scatterBits(units, field, value < 0n ? -value : value);
      units[0] = thumbSign(units[0] ?? 0n, field.coding, value < 0n);
      break;
    default:
      scatterBits(units, field, field.coding === 'movn' && value < 0n ? ~value : value);
      adjustInsn(units, value, facts);
  }
  writeUnits(bytes, at, field, endian, units);
  if (field.coding === 'gpdisp') writeLda(bytes, at + facts.second, value, facts);
}

function adjustInsn(units: bigint[], value: bigint, facts: EncodeFacts): void {
  const { field, machine, type } = facts;
  const [first = 0n, second = 0n] = units;
  if (field.coding === 'movn') {
    const movz = 1n << 30n;
    units[0] = value < 0n ? first & ~movz : first | movz;
  } else if (field.coding === 'j24') {
    const bit = (n: bigint) => (value >> n) & 1n;
    const sign = bit(24n);
    const j1 = 1n ^ bit(23n) ^ sign;
    const j2 = 1n ^ bit(22n) ^ sign;
    units[0] = (first & ~0x400n) | (sign << 10n);
    units[1] = (second & ~0x2800n) | (j1 << 13n) | (j2 << 11n);
    if (type.number === THM_CALL && facts.isThumb === false) units[1] &= ~0x1000n;
  } else if (field.coding === 'bp') {
    units[0] = predicted(first, facts);
  } else if (machine === EM.arm && type.number === ARM_CALL && facts.isThumb === true) {
    units[0] = (first & 0x00ff_ffffn) | 0xfa00_0000n | (((value >> 1n) & 1n) << 24n);
  }
}

const THM_CALL = 10;
const ARM_CALL = 28;
const SUBTRACTS = 0xa0n;
const ADDS_OFFSET = 0x80n;

/** Returns the first halfword of a Thumb LDR or ADR with the sign of its displacement. */
function thumbSign(insn: bigint, coding: 'thp' | 'tha', isNegative: boolean): bigint {
  if (coding === 'thp') return isNegative ? insn & ~ADDS_OFFSET : insn | ADDS_OFFSET;
  return isNegative ? insn | SUBTRACTS : insn & ~SUBTRACTS;
}

/** Returns a conditional branch of PowerPC with the prediction that the type names. */
function predicted(insn: bigint, { machine, type, distance }: EncodeFacts): bigint {
  const isTaken = type.name.endsWith('BRTAKEN');
  const bo = (bits: bigint) => bits << 21n;
  let result = insn & ~bo(1n);
  if (isTaken) result |= bo(1n);
  if (machine === EM.ppc) return distance !== null && distance < 0n ? result ^ bo(1n) : result;
  const form = result & bo(0x14n);
  if (form === bo(0x04n)) return result | bo(0x02n);
  if (form === bo(0x10n)) return result | bo(0x08n);
  return insn;
}

/** Returns the magnitude that is left after `count` parts, and the last part with its encoding. */
function groupParts(value: bigint, count: number): { rest: bigint; encoded: bigint } {
  let rest = value < 0n ? -value : value;
  let encoded = 0n;
  for (let n = 0; n < count; n++) {
    let top = 30n;
    while (top > 0n && (rest & (3n << top)) === 0n) top -= 2n;
    const shift = top > 6n ? top - 6n : 0n;
    const part = rest & (0xffn << shift);
    encoded = (part >> shift) | (part <= 0xffn ? 0n : ((32n - shift) / 2n) << 8n);
    rest &= ~part;
  }
  return { rest, encoded };
}

/** Returns the number of a group relocation: 1 for `R_ARM_ALU_PC_G1_NC`. */
function groupNumber({ name }: RelocationType): number {
  return Number(/_G(\d)/.exec(name)?.[1] ?? 0);
}

function groupInsn(insn: bigint, value: bigint, { type, field }: EncodeFacts): bigint {
  const group = groupNumber(type);
  const isNegative = value < 0n;
  if (field.coding === 'alu') {
    const { encoded } = groupParts(value, group + 1);
    return (insn & 0xff3f_f000n) | (isNegative ? 1n << 22n : 1n << 23n) | encoded;
  }
  const { rest } = groupParts(value, field.coding === 'sm' ? 0 : group);
  const up = isNegative ? 0n : 1n << 23n;
  if (field.coding === 'ldrsg') {
    return (insn & 0xff7f_f0f0n) | up | ((rest & 0xf0n) << 4n) | (rest & 15n);
  }
  if (field.coding === 'ldcg') return (insn & 0xff7f_ff00n) | up | ((rest >> 2n) & 0xffn);
  return (insn & 0xff7f_f000n) | up | (rest & 0xfffn);
}

/** Returns true if a group relocation leaves nothing, or a rest that its instruction can hold. */
export function groupFits(value: bigint, type: RelocationType, field: RelocationField): boolean {
  const group = groupNumber(type);
  switch (field.coding) {
    case 'alu':
      return type.name.endsWith('_NC') || groupParts(value, group + 1).rest === 0n;
    case 'ldrsg':
      return groupParts(value, group).rest < 0x100n;
    case 'ldcg': {
      const { rest } = groupParts(value, group);
      return rest < 0x400n && (rest & 3n) === 0n;
    }
    default:
      return groupParts(value, group).rest < 0x1000n;
  }
}

/** Writes the low half of GPDISP into the lda, if the second place is inside. */
function writeLda(bytes: Uint8Array, at: number, value: bigint, { endian }: EncodeFacts): void {
  if (at < 0 || at + 4 > bytes.length) return;
  const lda: RelocationField = {
    unitBytes: 4,
    units: 1,
    adjust: 0n,
    pieces: [{ unit: 0, valueLow: 0, valueHigh: 15, placeLow: 0, adjusted: false }],
    coding: '',
  };
  const units = readUnits(bytes, at, lda, endian);
  scatterBits(units, lda, value);
  writeUnits(bytes, at, lda, endian, units);
}

/** Writes a ULEB128 number that is as long as the number at the place. */
function writeUleb(bytes: Uint8Array, at: number, value: bigint): void {
  const length = ulebAt(bytes, at)?.length ?? 0;
  for (let i = 0; i < length; i++) {
    const more = i + 1 < length ? 0x80 : 0;
    bytes[at + i] = Number((value >> BigInt(7 * i)) & 0x7fn) | more;
  }
}

/**
 * The instruction after libbpf's `bpf_core_patch_insn` (src/relo_core.c), with its order:
 * validation, range, memory size.
 *
 * `insn` has both halves of a ld_imm64. The result has the bytes, an error number, and a step for
 * every line of the log.
 */
import type { OneOf } from '#bytes/one-of.ts';
import type { Endian } from '#bytes/span.ts';
import { decodeInsn, type Insn, insnClass, isLdImm64 } from '#formats/bpf/insn.ts';
import { SIZE, SOURCE, sizeOf, sourceOf } from '#formats/bpf/opcodes.ts';
import { Errno } from './access-string.ts';

export type InsnForm = 'ALU/ALU64' | 'LDX/ST/STX' | 'LDIMM64';

export type PatchStep = OneOf<
  'step',
  {
    patched: { form: InsnForm; from: bigint; to: bigint };
    'patched-mem-size': { from: number; to: number };
    substituted: { second: boolean };
    /** `got`: with its sign for imm and off; without for ld_imm64. */
    'wrong-value': { form: InsnForm; got: bigint; expected: bigint; to: bigint };
    'too-big': { value: bigint };
    'bad-access': object;
    'wrong-mem-size': { got: number; expected: number };
    'no-mem-size': { size: number };
    'unexpected-form': object;
    'register-operand': object;
    unrecognized: { insn: Pick<Insn, 'opcode' | 'srcReg' | 'dstReg' | 'off' | 'imm'> };
    'no-insn': object;
  }
>;

/** The value to write, and its conditions: `struct bpf_core_relo_res` of libbpf. */
export type Decision = {
  /** The value that the instruction must have, as an unsigned 64-bit number. */
  readonly origVal: bigint;
  readonly newVal: bigint;
  readonly validate: boolean;
  readonly poison: boolean;
  readonly failMemszAdjust: boolean;
  /** Bytes that are accessed, on both sides; 0 where no memory is. */
  readonly origSz: number;
  readonly newSz: number;
  readonly origTypeId: number;
  readonly newTypeId: number;
};

export type Patched = {
  readonly after: Uint8Array;
  /** 0, or negative. */
  readonly errno: number;
  readonly steps: readonly PatchStep[];
};

/** The invalid helper that a poisoned instruction calls: `invalid func unknown#195896080`. */
const POISON_IMM = 0x0bad2310;
const POISON_OPCODE = 0x85;
const MAX_OFF = 32767n;
const SLOT = 8;

const MEM_SIZES: readonly (readonly [number, number])[] = [
  [1, SIZE.b],
  [2, SIZE.h],
  [4, SIZE.w],
  [8, SIZE.dw],
];

/** Patches a copy of `before`. Never throws. */
export function patchInsn(before: Uint8Array, endian: Endian, decision: Decision): Patched {
  const insn = decodeInsn(before, 0, endian);
  if (insn === null) return failed(before, { step: 'no-insn' });
  if (decision.poison) return poisoned(before, endian, []);
  const imm = BigInt(insn.imm);
  switch (insnClass(insn)) {
    case 'alu':
    case 'alu64':
      if (sourceOf(insn.opcode) !== SOURCE.k) return failed(before, { step: 'register-operand' });
      return isUnexpected(imm, decision)
        ? wrongValue(before, 'ALU/ALU64', imm, decision)
        : writeImm(before, endian, 'ALU/ALU64', imm, decision);
    case 'ldx':
    case 'st':
    case 'stx':
      return patchAccess(before, endian, insn, decision);
    case 'ld':
      if (!isPlainLdImm64(before, insn)) return failed(before, { step: 'unexpected-form' });
      return isUnexpected(insn.imm64, decision)
        ? wrongValue(before, 'LDIMM64', insn.imm64, decision)
        : writeImm(before, endian, 'LDIMM64', insn.imm64, decision);
    default:
      return failed(before, { step: 'unrecognized', insn });
  }
}

function patchAccess(before: Uint8Array, endian: Endian, insn: Insn, decision: Decision): Patched {
  const { newVal, origSz, newSz } = decision;
  const form = 'LDX/ST/STX';
  const off = BigInt(insn.off);
  if (isUnexpected(off, decision)) return wrongValue(before, form, off, decision);
  if (newVal > MAX_OFF) return failed(before, { step: 'too-big', value: newVal }, Errno.ERANGE);
  if (decision.failMemszAdjust) return poisoned(before, endian, [{ step: 'bad-access' }]);
  const after = before.slice();
  const [first, second] = endian === 'little' ? [2, 3] : [3, 2];
  after[first] = Number(newVal & 0xffn);
  after[second] = Number(newVal >> 8n);
  const patched: PatchStep = { step: 'patched', form, from: BigInt.asUintN(64, off), to: newVal };
  if (newSz === origSz) return { after, errno: 0, steps: [patched] };
  const got = MEM_SIZES.find(([, bits]) => bits === sizeOf(insn.opcode))?.[0] ?? -1;
  // libbpf has written the offset by now, and leaves it.
  const late = (step: PatchStep) => ({ after, errno: Errno.EINVAL, steps: [patched, step] });
  if (got !== origSz) return late({ step: 'wrong-mem-size', got, expected: origSz });
  const bits = MEM_SIZES.find(([size]) => size === newSz)?.[1];
  if (bits === undefined) return late({ step: 'no-mem-size', size: newSz });
  after[0] = (insn.opcode & ~SIZE.dw) | bits;
  const resized: PatchStep = { step: 'patched-mem-size', from: origSz, to: newSz };
  return { after, errno: 0, steps: [patched, resized] };
}

function isUnexpected(held: bigint, { validate, origVal }: Decision): boolean {
  return validate && BigInt.asUintN(64, held) !== origVal;
}

function writeImm(
  before: Uint8Array,
  endian: Endian,
  form: InsnForm,
  held: bigint,
  { newVal }: Decision,
): Patched {
  const after = before.slice();
  writeWord(after, 4, Number(BigInt.asUintN(32, newVal)), endian);
  if (form === 'LDIMM64') writeWord(after, 12, Number(newVal >> 32n), endian);
  const from = BigInt.asUintN(64, held);
  return { after, errno: 0, steps: [{ step: 'patched', form, from, to: newVal }] };
}

/** The second half of a ld_imm64 goes too: alone it would be an opcode that nobody knows. */
function poisoned(before: Uint8Array, endian: Endian, steps: readonly PatchStep[]): Patched {
  const after = before.slice();
  for (let at = 0; at + SLOT <= after.length; at += SLOT) {
    after[at] = POISON_OPCODE;
    after.fill(0, at + 1, at + 4);
    writeWord(after, at + 4, POISON_IMM, endian);
  }
  const first: PatchStep = { step: 'substituted', second: false };
  const both: PatchStep[] = [{ step: 'substituted', second: true }, first];
  return { after, errno: 0, steps: [...steps, ...(after.length > SLOT ? both : [first])] };
}

function wrongValue(
  before: Uint8Array,
  form: InsnForm,
  got: bigint,
  { origVal, newVal }: Decision,
): Patched {
  return failed(before, { step: 'wrong-value', form, got, expected: origVal, to: newVal });
}

function failed(before: Uint8Array, step: PatchStep, errno: number = Errno.EINVAL): Patched {
  return { after: before, errno, steps: [step] };
}

/** A ld_imm64 of a number: not of a map, and with nothing but imm in its second half. */
function isPlainLdImm64(bytes: Uint8Array, insn: Insn): boolean {
  return (
    isLdImm64(insn) &&
    !insn.truncated &&
    insn.srcReg === 0 &&
    insn.off === 0 &&
    bytes.subarray(SLOT, SLOT + 4).every((byte) => byte === 0)
  );
}

/** Byte by byte: a view would have to be made for each instruction. */
function writeWord(bytes: Uint8Array, at: number, word: number, endian: Endian): void {
  for (let i = 0; i < 4; i++) {
    bytes[at + (endian === 'little' ? i : 3 - i)] = word >>> (8 * i);
  }
}

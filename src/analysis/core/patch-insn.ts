/** Patches an instruction with the steps of libbpf's `bpf_core_patch_insn` (src/relo_core.c). */
import type { OneOf } from '#bytes/one-of.ts';
import type { Endian } from '#bytes/span.ts';
import { decodeInsn, type Insn, insnClass, isLdImm64, SLOT_SIZE } from '#formats/bpf/insn.ts';
import { OPCODE, SIZE, SOURCE, sizeOf, sourceOf } from '#formats/bpf/opcodes.ts';
import type { TypeTable } from '#model/type-table.ts';
import { Errno } from './access-string.ts';
import type { AccessPath } from './parse-spec.ts';
import { localSpec } from './spec.ts';
import { FIELD_FAULT_TEXT, specValue } from './spec-value.ts';

export type InsnForm = 'ALU/ALU64' | 'LDX/ST/STX' | 'LDIMM64';

export type PatchStep = OneOf<
  'step',
  {
    patched: { form: InsnForm; from: bigint; to: bigint };
    'patched-mem-size': { from: number; to: number };
    substituted: { second: boolean };
    /** `got` is a signed number for `imm` and `off`, an unsigned number for ld_imm64. */
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

/** Value that libbpf writes, and data for its checks: `struct bpf_core_relo_res` in libbpf. */
export type Decision = {
  /** Value that the instruction must contain before patching, as an unsigned 64-bit number. */
  readonly origVal: bigint;
  readonly newVal: bigint;
  readonly validate: boolean;
  readonly poison: boolean;
  readonly failMemszAdjust: boolean;
  /** Size of the access in bytes, on the local and on the target types; 0 without an access. */
  readonly origSz: number;
  readonly newSz: number;
  readonly origTypeId: number;
  readonly newTypeId: number;
};

export type Patched = {
  readonly after: Uint8Array;
  /** Error number as in libbpf: 0 or negative. */
  readonly errno: number;
  readonly steps: readonly PatchStep[];
};

/** Number of the invalid helper in poisoned instructions: `invalid func unknown#195896080`. */
const POISON_IMM = 0x0bad2310;
const POISON_OPCODE = 0x85;
const MAX_OFF = 32767n;

const MEM_SIZES: readonly (readonly [number, number])[] = [
  [1, SIZE.b],
  [2, SIZE.h],
  [4, SIZE.w],
  [8, SIZE.dw],
];

/** Patches a copy of `before`; for ld_imm64 `before` has both slots. Never throws. */
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
  // Errors after this point leave the new offset in the instruction, as in libbpf.
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

/** Poisons both slots of an ld_imm64: the second slot alone would be an unknown opcode. */
function poisoned(before: Uint8Array, endian: Endian, steps: readonly PatchStep[]): Patched {
  const after = before.slice();
  for (let at = 0; at + SLOT_SIZE <= after.length; at += SLOT_SIZE) {
    after[at] = POISON_OPCODE;
    after.fill(0, at + 1, at + 4);
    writeWord(after, at + 4, POISON_IMM, endian);
  }
  const first: PatchStep = { step: 'substituted', second: false };
  const both: PatchStep[] = [{ step: 'substituted', second: true }, first];
  return { after, errno: 0, steps: [...steps, ...(after.length > SLOT_SIZE ? both : [first])] };
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

/** Returns true if an ld_imm64 loads a number: no map, and only `imm` set in the second slot. */
function isPlainLdImm64(bytes: Uint8Array, insn: Insn): boolean {
  return (
    isLdImm64(insn) &&
    !insn.truncated &&
    insn.srcReg === 0 &&
    insn.off === 0 &&
    bytes.subarray(SLOT_SIZE, SLOT_SIZE + 4).every((byte) => byte === 0)
  );
}

/** Writes a 32-bit word byte by byte; creating a DataView per instruction would be slower. */
function writeWord(bytes: Uint8Array, at: number, word: number, endian: Endian): void {
  for (let i = 0; i < 4; i++) {
    bytes[at + (endian === 'little' ? i : 3 - i)] = word >>> (8 * i);
  }
}

/** Fields of an instruction that libbpf patches. `imm64`: both `imm` of an ld_imm64. */
export type PatchedField = 'off' | 'imm' | 'imm64';

/** Returns the field that libbpf patches; null for an instruction that libbpf does not patch. */
export function patchedField(insn: Insn): PatchedField | null {
  switch (insnClass(insn)) {
    case 'alu':
    case 'alu64':
      return sourceOf(insn.opcode) === SOURCE.k ? 'imm' : null;
    case 'ldx':
    case 'st':
    case 'stx':
      return 'off';
    case 'ld':
      return insn.opcode === OPCODE.ldImm64 &&
        !insn.truncated &&
        insn.srcReg === 0 &&
        insn.off === 0
        ? 'imm64'
        : null;
    default:
      return null;
  }
}

/** Returns the patched field, sign-extended to 64 bits and then unsigned, as libbpf compares it. */
export function patchedValue(insn: Insn): bigint | null {
  switch (patchedField(insn)) {
    case 'off':
      return BigInt.asUintN(64, BigInt(insn.off));
    case 'imm':
      return BigInt.asUintN(64, BigInt(insn.imm));
    case 'imm64':
      return insn.imm64;
    case null:
      return null;
  }
}

/** Value for the local types. The compiler writes the value; libbpf checks it before patching. */
export type LocalValue = {
  /** Unsigned 64-bit number; null if libbpf cannot compute the value. */
  readonly value: bigint | null;
  /** Sentence about the reason why `value` is null; null if there is a value. */
  readonly error: string | null;
  /** True if libbpf rejects the program when the instruction contains another value. */
  readonly validate: boolean;
};

/** Returns an access's value on the local types. `endian`: that of the program. */
export function localValue(
  t: TypeTable,
  path: AccessPath,
  kind: number,
  endian: Endian,
): LocalValue {
  if (path.error !== null) return { value: null, error: path.error.message, validate: false };
  const found = specValue(kind, localSpec(t, path), endian);
  return 'fault' in found
    ? { value: null, error: FIELD_FAULT_TEXT[found.fault], validate: false }
    : { value: found.value, error: null, validate: found.validate };
}

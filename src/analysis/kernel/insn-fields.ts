/**
 * Checks one instruction as the verifier of a version does: opcode, fields that must be 0, numbers.
 * Source: kernel/bpf/verifier.c: resolve_pseudo_ldimm64 (since 7.1 check_and_resolve_insns),
 * do_check, check_alu_op, check_cond_jmp_op, check_ld_abs, check_atomic; kernel/bpf/core.c:
 * bpf_opcode_in_insntable.
 */
import { type Insn, insnClass } from '#formats/bpf/insn.ts';
import {
  ALU_OP,
  ATOMIC_OP,
  CALL_SOURCE,
  IMM64_SOURCE,
  JMP_OP,
  MODE,
  modeOf,
  OPCODE,
  opOf,
  SIZE,
  SOURCE,
  sizeOf,
  sourceOf,
} from '#formats/bpf/opcodes.ts';
import { compareVersions, type Version } from './version.ts';

/** The verifier's answer to an instruction that it refuses. */
export type InsnRefusal = {
  /** The verifier's log line, exactly. */
  readonly line: string;
  readonly pass: 'always' | 'reached';
  /** False if some kernels of the version accept the instruction. */
  readonly isSure: boolean;
};

/** What the verifier knows of a program when it checks an instruction. */
export type InsnContext = {
  /** True if the next slot is the zeroed second half of an ld_imm64. */
  readonly hasSecondSlot: boolean;
  /** True if the program uses a map of type ARENA. */
  readonly hasArena: boolean;
};

/** Versions at which an answer changes, ascending. */
export const INSN_VERSIONS: readonly Version[] = [
  '5.1',
  '5.2',
  '5.10',
  '5.12',
  '5.13',
  '5.14',
  '5.16',
  '6.6',
  '6.9',
  '6.14',
  '6.15',
  '6.19',
  '7.1',
  '7.2',
];

type Since = (version: Version) => boolean;

/** Returns why a kernel of `version` refuses the instruction; null if it knows the instruction. */
export function refusedInsn(
  insn: Insn,
  context: InsnContext,
  version: Version,
): InsnRefusal | null {
  const since: Since = (other) => compareVersions(version, other) >= 0;
  const always = (line: string | null) =>
    line === null ? null : ({ line, pass: 'always', isSure: true } as const);
  const isNew = since('7.1');
  // From 7.1 on, the first pass tests all fields, after registers and opcode.
  const first = isNew
    ? (wrongRegister(insn, since) ?? wrongImm64(insn, context, since))
    : (loadFields(insn, since) ?? oldStoreFields(insn, since) ?? wrongImm64(insn, context, since));
  if (first !== null) return always(first);
  const opcodeSince = opcodeVersion(insn.opcode);
  if (opcodeSince === null || !since(opcodeSince)) {
    // Later kernels of the series 5.15 and 6.1 may have got the long jump.
    const isSure = insn.opcode !== OPCODE.gotol || !['5.15', '6.1'].includes(version);
    return { line: `unknown opcode ${hex(insn.opcode)}`, pass: 'always', isSure };
  }
  const fields = loadFields(insn, since) ?? reservedFields(insn, since);
  if (isNew && fields !== null) return always(fields);
  const reached = fields ?? wrongUse(insn, context, since) ?? wrongRegister(insn, since);
  // Linux 6.6 took a negative `offset` of arithmetic for 0; the fix went into stable kernels.
  const isSure = !isNegativeArithmetic(insn) || !since('6.6') || isNew;
  return reached === null ? null : { line: reached, pass: 'reached', isSure };
}

function hex(number: number): string {
  return (number >>> 0).toString(16).padStart(2, '0');
}

const isAny = (value: number, values: readonly number[]) => values.includes(value);

/** Returns the first version whose table has the opcode; null if none has. */
function opcodeVersion(opcode: number): Version | null {
  const op = opOf(opcode);
  const isRegister = sourceOf(opcode) === SOURCE.x;
  const mode = modeOf(opcode);
  const size = sizeOf(opcode);
  switch (opcode & 0x07) {
    case 0: // ld
      if (opcode === OPCODE.ldImm64) return '1.0';
      return isAny(mode, [MODE.abs, MODE.ind]) && size !== SIZE.dw ? '1.0' : null;
    case 1: // ldx
      if (mode === MODE.memsx && size !== SIZE.dw) return '6.6';
      return mode === MODE.mem ? '1.0' : null;
    case 2: // st
      return mode === MODE.mem ? '1.0' : null;
    case 3: // stx
      if (mode === MODE.mem) return '1.0';
      if (mode !== MODE.atomic) return null;
      return isAny(size, [SIZE.w, SIZE.dw]) ? '1.0' : '6.15';
    case 5: // jmp
      if (op === JMP_OP.ja) return isRegister ? '6.19' : '1.0';
      if (op === JMP_OP.jcond) return isRegister ? null : '6.9';
      if (op === JMP_OP.call || op === JMP_OP.exit) return isRegister ? null : '1.0';
      return op < JMP_OP.jcond ? '1.0' : null;
    case 6: // jmp32
      if (op === JMP_OP.ja) return isRegister ? null : '6.6';
      return op < JMP_OP.jcond && op !== JMP_OP.call && op !== JMP_OP.exit ? '5.1' : null;
    default: // alu, alu64
      if (op === ALU_OP.neg) return isRegister ? null : '1.0';
      if (op !== ALU_OP.end) return op < ALU_OP.end ? '1.0' : null;
      if ((opcode & 0x07) === 4) return '1.0';
      return isRegister ? null : '6.6';
  }
}

function wrongImm64(insn: Insn, { hasSecondSlot }: InsnContext, since: Since): string | null {
  if (insn.opcode !== OPCODE.ldImm64) return null;
  if (!hasSecondSlot) return 'invalid bpf_ld_imm64 insn';
  if (since('7.1') && insn.off !== 0) return 'BPF_LD_IMM64 uses reserved fields';
  const version = IMM64_VERSIONS[insn.srcReg];
  const isWhole = insn.srcReg === IMM64_SOURCE.mapFd || insn.srcReg === IMM64_SOURCE.mapIdx;
  const isKnown = version !== undefined && since(version) && !(isWhole && insn.nextImm !== 0);
  return isKnown ? null : 'unrecognized bpf_ld_imm64 insn';
}

/** First version with each source register of ld_imm64 (`BPF_PSEUDO_*` in bpf.h). */
const IMM64_VERSIONS: readonly Version[] = ['1.0', '1.0', '5.2', '5.10', '5.13', '5.14', '5.14'];

function loadFields(insn: Insn, since: Since): string | null {
  if (insnClass(insn) !== 'ldx') return null;
  const mode = modeOf(insn.opcode);
  const isKnown = mode === MODE.mem || (mode === MODE.memsx && since('6.6'));
  return isKnown && insn.imm === 0 ? null : 'BPF_LDX uses reserved fields';
}

function oldStoreFields(insn: Insn, since: Since): string | null {
  if (insnClass(insn) !== 'stx' || since('5.12')) return null;
  const isKnown = isAny(modeOf(insn.opcode), [MODE.mem, MODE.atomic]);
  return isKnown && insn.imm === 0 ? null : 'BPF_STX uses reserved fields';
}

function reservedFields(insn: Insn, since: Since): string | null {
  const { opcode, dstReg, srcReg, off, imm } = insn;
  const isRegister = sourceOf(opcode) === SOURCE.x;
  const uses = (what: string, isWrong: boolean) =>
    isWrong ? `BPF_${what} uses reserved fields` : null;
  switch (insnClass(insn)) {
    case 'alu':
    case 'alu64':
      return arithmeticFields(insn, since);
    case 'stx':
      return uses('STX', modeOf(opcode) === MODE.mem && imm !== 0);
    case 'st':
      return uses('ST', srcReg !== 0);
    case 'ld':
      if (opcode === OPCODE.ldImm64) return uses('LD_IMM64', off !== 0);
      return uses(
        'LD_[ABS|IND]',
        dstReg !== 0 || off !== 0 || (modeOf(opcode) === MODE.abs && srcReg !== 0),
      );
    case 'ldx':
      return null;
  }
  switch (opOf(opcode)) {
    case JMP_OP.call: {
      const isKfunc = srcReg === CALL_SOURCE.pseudoKfuncCall;
      const isKnown = srcReg <= CALL_SOURCE.pseudoCall || (isKfunc && since('5.13'));
      const hasOff = off !== 0 && !(isKfunc && since('5.16'));
      return uses('CALL', !isKnown || hasOff || dstReg !== 0);
    }
    case JMP_OP.ja:
      if (isRegister) return uses('JA|BPF_X', srcReg !== 0 || imm !== 0 || off !== 0);
      return uses(
        'JA',
        srcReg !== 0 || dstReg !== 0 || (opcode === OPCODE.gotol ? off : imm) !== 0,
      );
    case JMP_OP.exit:
      return uses('EXIT', imm !== 0 || srcReg !== 0 || dstReg !== 0);
    case JMP_OP.jcond: {
      const isWrong = srcReg !== 0 || dstReg !== 0 || imm !== 0;
      if (since('6.14')) return isWrong ? `invalid may_goto imm ${imm}` : null;
      return isWrong || off === 0 ? `invalid may_goto off ${off} imm ${imm}` : null;
    }
    default:
      return uses('JMP/JMP32', isRegister ? imm !== 0 : srcReg !== 0);
  }
}

function arithmeticFields(insn: Insn, since: Since): string | null {
  const { opcode, srcReg, off, imm } = insn;
  const op = opOf(opcode);
  const isRegister = sourceOf(opcode) === SOURCE.x;
  const uses = (what: string, isWrong: boolean) =>
    isWrong ? `BPF_${what} uses reserved fields` : null;
  if (op === ALU_OP.neg) return uses('NEG', srcReg !== 0 || off !== 0 || imm !== 0);
  if (op === ALU_OP.end) {
    return uses('END', srcReg !== 0 || off !== 0 || !isAny(imm, [16, 32, 64]));
  }
  if (op === ALU_OP.mov) {
    if (!isRegister) return uses('MOV', srcReg !== 0 || off !== 0);
    if (isAddrSpaceCast(insn) && since('6.9')) return null;
    const extensions = insnClass(insn) === 'alu' ? [0, 8, 16] : [0, 8, 16, 32];
    return uses('MOV', imm !== 0 || !isAny(off, since('6.6') ? extensions : [0]));
  }
  const isSigned = off === 1 && isAny(op, [ALU_OP.div, ALU_OP.mod]) && since('6.6');
  return uses('ALU', (isRegister ? imm : srcReg) !== 0 || (off !== 0 && !isSigned));
}

/** Returns true for a move of 64 bits with `offset` 1 (`BPF_ADDR_SPACE_CAST`). */
export function isAddrSpaceCast(insn: Insn): boolean {
  return insnClass(insn) === 'alu64' && opOf(insn.opcode) === ALU_OP.mov && insn.off === 1;
}

function isNegativeArithmetic(insn: Insn): boolean {
  const family = insnClass(insn);
  const isOther = isAny(opOf(insn.opcode), [ALU_OP.neg, ALU_OP.mov, ALU_OP.end]);
  return (family === 'alu' || family === 'alu64') && insn.off < 0 && !isOther;
}

/** Kinds of an atomic operation that read and write memory. */
const READ_AND_WRITE: readonly number[] = [
  ...[ATOMIC_OP.add, ATOMIC_OP.or, ATOMIC_OP.and, ATOMIC_OP.xor].flatMap((op) => [
    op,
    op | ATOMIC_OP.fetch,
  ]),
  ATOMIC_OP.xchg,
  ATOMIC_OP.cmpxchg,
];

/** Returns the line for numbers that only the main pass tests. */
function wrongUse(insn: Insn, { hasArena }: InsnContext, since: Since): string | null {
  const { opcode, imm } = insn;
  if (insnClass(insn) === 'stx' && modeOf(opcode) === MODE.atomic) {
    const isOrdered = isAny(imm, [ATOMIC_OP.loadAcquire, ATOMIC_OP.storeRelease]);
    if (isOrdered && since('6.15')) return null;
    if (!READ_AND_WRITE.includes(imm)) {
      return `BPF_ATOMIC uses invalid atomic opcode ${hex(imm)}`;
    }
    return isAny(sizeOf(opcode), [SIZE.b, SIZE.h]) ? 'invalid atomic operand size' : null;
  }
  if (!isAddrSpaceCast(insn)) return null;
  if (imm !== 1 && imm !== 1 << 16) {
    return 'addr_space_cast insn can only convert between address space 1 and 0';
  }
  return hasArena
    ? null
    : 'addr_space_cast insn can only be used in a program that has an associated arena';
}

function wrongRegister({ dstReg, srcReg }: Insn, since: Since): string | null {
  // Arguments on the stack, which came between 7.1 and 7.3, use R11.
  const last = since('7.2') ? 11 : 10;
  const wrong = [dstReg, srcReg].find((register) => register > last);
  return wrong === undefined ? null : `R${wrong} is invalid`;
}

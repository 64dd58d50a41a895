/**
 * The feature of the instruction set that an instruction needs. Source: kernel/bpf/verifier.c:
 * resolve_pseudo_ldimm64, do_check, check_alu_op; kernel/bpf/core.c: bpf_opcode_in_insntable.
 */
import { type Insn, insnClass, isCall, isLdImm64 } from '#formats/bpf/insn.ts';
import {
  ALU_OP,
  ATOMIC_OP,
  CALL_SOURCE,
  IMM64_SOURCE,
  MODE,
  modeOf,
  OPCODE,
  opOf,
  sourceOf,
} from '#formats/bpf/opcodes.ts';

export type InsnFeature = {
  /** Name in the feature table, kind `instruction`; not there if no kernel has it. */
  readonly name: string;
  /** True if an older kernel refuses the instruction in dead code, too. */
  readonly isAlways: boolean;
};

const always = (name: string): InsnFeature => ({ name, isAlways: true });
const reached = (name: string): InsnFeature => ({ name, isAlways: false });

const IMM64_SOURCES: ReadonlyMap<number, InsnFeature> = new Map([
  [IMM64_SOURCE.mapValue, always('address of a map value')],
  [IMM64_SOURCE.btfId, always('address of a kernel variable')],
  [IMM64_SOURCE.func, always('address of a subprogram')],
]);

const CALL_SOURCES: ReadonlyMap<number, InsnFeature> = new Map([
  [CALL_SOURCE.pseudoCall, always('call of a subprogram')],
  [CALL_SOURCE.pseudoKfuncCall, reached('call of a kfunc')],
]);

/** Returns the feature that an instruction needs; null if each kernel with BPF has it. */
export function insnFeature(insn: Insn): InsnFeature | null {
  const { opcode, srcReg } = insn;
  if (isLdImm64(insn)) return IMM64_SOURCES.get(srcReg) ?? null;
  if (isCall(insn)) return CALL_SOURCES.get(srcReg) ?? null;
  if (opcode === OPCODE.gotol) return always('gotol');
  if (opcode === OPCODE.gotox) return always('gotox');
  if (opcode === OPCODE.mayGoto) return always('may_goto');
  if (opcode === OPCODE.callx) return always('callx');
  switch (insnClass(insn)) {
    case 'jmp32':
      return always('32-bit jump');
    case 'ldx':
      return modeOf(opcode) === MODE.memsx ? always('load with sign extension') : null;
    case 'stx':
      return modeOf(opcode) === MODE.atomic ? atomicFeature(insn) : null;
    case 'alu':
    case 'alu64':
      return arithmeticFeature(insn);
    default:
      return null;
  }
}

function atomicFeature({ imm }: Insn): InsnFeature | null {
  if (imm === ATOMIC_OP.add) return null;
  if (imm === ATOMIC_OP.loadAcquire || imm === ATOMIC_OP.storeRelease) {
    return always('load-acquire or store-release');
  }
  if (imm === ATOMIC_OP.xchg || imm === ATOMIC_OP.cmpxchg) return always('atomic exchange');
  return always((imm & ATOMIC_OP.fetch) === 0 ? 'bitwise atomic' : 'atomic fetch');
}

/** Bit `off` of a move between address spaces. Source: BPF_ADDR_SPACE_CAST. */
const ADDR_SPACE_CAST = 1;
/** Source bit of an alu64 byte swap is 0; in class alu the swap depends on the byte order. */
const UNCONDITIONAL = 0;

function arithmeticFeature(insn: Insn): InsnFeature | null {
  const { opcode, off } = insn;
  const op = opOf(opcode);
  const isWide = insnClass(insn) === 'alu64';
  if (op === ALU_OP.end && isWide && sourceOf(opcode) === UNCONDITIONAL) return always('byte swap');
  if (off === 0) return null;
  if (op === ALU_OP.mov) {
    return reached(off === ADDR_SPACE_CAST ? 'addr_space_cast' : 'move with sign extension');
  }
  return op === ALU_OP.div || op === ALU_OP.mod ? reached('signed division') : null;
}

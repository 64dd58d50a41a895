/**
 * Names instructions that not every kernel has, and their features in the table of kernels. Source:
 * kernel/bpf/verifier.c: resolve_pseudo_ldimm64, do_check, check_alu_op; kernel/bpf/core.c:
 * bpf_opcode_in_insntable.
 */
import { type Insn, insnClass, isLoadAcquire } from '#formats/bpf/insn.ts';
import {
  ALU_OP,
  ATOMIC_OP,
  CALL_SOURCE,
  IMM64_SOURCE,
  MODE,
  modeOf,
  OPCODE,
  opOf,
} from '#formats/bpf/opcodes.ts';
import { isAddrSpaceCast } from './insn-fields.ts';
import { featureSince } from './kernel-features.ts';
import type { Version } from './version.ts';

/** An instruction that not every kernel has. */
export type InsnNeed = {
  /** Name of the feature in the table of kernels, kind `instruction`; absent if no kernel has it. */
  readonly feature: string;
  /** The instruction as a noun with its article. */
  readonly what: string;
  /** The first version that has it; null if no kernel has it. */
  readonly since: Version | null;
  /** True if an older kernel refuses the instruction in dead code, too. */
  readonly isAlways: boolean;
  /** What to do for an older kernel, as a sentence; empty if nothing is known. */
  readonly advice: string;
};

const COMPILE_V3 = 'Compile with -mcpu=v3.';

function need(
  feature: string,
  what: string,
  more: { readonly advice?: string; readonly isAlways?: boolean } = {},
): InsnNeed {
  const since = featureSince('instruction', feature)?.version ?? null;
  return { feature, what, since, isAlways: true, advice: '', ...more };
}

/** Returns what an instruction needs; null if every kernel with BPF has it. */
export function insnNeed(insn: Insn): InsnNeed | null {
  const { opcode, srcReg, off } = insn;
  switch (opcode) {
    case OPCODE.gotol:
      return need('gotol', 'a long jump (gotol)', { advice: COMPILE_V3 });
    case OPCODE.gotox:
      return need('gotox', 'a jump to an address in a register (gotox)', { advice: COMPILE_V3 });
    case OPCODE.mayGoto:
      return need('may_goto', 'a may_goto', {
        advice: 'Use bpf_loop() or a loop with a constant bound.',
      });
    case OPCODE.callx:
      return need('callx', 'a call of an address in a register (callx)', {
        advice: 'Call the function by its name, so that the compiler knows it.',
      });
    case OPCODE.call:
      return callNeed(srcReg);
    case OPCODE.ldImm64:
      return imm64Need(srcReg);
  }
  const op = opOf(opcode);
  switch (insnClass(insn)) {
    case 'ldx':
      return modeOf(opcode) === MODE.memsx
        ? need('load with sign extension', 'a load with sign extension', { advice: COMPILE_V3 })
        : null;
    case 'stx':
      return modeOf(opcode) === MODE.atomic ? atomicNeed(insn) : null;
    case 'alu64':
      if (isAddrSpaceCast(insn)) {
        return need('addr_space_cast', 'an address space cast', { isAlways: false });
      }
      if (op === ALU_OP.end) {
        return need('byte swap', 'an unconditional byte swap', { advice: COMPILE_V3 });
      }
      return signedNeed(op, off);
    case 'alu':
      return signedNeed(op, off);
    case 'jmp32':
      return need('32-bit jump', 'a jump that compares 32 bits', {
        advice: 'Compile with -mcpu=v2.',
      });
    default:
      return null;
  }
}

function callNeed(source: number): InsnNeed | null {
  switch (source) {
    case CALL_SOURCE.pseudoCall:
      return need('call of a subprogram', 'a call of a subprogram');
    case CALL_SOURCE.pseudoKfuncCall:
      return need('call of a kfunc', 'a call of a kfunc', { isAlways: false });
    default:
      return null;
  }
}

function imm64Need(source: number): InsnNeed | null {
  switch (source) {
    case IMM64_SOURCE.mapValue:
      return need('address of a map value', 'the address of a map value');
    case IMM64_SOURCE.btfId:
      return need('address of a kernel variable', 'the address of a kernel symbol');
    case IMM64_SOURCE.func:
      return need('address of a subprogram', 'the address of a function');
    case IMM64_SOURCE.mapIdx:
      return need('map by its index', 'a map by its index');
    case IMM64_SOURCE.mapIdxValue:
      return need('map by its index', 'a map value by the index of its map');
    default:
      return null;
  }
}

function signedNeed(op: number, off: number): InsnNeed | null {
  const of = (feature: string, what: string) =>
    need(feature, what, { advice: COMPILE_V3, isAlways: false });
  if (op === ALU_OP.mov) {
    const isSigned = [8, 16, 32].includes(off);
    return isSigned ? of('move with sign extension', 'a move with sign extension') : null;
  }
  if (off !== 1) return null;
  if (op === ALU_OP.div) return of('signed division', 'a signed division');
  return op === ALU_OP.mod ? of('signed division', 'a signed modulo') : null;
}

const ATOMIC_NAMES: Readonly<Record<number, string>> = {
  [ATOMIC_OP.add]: 'add',
  [ATOMIC_OP.or]: 'or',
  [ATOMIC_OP.and]: 'and',
  [ATOMIC_OP.xor]: 'xor',
};

const ORDERED = 'load-acquire or store-release';
const EXCHANGE = 'atomic exchange';

function atomicNeed(insn: Insn): InsnNeed | null {
  const { imm } = insn;
  if (isLoadAcquire(insn)) return need(ORDERED, 'a load-acquire');
  if (imm === ATOMIC_OP.storeRelease) return need(ORDERED, 'a store-release');
  if (imm === ATOMIC_OP.xchg) return need(EXCHANGE, 'an atomic exchange');
  if (imm === ATOMIC_OP.cmpxchg) return need(EXCHANGE, 'an atomic compare-and-exchange');
  const name = ATOMIC_NAMES[imm & ~ATOMIC_OP.fetch];
  if (name === undefined || imm === ATOMIC_OP.add) return null;
  if ((imm & ATOMIC_OP.fetch) === 0) return need('bitwise atomic', `an atomic ${name}`);
  const advice =
    imm === (ATOMIC_OP.add | ATOMIC_OP.fetch)
      ? 'Do not use the result of __sync_fetch_and_add(): without it, the compiler makes the add that every kernel has.'
      : '';
  return need('atomic fetch', `an atomic fetch-and-${name}`, { advice });
}

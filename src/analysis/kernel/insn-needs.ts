/** Names instructions that not every kernel has, and the first version that has them. */
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
import { IMM64_VERSIONS, isAddrSpaceCast } from './insn-fields.ts';
import type { Version } from './version.ts';

/** An instruction that not every kernel has. */
export type InsnNeed = {
  /** The instruction as a noun with its article. */
  readonly what: string;
  /** The first version that has it; null if no kernel has it. */
  readonly since: Version | null;
  /** What to do for an older kernel, as a sentence; empty if nothing is known. */
  readonly advice: string;
};

const COMPILE_V3 = 'Compile with -mcpu=v3.';

/** Returns what an instruction needs; null if every kernel since 5.1 has it. */
export function insnNeed(insn: Insn): InsnNeed | null {
  const { opcode, srcReg, off } = insn;
  const of = (what: string, since: Version | null, advice = ''): InsnNeed => {
    return { what, since, advice };
  };
  switch (opcode) {
    case OPCODE.gotol:
      return of('a long jump (gotol)', '6.6', COMPILE_V3);
    case OPCODE.gotox:
      return of('a jump to an address in a register (gotox)', '6.19', COMPILE_V3);
    case OPCODE.mayGoto:
      return of('a may_goto', '6.9', 'Use bpf_loop() or a loop with a constant bound.');
    case OPCODE.callx:
      return of(
        'a call of an address in a register (callx)',
        null,
        'Call the function by its name, so that the compiler knows it.',
      );
    case OPCODE.call:
      return srcReg === CALL_SOURCE.pseudoKfuncCall ? of('a call of a kfunc', '5.13') : null;
    case OPCODE.ldImm64: {
      const since = IMM64_VERSIONS[srcReg];
      if (since === undefined || srcReg < IMM64_SOURCE.mapValue) return null;
      return of(IMM64_NAMES[srcReg] ?? 'an ld_imm64', since);
    }
  }
  const op = opOf(opcode);
  switch (insnClass(insn)) {
    case 'ldx':
      return modeOf(opcode) === MODE.memsx
        ? of('a load with sign extension', '6.6', COMPILE_V3)
        : null;
    case 'stx':
      return modeOf(opcode) === MODE.atomic ? atomicNeed(insn) : null;
    case 'alu64':
      if (isAddrSpaceCast(insn)) return of('an address space cast', '6.9');
      if (op === ALU_OP.end) return of('an unconditional byte swap', '6.6', COMPILE_V3);
      return signedNeed(op, off);
    case 'alu':
      return signedNeed(op, off);
    case 'jmp32':
      return of('a jump that compares 32 bits', '5.1', 'Compile with -mcpu=v2.');
    default:
      return null;
  }
}

/** Names of ld_imm64 by its source register. */
const IMM64_NAMES: Readonly<Record<number, string>> = {
  [IMM64_SOURCE.mapValue]: 'the address of a map value',
  [IMM64_SOURCE.btfId]: 'the address of a kernel symbol',
  [IMM64_SOURCE.func]: 'the address of a function',
  [IMM64_SOURCE.mapIdx]: 'a map by its index',
  [IMM64_SOURCE.mapIdxValue]: 'a map value by the index of its map',
};

function signedNeed(op: number, off: number): InsnNeed | null {
  const of = (what: string): InsnNeed => ({ what, since: '6.6', advice: COMPILE_V3 });
  if (op === ALU_OP.mov) return [8, 16, 32].includes(off) ? of('a move with sign extension') : null;
  if (off !== 1) return null;
  if (op === ALU_OP.div) return of('a signed division');
  return op === ALU_OP.mod ? of('a signed modulo') : null;
}

const ATOMIC_NAMES: Readonly<Record<number, string>> = {
  [ATOMIC_OP.add]: 'add',
  [ATOMIC_OP.or]: 'or',
  [ATOMIC_OP.and]: 'and',
  [ATOMIC_OP.xor]: 'xor',
};

function atomicNeed(insn: Insn): InsnNeed | null {
  const { imm } = insn;
  const of = (what: string, advice = ''): InsnNeed => ({ what, since: '5.12', advice });
  if (isLoadAcquire(insn)) return { what: 'a load-acquire', since: '6.15', advice: '' };
  if (imm === ATOMIC_OP.storeRelease) return { what: 'a store-release', since: '6.15', advice: '' };
  if (imm === ATOMIC_OP.xchg) return of('an atomic exchange');
  if (imm === ATOMIC_OP.cmpxchg) return of('an atomic compare-and-exchange');
  const name = ATOMIC_NAMES[imm & ~ATOMIC_OP.fetch];
  if (name === undefined || imm === ATOMIC_OP.add) return null;
  if ((imm & ATOMIC_OP.fetch) === 0) return of(`an atomic ${name}`);
  const advice =
    imm === (ATOMIC_OP.add | ATOMIC_OP.fetch)
      ? 'Do not use the result of __sync_fetch_and_add(): without it, the compiler makes the add that every kernel has.'
      : '';
  return of(`an atomic fetch-and-${name}`, advice);
}

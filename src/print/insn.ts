/**
 * Writes one BPF instruction as `llvm-objdump -d` of LLVM 19 does, without the `<symbol+0x8>` after
 * jumps. The tool rejects only some fields that must be zero, and does not know 32-bit fetching
 * atomics without a CPU option.
 */
import { signedHex } from '#bytes/text.ts';
import { type Insn, insnClass, isConditionalJump } from '#formats/bpf/insn.ts';
import {
  ALU_OP,
  ATOMIC_OP,
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

/** Text of an instruction; null if the instruction is invalid. */
type Text = string | null;

const UNKNOWN = '<unknown>';

/** Highest register that LLVM accepts: r11, a scratch register that programs must not use. */
const LAST_REGISTER = 11;

/** Text of an invalid register. A text that contains it belongs to an invalid instruction. */
const NO_REGISTER = '\0';

const ALU_SYMBOLS = new Map<number, string>([
  [ALU_OP.add, '+='],
  [ALU_OP.sub, '-='],
  [ALU_OP.mul, '*='],
  [ALU_OP.div, '/='],
  [ALU_OP.or, '|='],
  [ALU_OP.and, '&='],
  [ALU_OP.lsh, '<<='],
  [ALU_OP.rsh, '>>='],
  [ALU_OP.mod, '%='],
  [ALU_OP.xor, '^='],
  [ALU_OP.arsh, 's>>='],
]);

const JMP_SYMBOLS = new Map<number, string>([
  [JMP_OP.jeq, '=='],
  [JMP_OP.jgt, '>'],
  [JMP_OP.jge, '>='],
  [JMP_OP.jset, '&'],
  [JMP_OP.jne, '!='],
  [JMP_OP.jsgt, 's>'],
  [JMP_OP.jsge, 's>='],
  [JMP_OP.jlt, '<'],
  [JMP_OP.jle, '<='],
  [JMP_OP.jslt, 's<'],
  [JMP_OP.jsle, 's<='],
]);

const SIZE_BITS = new Map<number, number>([
  [SIZE.b, 8],
  [SIZE.h, 16],
  [SIZE.w, 32],
  [SIZE.dw, 64],
]);

/** By atomic operation: its operator, and its word in fetching variants. */
const ATOMICS = new Map<number, { readonly symbol: string; readonly word: string }>([
  [ATOMIC_OP.add, { symbol: '+=', word: 'add' }],
  [ATOMIC_OP.or, { symbol: '|=', word: 'or' }],
  [ATOMIC_OP.and, { symbol: '&=', word: 'and' }],
  [ATOMIC_OP.xor, { symbol: '^=', word: 'xor' }],
]);

/** Returns llvm-objdump's text, which may be `<unknown>`. `decimal`: `--print-imm-hex=false`. */
export function insnText(insn: Insn, decimal = false): string {
  const text = textOf(insn) ?? UNKNOWN;
  // The text contains no names: every match is a number.
  return decimal ? text.replace(/0x[0-9a-f]+/g, (digits) => `${BigInt(digits)}`) : text;
}

/** Returns llvm-objdump's text, or for newer instructions that of kernel/bpf/disasm.c. */
export function shownInsnText(insn: Insn): string {
  return newerText(insn) ?? insnText(insn);
}

function newerText(insn: Insn): Text {
  return known(insn, newerForm(insn));
}

function newerForm(insn: Insn): Text {
  if (insn.opcode === OPCODE.gotox) return `gotox ${register('r', insn.dstReg)}`;
  if (insnClass(insn) !== 'stx' || modeOf(insn.opcode) !== MODE.atomic) return null;
  const type = `u${SIZE_BITS.get(sizeOf(insn.opcode))}`;
  const dst = register('r', insn.dstReg);
  const src = register('r', insn.srcReg);
  switch (insn.imm) {
    case ATOMIC_OP.loadAcquire:
      return `${dst} = load_acquire((${type} *)(${address(insn.srcReg, insn.off)}))`;
    case ATOMIC_OP.storeRelease:
      return `store_release((${type} *)(${address(insn.dstReg, insn.off)}), ${src})`;
    default:
      return null;
  }
}

/** Returns the number of printed bytes: 16 for a valid ld_imm64, 1 if its end is cut, else 8. */
export function listedLength(insn: Insn): 1 | 8 | 16 {
  if (insn.opcode !== OPCODE.ldImm64 || !isValidLdImm64(insn)) return 8;
  return insn.truncated ? 1 : 16;
}

function textOf(insn: Insn): Text {
  return known(insn, formText(insn));
}

function known({ dstReg, srcReg }: Insn, text: Text): Text {
  const areRegisters = dstReg <= LAST_REGISTER && srcReg <= LAST_REGISTER;
  return areRegisters || text?.includes(NO_REGISTER) === false ? text : null;
}

function formText(insn: Insn): Text {
  switch (insnClass(insn)) {
    case 'alu':
      return aluText(insn, 'w');
    case 'alu64':
      return aluText(insn, 'r');
    case 'jmp':
      return jmpText(insn);
    case 'jmp32':
      return insn.opcode === OPCODE.gotol
        ? `gotol ${distance(insn.imm)}`
        : conditionText(insn, 'w');
    case 'ld':
      return ldText(insn);
    case 'ldx':
      return ldxText(insn);
    case 'st':
      return modeOf(insn.opcode) === MODE.mem ? `${memory(insn)} = ${signedHex(insn.imm)}` : null;
    case 'stx':
      return stxText(insn);
  }
}

function aluText(insn: Insn, prefix: RegisterPrefix): Text {
  const op = opOf(insn.opcode);
  const dst = register(prefix, insn.dstReg);
  switch (op) {
    case ALU_OP.neg:
      return sourceOf(insn.opcode) === SOURCE.k ? `${dst} = -${dst}` : null;
    case ALU_OP.end:
      return swapText(insn, prefix);
    case ALU_OP.mov:
      return movText(insn, prefix);
    case ALU_OP.div:
    case ALU_OP.mod: {
      if (insn.off !== 0 && insn.off !== 1) return null;
      const sign = insn.off === 1 ? 's' : '';
      return `${dst} ${sign}${ALU_SYMBOLS.get(op)} ${operand(insn, prefix)}`;
    }
    default: {
      const symbol = ALU_SYMBOLS.get(op);
      if (insn.off !== 0 || symbol === undefined) return null;
      return `${dst} ${symbol} ${operand(insn, prefix)}`;
    }
  }
}

/** Returns le, be or bswap. imm is the width; the register has 64 bits in all classes. */
function swapText(insn: Insn, prefix: RegisterPrefix): Text {
  if (insn.imm !== 16 && insn.imm !== 32 && insn.imm !== 64) return null;
  const toRegister = sourceOf(insn.opcode) === SOURCE.x;
  if (prefix === 'r' && toRegister) return null;
  const word = prefix === 'r' ? 'bswap' : toRegister ? 'be' : 'le';
  const dst = register('r', insn.dstReg);
  return `${dst} = ${word}${insn.imm} ${dst}`;
}

/** Returns a move. With a register, off is a width to sign-extend from, or 1 = addr_space_cast. */
function movText(insn: Insn, prefix: RegisterPrefix): Text {
  const dst = register(prefix, insn.dstReg);
  const source = operand(insn, prefix);
  if (insn.off === 0) return `${dst} = ${source}`;
  if (sourceOf(insn.opcode) === SOURCE.k) return null;
  if (insn.off === 8 || insn.off === 16 || (insn.off === 32 && prefix === 'r')) {
    return `${dst} = (s${insn.off})${source}`;
  }
  if (insn.off !== 1 || prefix !== 'r') return null;
  const toSpace = signedHex(insn.imm >>> 16);
  const fromSpace = signedHex(insn.imm & 0xffff);
  return `${dst} = addr_space_cast(${source}, ${toSpace}, ${fromSpace})`;
}

function jmpText(insn: Insn): Text {
  switch (insn.opcode) {
    case OPCODE.ja:
      return `goto ${distance(insn.off)}`;
    case OPCODE.mayGoto:
      return `may_goto ${distance(insn.off)}`;
    case OPCODE.call:
      return `call ${signedHex(insn.imm)}`;
    case OPCODE.callx:
      return `callx ${register('r', insn.dstReg)}`;
    case OPCODE.exit:
      return insn.imm === 0 ? 'exit' : null;
    default:
      return conditionText(insn, 'r');
  }
}

function conditionText(insn: Insn, prefix: RegisterPrefix): Text {
  if (!isConditionalJump(insn)) return null;
  const left = register(prefix, insn.dstReg);
  const right = operand(insn, prefix);
  const symbol = JMP_SYMBOLS.get(opOf(insn.opcode));
  return `if ${left} ${symbol} ${right} goto ${distance(insn.off)}`;
}

function ldText(insn: Insn): Text {
  if (insn.opcode === OPCODE.ldImm64) return ldImm64Text(insn);
  if (sizeOf(insn.opcode) === SIZE.dw) return null;
  const type = `u${SIZE_BITS.get(sizeOf(insn.opcode))}`;
  switch (modeOf(insn.opcode)) {
    case MODE.abs:
      return `r0 = *(${type} *)skb[${signedHex(insn.imm)}]`;
    case MODE.ind:
      return `r0 = *(${type} *)skb[${register('r', insn.srcReg)}]`;
    default:
      return null;
  }
}

/** With a `src_reg` (`BPF_PSEUDO_MAP_FD` …), only the low half of the constant is printed. */
function ldImm64Text(insn: Insn): Text {
  if (insn.truncated || !isValidLdImm64(insn)) return null;
  const dst = register('r', insn.dstReg);
  return insn.srcReg === 0
    ? `${dst} = ${signedHex(BigInt.asIntN(64, insn.imm64))} ll`
    : `ld_pseudo\t${dst}, ${signedHex(insn.srcReg)}, ${signedHex(insn.imm >>> 0)}`;
}

function isValidLdImm64(insn: Insn): boolean {
  return insn.off === 0 && insn.dstReg <= LAST_REGISTER;
}

function ldxText(insn: Insn): Text {
  const size = sizeOf(insn.opcode);
  const mode = modeOf(insn.opcode);
  const isSigned = mode === MODE.memsx;
  if (mode !== MODE.mem && (!isSigned || size === SIZE.dw)) return null;
  const type = `${isSigned ? 's' : 'u'}${SIZE_BITS.get(size)}`;
  const dst = register('r', insn.dstReg);
  return `${dst} = *(${type} *)(${address(insn.srcReg, insn.off)})`;
}

function stxText(insn: Insn): Text {
  switch (modeOf(insn.opcode)) {
    case MODE.mem:
      return `${memory(insn)} = ${register('r', insn.srcReg)}`;
    case MODE.atomic:
      return atomicText(insn);
    default:
      return null;
  }
}

/** Like the tool, use only the low eight bits of imm: the operation and the fetch flag. */
function atomicText(insn: Insn): Text {
  const size = sizeOf(insn.opcode);
  const op = insn.imm & 0xf0;
  const src = register('r', insn.srcReg);
  if (size === SIZE.w && op === ATOMIC_OP.add) return `lock ${memory(insn)} += ${src}`;
  if (size !== SIZE.dw) return null;
  const place = address(insn.dstReg, insn.off);
  switch (insn.imm & 0xff) {
    case ATOMIC_OP.xchg:
      return `${src} = xchg_64(${place}, ${src})`;
    case ATOMIC_OP.cmpxchg:
      return `r0 = cmpxchg_64(${place}, r0, ${src})`;
  }
  const atomic = ATOMICS.get(op);
  if (atomic === undefined) return null;
  return (insn.imm & 0x0f) === ATOMIC_OP.fetch
    ? `${src} = atomic_fetch_${atomic.word}((u64 *)(${place}), ${src})`
    : `lock ${memory(insn)} ${atomic.symbol} ${src}`;
}

function memory(insn: Insn): string {
  const type = `u${SIZE_BITS.get(sizeOf(insn.opcode))}`;
  return `*(${type} *)(${address(insn.dstReg, insn.off)})`;
}

function address(base: number, off: number): string {
  const sign = off < 0 ? '-' : '+';
  return `${register('r', base)} ${sign} ${signedHex(Math.abs(off))}`;
}

/** Returns the second operand: the immediate or the source register. */
function operand(insn: Insn, prefix: RegisterPrefix): string {
  return sourceOf(insn.opcode) === SOURCE.k ? signedHex(insn.imm) : register(prefix, insn.srcReg);
}

/** First letter of a register: `r` for all 64 bits, `w` for the low 32 bits. */
type RegisterPrefix = 'r' | 'w';

const REGISTERS = {
  r: Array.from({ length: LAST_REGISTER + 1 }, (_, number) => `r${number}`),
  w: Array.from({ length: LAST_REGISTER + 1 }, (_, number) => `w${number}`),
} as const;

function register(prefix: RegisterPrefix, number: number): string {
  return REGISTERS[prefix][number] ?? NO_REGISTER;
}

function distance(slots: number): string {
  return slots < 0 ? signedHex(slots) : `+${signedHex(slots)}`;
}

/** The fields of an instruction behind its opcode, as numbers and in a few words. */
import { signedHex } from '#bytes/signed-hex.ts';
import { type Insn, insnClass, isCall, isLdImm64, jumpTarget } from '#formats/bpf/insn.ts';
import { OPCODE, SOURCE, sourceOf } from '#formats/bpf/opcodes.ts';

export type EncodingRow = {
  /** As the kernel headers spell it. */
  readonly field: 'dst_reg' | 'src_reg' | 'off' | 'imm' | 'next imm' | 'imm64';
  readonly value: string;
  /** Empty where the number says it all. */
  readonly meaning: string;
};

/** Registers, off, imm; of a ld_imm64 also the second imm and both as one. */
export function encodingRows(insn: Insn): EncodingRow[] {
  const rows: EncodingRow[] = [
    { field: 'dst_reg', value: `${insn.dstReg}`, meaning: registerWords(insn.dstReg) },
    { field: 'src_reg', value: `${insn.srcReg}`, meaning: sourceWords(insn) },
    { field: 'off', value: number(insn.off), meaning: offWords(insn) },
    { field: 'imm', value: number(insn.imm), meaning: immWords(insn) },
  ];
  if (insn.length === 16) {
    rows.push({ field: 'next imm', value: number(insn.nextImm), meaning: 'the high half' });
    rows.push({ field: 'imm64', value: `0x${insn.imm64.toString(16)}`, meaning: 'both halves' });
  }
  return rows;
}

function registerWords(register: number): string {
  if (register === 10) return 'r10, the frame pointer';
  return register < 10 ? `r${register}` : 'no such register';
}

/** `src_reg` of a ld_imm64 (`BPF_PSEUDO_*` in include/uapi/linux/bpf.h): what the constant stands for. */
const LD_IMM64_SOURCES = [
  'a plain constant',
  'BPF_PSEUDO_MAP_FD: a map by file descriptor',
  'BPF_PSEUDO_MAP_VALUE: a value of a map',
  'BPF_PSEUDO_BTF_ID: a kernel variable by BTF id',
  'BPF_PSEUDO_FUNC: a BPF function',
  'BPF_PSEUDO_MAP_IDX: a map by index',
  'BPF_PSEUDO_MAP_IDX_VALUE: a value of a map by index',
] as const;

const CALL_SOURCES = [
  'a helper by number',
  'BPF_PSEUDO_CALL: a function of this program',
  'BPF_PSEUDO_KFUNC_CALL: a kernel function',
] as const;

function sourceWords(insn: Insn): string {
  const { srcReg } = insn;
  if (isLdImm64(insn)) return LD_IMM64_SOURCES[srcReg] ?? 'not known';
  if (isCall(insn)) return CALL_SOURCES[srcReg] ?? 'not known';
  switch (insnClass(insn)) {
    case 'ldx':
    case 'stx':
      return registerWords(srcReg);
    case 'ld':
    case 'st':
      return srcReg === 0 ? '' : 'unused';
    default:
      return sourceOf(insn.opcode) === SOURCE.x ? registerWords(srcReg) : '';
  }
}

function offWords(insn: Insn): string {
  switch (insnClass(insn)) {
    case 'ldx':
      return `bytes from r${insn.srcReg}`;
    case 'st':
    case 'stx':
      return `bytes from r${insn.dstReg}`;
    case 'jmp':
    case 'jmp32': {
      const target = insn.opcode === OPCODE.gotol || isCall(insn) ? null : jumpTarget(insn);
      return target === null ? '' : `slots to instruction ${target / 8}`;
    }
    default:
      return '';
  }
}

function immWords(insn: Insn): string {
  if (insn.length === 16) return 'the low half';
  const target = insn.opcode === OPCODE.gotol || isCall(insn) ? jumpTarget(insn) : null;
  return target === null ? '' : `slots to instruction ${target / 8}`;
}

/** `42 (0x2a)`; small numbers read the same in both. */
function number(value: number): string {
  if (value > -10 && value < 10) return `${value}`;
  return `${value} (${signedHex(value)})`;
}

/** Terms of BPF instructions. */
import { firstInsn, insnField, relocatedInsn } from './find-objects.ts';
import { bytes, flow, type Picture, record, word } from './picture.ts';
import { kernelBpf, rfc9669 } from './sources.ts';
import type { TermCard } from './term.ts';

const BASIC = rfc9669('3.1', 'Basic Instruction Encoding');
const IMM64 = rfc9669('5.4', '64-bit Immediate Instructions');

function insn(lit: string): Picture {
  return record('one instruction', 'opcode:1 regs:1 off:2 imm:4', lit);
}

export const INSTRUCTION_CARDS: readonly TermCard[] = [
  {
    id: 'insn',
    says: [
      'An instruction has eight bytes: an opcode, two registers, a 16-bit off and a 32-bit imm.',
      'Only ld_imm64 takes two slots, and jumps count slots.',
    ],
    picture: insn('opcode'),
    source: BASIC,
    related: ['opcode', 'dst-src', 'off', 'imm', 'ld-imm64'],
    find: firstInsn,
  },
  {
    id: 'opcode',
    says: [
      'The first byte is the operation; its low three bits are the class, such as ALU64, JMP or LDX.',
      'The other bits are the operation and the operand source for arithmetic and jumps, the mode and the size for loads and stores.',
    ],
    picture: word(8, 'operation:4 source:1 class:3', 'class'),
    source: rfc9669('3.3', 'Instruction Classes'),
    related: ['insn', 'imm', 'off'],
    find: insnField(0, 1),
  },
  {
    id: 'dst-src',
    says: [
      'Two registers of four bits each: dst receives the result, src is the operand or the address of a load; in a store dst is the address.',
      'In big-endian objects the two halves of the byte are swapped.',
    ],
    picture: word(8, 'src:4 dst:4', 'dst'),
    source: BASIC,
    related: ['insn', 'pseudo-src', 'endianness'],
    find: insnField(1, 1),
  },
  {
    id: 'off',
    says: [
      'A signed 16-bit number: for loads and stores the offset in bytes from a register, for jumps the number of slots.',
      'In loads and stores CO-RE patches the offset of a field here, so it must not exceed 32767.',
    ],
    picture: insn('off'),
    source: BASIC,
    related: ['insn', 'byte-off', 'imm'],
    find: insnField(2, 2),
  },
  {
    id: 'imm',
    says: [
      'A signed 32-bit number: a constant operand, the number of a helper, or the distance to a function.',
      'Code relocations patch it; so does CO-RE in arithmetic and in ld_imm64.',
    ],
    picture: insn('imm'),
    source: BASIC,
    related: ['insn', 'ld-imm64', 'off'],
    find: insnField(4, 4),
  },
  {
    id: 'ld-imm64',
    says: [
      'The only 16-byte instruction: it loads a 64-bit constant, the low half from its imm, the high half from the imm of its second slot.',
      'Programs load the addresses of maps and variables with it.',
    ],
    picture: bytes('18 01 00 00 08 00 00 00 00 00 00 00 00 00 00 00', 0, 16, 'r1 = 8 ll'),
    source: rfc9669('3.2', 'Wide Instruction Encoding'),
    related: ['reloc-64-64', 'pseudo-src', 'imm'],
    find: relocatedInsn(1),
  },
  {
    id: 'pseudo-src',
    says: [
      'In ld_imm64, src is the meaning of the constant: 0 a number, 1 a map, 2 an address in its value, 3 a variable, 4 the code of a function.',
      '5 and 6 are 1 and 2 with the index of the map in a list; the compiler writes 0, libbpf sets it when it resolves the relocation.',
    ],
    picture: bytes(
      '18 11 00 00 05 00 00 00 00 00 00 00 00 00 00 00',
      1,
      2,
      'src 1: imm is the file descriptor of a map',
    ),
    source: IMM64,
    related: ['ld-imm64', 'map', 'ksyms', 'global-data'],
    find: relocatedInsn(1),
  },
  {
    id: 'pseudo-call',
    says: [
      'A call with src 1 calls another function of the program; imm is the distance in slots.',
      'With src 0 imm is the number of a helper, with src 2 the BTF id of a kfunc.',
    ],
    picture: bytes('85 10 00 00 ff ff ff ff', 1, 2, 'src 1: a call inside the program'),
    source: rfc9669('4.3.2', 'Program-Local Functions'),
    related: ['helper', 'kfunc', 'reloc-64-32'],
    find: relocatedInsn(10),
  },
  {
    id: 'helper',
    says: [
      'A kernel function that programs call by a fixed number, such as 1 for bpf_map_lookup_elem.',
      'The number is the imm of a call with src 0, so helpers need no relocation.',
    ],
    picture: bytes('85 00 00 00 01 00 00 00', 4, 8, 'imm 1: bpf_map_lookup_elem'),
    source: rfc9669('4.3.1', 'Helper Functions'),
    related: ['kfunc', 'pseudo-call'],
    find: null,
  },
  {
    id: 'kfunc',
    says: [
      'A kernel function that programs call by its BTF id, which libbpf looks up by name at load time.',
      'Objects declare it extern in .ksyms; other kernel versions may not have it.',
    ],
    picture: flow(['extern __ksym', 'FUNC in vmlinux', 'call, src 2'], 1),
    source: kernelBpf('BPF Kernel Functions (kfuncs)', '1 Introduction', 'kfuncs'),
    related: ['ksyms', 'btf-ids', 'helper'],
    find: null,
  },
];

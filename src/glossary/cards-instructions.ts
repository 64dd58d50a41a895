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
      'An instruction takes a slot of eight bytes: an opcode, two registers, a 16-bit off and a 32-bit imm.',
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
      'The first byte says what is done: the low three bits are the class, such as ALU64, JMP or LDX.',
      'Of arithmetic and jumps the rest is an operation and where the operand comes from, and of loads and stores a mode and a size.',
    ],
    picture: word(8, 'operation:4 source:1 class:3', 'class'),
    source: rfc9669('3.3', 'Instruction Classes'),
    related: ['insn', 'imm', 'off'],
    find: insnField(0, 1),
  },
  {
    id: 'dst-src',
    says: [
      'Two registers in one byte, four bits each: dst takes the result, src is the operand or where a load reads.',
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
      'A signed 16-bit number: of a load or store the distance in bytes from the address in a register, of a jump the number of slots to go.',
      'CO-RE writes the place of a field here in loads and stores, so it must not go above 32767.',
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
      'Relocations of code write here, and so does CO-RE in arithmetic and in ld_imm64.',
    ],
    picture: insn('imm'),
    source: BASIC,
    related: ['insn', 'ld-imm64', 'off'],
    find: insnField(4, 4),
  },
  {
    id: 'ld-imm64',
    says: [
      'The one instruction of sixteen bytes: it puts a 64-bit constant into a register, the low half from its imm and the high half from that of its second slot.',
      'Addresses of maps and variables come into a program by it.',
    ],
    picture: bytes('18 01 00 00 08 00 00 00 00 00 00 00 00 00 00 00', 0, 16, 'r1 = 8 ll'),
    source: rfc9669('3.2', 'Wide Instruction Encoding'),
    related: ['reloc-64-64', 'pseudo-src', 'imm'],
    find: relocatedInsn(1),
  },
  {
    id: 'pseudo-src',
    says: [
      'In a ld_imm64 the src field is no register but says what the constant is: 0 a number, 1 a map, 2 a place in the value of a map, 3 a variable of the kernel.',
      'The compiler leaves 0, and libbpf sets it when it resolves the relocation.',
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
      'A call with src 1 goes to another function of the program, and imm is the distance to it in slots.',
      'With src 0 the imm is the number of a helper, and with src 2 it is the BTF id of a kfunc.',
    ],
    picture: bytes('85 10 00 00 ff ff ff ff', 1, 2, 'src 1: a call inside the program'),
    source: rfc9669('4.3.2', 'Program-Local Functions'),
    related: ['helper', 'kfunc', 'reloc-64-32'],
    find: relocatedInsn(10),
  },
  {
    id: 'helper',
    says: [
      'A function that the kernel offers to programs under a fixed number, such as 1 for bpf_map_lookup_elem.',
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
      'A function of the kernel that programs may call by its BTF id, found by name when the program is loaded.',
      'An object declares it extern in .ksyms, and nothing promises that the next kernel has it.',
    ],
    picture: flow(['extern __ksym', 'FUNC in vmlinux', 'call, src 2'], 1),
    source: kernelBpf('BPF Kernel Functions (kfuncs)', '1 Introduction', 'kfuncs'),
    related: ['ksyms', 'btf-ids', 'helper'],
    find: null,
  },
];

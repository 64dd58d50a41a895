/** Terms of ELF relocations, and their types in BPF objects. */
import { AddendSource } from '#model/relocations.ts';
import { bpfRelocation, relocationField, relocationWhere } from './find-objects.ts';
import { bytes, flow, record, word } from './picture.ts';
import { gabi, llvmReloc, RELOCATION_TYPES } from './sources.ts';
import type { TermCard } from './term.ts';

const ENTRY = gabi('Relocation', 'reloc');
const RECORD = llvmReloc('Relocation Record');

export const RELOCATION_CARDS: readonly TermCard[] = [
  {
    id: 'rel',
    says: [
      'An entry of a REL section has the place and the symbol; the addend is in the patched bytes.',
      'BPF objects use only REL.',
    ],
    picture: record('Elf64_Rel', 'r_offset:8 r_info:8', 'r_info'),
    source: ENTRY,
    related: ['rela', 'r-offset', 'r-info', 'addend'],
    find: relocationWhere(
      ({ format, relocations }, row) =>
        format === 'elf' && relocations.addendSource[row] === AddendSource.implicit,
    ),
  },
  {
    id: 'rela',
    says: [
      'An entry of a RELA section has the addend as a third field.',
      'Kernel modules use RELA on most machines; BPF objects do not.',
    ],
    picture: record('Elf64_Rela', 'r_offset:8 r_info:8 r_addend:8', 'r_addend'),
    source: ENTRY,
    related: ['rel', 'addend'],
    find: relocationWhere(
      ({ format, relocations }, row) =>
        format === 'elf' && relocations.addendSource[row] === AddendSource.explicit,
    ),
  },
  {
    id: 'r-offset',
    says: [
      'The place to patch, in bytes from the start of the patched section.',
      'For an instruction it is the start of the instruction; the type selects its imm.',
    ],
    picture: record('Elf64_Rel', 'r_offset:8 r_info:8', 'r_offset'),
    source: RECORD,
    related: ['rel', 'r-info', 'sh-info'],
    find: relocationField(0, 8),
  },
  {
    id: 'r-info',
    says: [
      'The symbol index in the upper 32 bits, the relocation type in the lower 32.',
      'In 32-bit files the index has 24 bits and the type 8.',
    ],
    picture: word(64, 'symbol:32 type:32', 'symbol'),
    source: RECORD,
    related: ['rel', 'symbol', 'r-offset'],
    find: relocationField(8, 8),
  },
  {
    id: 'addend',
    says: [
      'The number that is added to the value of the symbol; relocation formulas call it A.',
      'In BPF objects it is in the patched bytes: 0 for most global symbols, an offset if the symbol is a section.',
    ],
    picture: flow(['S symbol', '+ A addend', 'written'], 1),
    source: RECORD,
    related: ['rel', 'rela', 'st-value'],
    find: relocationWhere(
      ({ format, relocations }, row) => format === 'elf' && relocations.addend[row] !== 0n,
    ),
  },
  {
    id: 'reloc-none',
    says: [
      'Type 0, a relocation that changes nothing.',
      'Linkers may use it as a dependency between sections.',
    ],
    picture: word(64, 'symbol:32 type:32', 'type'),
    source: RELOCATION_TYPES,
    related: ['r-info', 'rel'],
    find: null,
  },
  {
    id: 'reloc-64-64',
    says: [
      'Type 1 writes S + A into the imm of a ld_imm64, for a map, a variable or a function: 32 bits, so that LLVM enforces offsets in a section of at most UINT32_MAX.',
      'libbpf selects by the symbol’s section: it writes the file descriptor of a map, and for a variable the offset into the second half.',
    ],
    picture: bytes(
      '18 01 00 00 00 00 00 00 00 00 00 00 00 00 00 00',
      4,
      8,
      'imm: 32 bits at r_offset + 4',
    ),
    source: RELOCATION_TYPES,
    related: ['ld-imm64', 'map', 'global-data'],
    find: bpfRelocation(1),
  },
  {
    id: 'reloc-abs64',
    says: [
      'Type 2 writes S + A into 64 bits of data.',
      'Examples: an initialised pointer in .data, a function of a struct_ops map.',
    ],
    picture: bytes('00 00 00 00 00 00 00 00', 0, 8, '64 bits at r_offset'),
    source: RELOCATION_TYPES,
    related: ['reloc-abs32', 'global-data'],
    find: bpfRelocation(2),
  },
  {
    id: 'reloc-abs32',
    says: ['Type 3 writes S + A into 32 bits of data.', 'Most are in DWARF; libbpf ignores those.'],
    picture: bytes('00 00 00 00', 0, 4, '32 bits at r_offset'),
    source: RELOCATION_TYPES,
    related: ['reloc-abs64', 'reloc-nodyld32'],
    find: bpfRelocation(3),
  },
  {
    id: 'reloc-nodyld32',
    says: [
      'Type 4 writes S + A into 32 bits as type 3 does, but in .BTF and .BTF.ext only: offsets of variables and of instructions.',
      'It has its own type since these offsets must not become addresses.',
    ],
    picture: bytes('00 00 00 00', 0, 4, '32 bits at r_offset'),
    source: RELOCATION_TYPES,
    related: ['btf-ext', 'var-secinfo', 'reloc-abs32'],
    find: bpfRelocation(4),
  },
  {
    id: 'reloc-64-32',
    says: [
      'Type 10 writes (S + A) / 8 − 1 into the imm of a call.',
      'This is the distance to the callee in instructions, from the one after the call.',
    ],
    picture: bytes('85 10 00 00 ff ff ff ff', 4, 8, 'imm: 32 bits at r_offset + 4'),
    source: RELOCATION_TYPES,
    related: ['pseudo-call', 'kfunc', 'addend'],
    find: bpfRelocation(10),
  },
];

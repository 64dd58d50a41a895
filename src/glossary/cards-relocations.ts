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
      'An entry of a REL section says where to patch and by which symbol, and leaves the addend in the bytes that are patched.',
      'BPF objects have only such entries.',
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
      'An entry of a RELA section brings its addend along, as a third field.',
      'Kernel modules of most machines have such entries, and BPF objects have none.',
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
      'Where to patch: bytes from the start of the section that is patched.',
      'For an instruction it is the start of its eight bytes, and the type says that the imm in them is meant.',
    ],
    picture: record('Elf64_Rel', 'r_offset:8 r_info:8', 'r_offset'),
    source: RECORD,
    related: ['rel', 'r-info', 'sh-info'],
    find: relocationField(0, 8),
  },
  {
    id: 'r-info',
    says: [
      'The number of the symbol in the upper 32 bits, and the type of the relocation in the lower 32.',
      'In 32-bit files the number takes 24 bits and the type 8.',
    ],
    picture: word(64, 'symbol:32 type:32', 'symbol'),
    source: RECORD,
    related: ['rel', 'symbol', 'r-offset'],
    find: relocationField(8, 8),
  },
  {
    id: 'addend',
    says: [
      'What is added to the value of the symbol; relocations call it A.',
      'In BPF objects it stands in the bytes that are patched: 0 for most global symbols, and an offset where the symbol is a whole section.',
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
      'Linkers may take it for a note that one section needs another.',
    ],
    picture: word(64, 'symbol:32 type:32', 'type'),
    source: RELOCATION_TYPES,
    related: ['r-info', 'rel'],
    find: null,
  },
  {
    id: 'reloc-64-64',
    says: [
      'Type 1 fills the imm of a ld_imm64 with S + A: the place of a map, of a variable or of a function.',
      'libbpf looks at the symbol’s section to tell which, and writes the file descriptor of a map there, and for a variable its offset into the second half.',
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
      'Type 2 fills 64 bits of ordinary data with S + A.',
      'An initialised pointer in .data is one, and so is each function of a struct_ops map.',
    ],
    picture: bytes('00 00 00 00 00 00 00 00', 0, 8, '64 bits at r_offset'),
    source: RELOCATION_TYPES,
    related: ['reloc-abs32', 'global-data'],
    find: bpfRelocation(2),
  },
  {
    id: 'reloc-abs32',
    says: [
      'Type 3 fills 32 bits of ordinary data with S + A.',
      'DWARF has most of them, and libbpf leaves all of those alone.',
    ],
    picture: bytes('00 00 00 00', 0, 4, '32 bits at r_offset'),
    source: RELOCATION_TYPES,
    related: ['reloc-abs64', 'reloc-nodyld32'],
    find: bpfRelocation(3),
  },
  {
    id: 'reloc-nodyld32',
    says: [
      'Type 4 is for 32 bits in .BTF and .BTF.ext: offsets of variables and of instructions.',
      'It must never become a real address, which is why it is a type of its own.',
    ],
    picture: bytes('00 00 00 00', 0, 4, '32 bits at r_offset'),
    source: RELOCATION_TYPES,
    related: ['btf-ext', 'var-secinfo', 'reloc-abs32'],
    find: bpfRelocation(4),
  },
  {
    id: 'reloc-64-32',
    says: [
      'Type 10 fills the imm of a call with (S + A) / 8 − 1.',
      'That is the distance to the callee, counted in instructions from the one behind the call.',
    ],
    picture: bytes('85 10 00 00 ff ff ff ff', 4, 8, 'imm: 32 bits at r_offset + 4'),
    source: RELOCATION_TYPES,
    related: ['pseudo-call', 'kfunc', 'addend'],
    find: bpfRelocation(10),
  },
];

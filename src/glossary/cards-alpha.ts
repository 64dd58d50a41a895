/** Terms of Alpha eCOFF objects and their relocations. */
import { COMPACT_TYPE } from '#model/relocations.ts';
import { ecoffRelocation, relocationWhere } from './find-objects.ts';
import { headerField } from './find-records.ts';
import { flow, record, word } from './picture.ts';
import { tru64 } from './sources.ts';
import type { TermCard } from './term.ts';

const ENTRY = tru64('4.2.1 Relocation Entry');
const EXPRESSIONS = tru64('4.3.3.5 Relocation Stack Expressions');

function entry(lit: string) {
  return record('struct reloc', 'r_vaddr:8 r_symndx:4 r_type…:4', lit);
}

export const ALPHA_CARDS: readonly TermCard[] = [
  {
    id: 'gp',
    says: [
      'The global pointer: a register that leads into the middle of a table of addresses, 64 KB of which it reaches.',
      'Each object states the gp that its code was made for, and linking adds the difference to the new one everywhere.',
    ],
    picture: flow(['gp_value', '± 32 KB', '.lita'], 0),
    source: tru64('4.3.3.2 GP-Relative Relocations'),
    related: ['gpdisp', 'literal', 'gpvalue'],
    find: headerField('optional header', 'gp_value'),
  },
  {
    id: 'r-vaddr',
    says: [
      'The address of what is relocated, as the object itself counts addresses.',
      'In OP_PUSH and OP_PSUB entries it is no place but the operand.',
    ],
    picture: entry('r_vaddr'),
    source: ENTRY,
    related: ['r-symndx', 'stack-expression', 'r-offset'],
    find: ecoffRelocation(1, 2, 4, 6, 7),
  },
  {
    id: 'r-symndx',
    says: [
      'Where r_extern is 1, the number of an external symbol, and where it is 0, the number of a section.',
      'Some types put other things here: GPDISP the distance to its partner, LITUSE what sort of use it is.',
    ],
    picture: entry('r_symndx'),
    source: ENTRY,
    related: ['r-vaddr', 'gpdisp', 'lituse'],
    find: ecoffRelocation(1, 2, 4, 6, 7),
  },
  {
    id: 'refquad',
    says: [
      'Adds an address to a word of 64 bits, and REFLONG to one of 32.',
      'Every slot of .lita has one, since each holds a full address.',
    ],
    picture: word(64, 'address:64', 'address'),
    source: tru64('4.3.4.3 R_REFQUAD'),
    related: ['literal', 'reloc-abs64'],
    find: ecoffRelocation(2, 1),
  },
  {
    id: 'literal',
    says: [
      'Marks a load of an address out of .lita by its distance from gp, in the low 16 bits of the instruction.',
      'The LITUSE entries behind it tell how the address is used.',
    ],
    picture: word(32, 'opcode:6 ra:5 gp:5 displacement:16', 'displacement'),
    source: tru64('4.3.4.5 R_LITERAL'),
    related: ['lituse', 'gp', 'refquad'],
    find: ecoffRelocation(4),
  },
  {
    id: 'lituse',
    says: [
      'Marks an instruction that uses an address which a LITERAL has loaded: as a base, as a byte offset, or to jump to.',
      'It patches nothing, but lets the linker replace the pair by one instruction where the target is near.',
    ],
    picture: flow(['LITERAL: ldq', 'LITUSE: ldl', 'LITUSE: jsr'], 1),
    source: tru64('4.3.4.6 R_LITUSE: R_LU_BASE'),
    related: ['literal', 'hint', 'r-symndx'],
    find: ecoffRelocation(5),
  },
  {
    id: 'gpdisp',
    says: [
      'A pair of instructions, ldah and lda, that works gp out from the address of the procedure.',
      'The entry stands at the one and names the other by its distance, and both halves of the displacement are patched together.',
    ],
    picture: flow(['address', 'ldah: high 16', 'lda: low 16', 'gp'], 1),
    source: tru64('4.3.4.8 R_GPDISP'),
    related: ['gp', 'gprel', 'r-symndx'],
    find: ecoffRelocation(6),
  },
  {
    id: 'braddr',
    says: [
      'The target of a branch, in the low 21 bits of the instruction.',
      'It is a distance in instructions from the one behind the branch.',
    ],
    picture: word(32, 'opcode:6 ra:5 displacement:21', 'displacement'),
    source: tru64('4.3.4.9 R_BRADDR'),
    related: ['hint', 'reloc-64-32'],
    find: ecoffRelocation(7),
  },
  {
    id: 'hint',
    says: [
      'A guess at the target of a jump, in the low 14 bits of the instruction, from which the processor begins to fetch.',
      'A wrong one costs time and nothing else, so what does not fit is cut off.',
    ],
    picture: word(32, 'opcode:6 ra:5 rb:5 _:2 hint:14', 'hint'),
    source: tru64('4.3.4.10 R_HINT'),
    related: ['braddr', 'lituse'],
    find: ecoffRelocation(8),
  },
  {
    id: 'gpvalue',
    says: [
      'From its address on code goes by another gp: the one of the header plus the number in r_symndx.',
      'Objects that several were linked into have it where one table of addresses did not suffice.',
    ],
    picture: flow(['gp of header', '+ r_symndx', 'gp from here on'], 1),
    source: tru64('4.3.4.18 R_GPVALUE'),
    related: ['gp', 'r-symndx'],
    find: ecoffRelocation(16),
  },
  {
    id: 'gprel',
    says: [
      'A distance from gp in two halves: GPRELHIGH is patched into a ldah, GPRELLOW into the instructions that go on from it.',
      'The low half is signed, so the high one is rounded to make up for it.',
    ],
    picture: flow(['gp', 'ldah: high 16', 'low 16', 'address'], 1),
    source: tru64('4.3.4.19 R_GPRELHIGH'),
    related: ['gp', 'gpdisp'],
    find: ecoffRelocation(17, 18),
  },
  {
    id: 'stack-expression',
    says: [
      'A row of entries that the linker works off on a stack: OP_PUSH puts an address there, OP_PSUB subtracts, OP_PRSHIFT shifts right.',
      'An OP_STORE ends it and writes what is left.',
    ],
    picture: flow(['OP_PUSH a', 'OP_PSUB b', 'OP_PRSHIFT 2', 'OP_STORE'], 0),
    source: EXPRESSIONS,
    related: ['op-store', 'r-vaddr'],
    find: ecoffRelocation(12),
  },
  {
    id: 'op-store',
    says: [
      'Takes the top of the stack and writes its low bits into a field of a 64-bit word.',
      'The field begins at bit r_offset and has r_size bits.',
    ],
    picture: word(64, '_:40 r_size:16 r_offset:8', 'r_size'),
    source: tru64('4.3.4.15 R_OP_STORE'),
    related: ['stack-expression', 'r-vaddr'],
    find: ecoffRelocation(13),
  },
  {
    id: 'compact-relocations',
    says: [
      'A shorter form of relocations that linked files may keep in .comment, eight bytes each.',
      'What a tool can guess from the code is left out, and records are there for the rest only.',
    ],
    picture: word(32, '…:10 count:12 rel_scn:5 type:5', 'type'),
    source: tru64('4.4 Compact Relocations'),
    related: ['r-vaddr', 'gpdisp'],
    find: relocationWhere(
      ({ format, relocations }, row) =>
        format === 'ecoff' && (relocations.type[row] ?? 0) >= COMPACT_TYPE,
    ),
  },
];

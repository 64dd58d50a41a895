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
    id: 'alpha-relocation',
    says: [
      'Relocation finds and updates the storage that must change when object files become an executable.',
      'Compilers and assemblers write the entries, and the linker adjusts the addresses once it has placed all segments.',
    ],
    picture: flow(['object files', 'ld: relocation', 'executable'], 1),
    source: tru64('4 Relocation'),
    related: ['relocation-forms', 'section-relocations', 'relocatable-object'],
    find: ecoffRelocation(1, 2, 4, 6, 7),
  },
  {
    id: 'relocation-forms',
    says: [
      'Relocations have three representations: the entries of sections, compact relocations in .comment, and dynamic relocations in .rel.dyn.',
      'Relocatable objects have the first, linked executables the second, and shared objects the third.',
    ],
    picture: flow(['entries', 'compact', '.rel.dyn'], 0),
    source: tru64('4 Relocation'),
    related: ['section-relocations', 'compact-relocations', 'dynamic-relocation-alpha'],
    find: null,
  },
  {
    id: 'section-relocations',
    says: [
      'Entries are grouped by the section whose raw data they patch: s_relptr of its header is their file offset, s_nreloc their number.',
      'The order of headers need not be that of raw data or of entries: only the pointers of a header tell where they are.',
    ],
    picture: flow(['section header', 's_relptr', 'entries'], 1),
    source: tru64('4.2.3 Section Header'),
    related: ['alpha-relocation', 'r-vaddr', 'errata-overflow'],
    find: null,
  },
  {
    id: 'gp',
    says: [
      'The global pointer: a register with an address just under 32 KB behind the start of .lita, so that signed displacements of 16 bits reach 64 KB of addresses.',
      'Each object states the gp of its code; linking corrects every use by the difference between that and the new gp.',
    ],
    picture: flow(['gp_value', '± 32 KB', '.lita'], 0),
    source: tru64('4.3.3.2 GP-Relative Relocations'),
    related: ['gpdisp', 'literal', 'gpvalue'],
    find: headerField('optional header', 'gp_value'),
  },
  {
    id: 'r-vaddr',
    says: [
      'The address of the relocated bytes, in the object’s own addresses.',
      'In OP_PUSH, OP_PSUB and OP_PRSHIFT entries it is the operand, 0 if that is an external symbol; in a GPVALUE entry it is where the new gp begins.',
    ],
    picture: entry('r_vaddr'),
    source: ENTRY,
    related: ['r-symndx', 'stack-expression', 'r-offset'],
    find: ecoffRelocation(1, 2, 4, 6, 7),
  },
  {
    id: 'r-symndx',
    says: [
      'If r_extern is 1, the index of an external symbol; if it is 0, the number of a section.',
      'Some types use it differently: GPDISP for the distance to the second instruction, LITUSE for the kind of use.',
    ],
    picture: entry('r_symndx'),
    source: ENTRY,
    related: ['r-vaddr', 'gpdisp', 'lituse'],
    find: ecoffRelocation(1, 2, 4, 6, 7),
  },
  {
    id: 'local-entry',
    says: [
      'An entry with r_extern 0: r_symndx is the number of the section that the target item is in.',
      'Its value is how far that section moves: its new address minus its address in the object.',
    ],
    picture: flow(['r_symndx', 'section', 'new − old address', '[r_vaddr]'], 2),
    source: tru64('4.3.2.1 Local and External Entries'),
    related: ['external-entry', 'r-symndx', 'new-scn-addr'],
    find: relocationWhere(
      ({ format, relocations: { type, symbol } }, row) =>
        format === 'ecoff' && [1, 2].includes(type[row] ?? 0) && (symbol[row] ?? -1) < 0,
    ),
  },
  {
    id: 'external-entry',
    says: [
      'An entry with r_extern 1: r_symndx is the index of an external symbol; only such an entry can name an undefined one.',
      'Its value is the address of the symbol at run time, so that an undefined symbol must be resolved first.',
    ],
    picture: flow(['r_symndx', 'symbol', 'its address', '[r_vaddr]'], 2),
    source: tru64('4.3.2.1 Local and External Entries'),
    related: ['local-entry', 'r-symndx', 'target-item'],
    find: relocationWhere(
      ({ format, relocations: { type, symbol } }, row) =>
        format === 'ecoff' && [1, 2].includes(type[row] ?? 0) && (symbol[row] ?? -1) >= 0,
    ),
  },
  {
    id: 'refquad',
    says: [
      'Adjusts an address that is stored in 64 bits, and REFLONG one in 32; it may be unaligned.',
      'Every slot of .lita has one, since each contains an address.',
    ],
    picture: word(64, 'address:64', 'address'),
    source: tru64('4.3.4.3 R_REFQUAD'),
    related: ['literal', 'reloc-abs64'],
    find: ecoffRelocation(2, 1),
  },
  {
    id: 'literal',
    says: [
      'Marks a load of an address from .lita, by its distance from gp in the low 16 bits of the instruction.',
      'LITUSE entries, if any, follow directly and state how the address is used.',
    ],
    picture: word(32, 'opcode:6 ra:5 gp:5 displacement:16', 'displacement'),
    source: tru64('4.3.4.5 R_LITERAL'),
    related: ['lituse', 'gp', 'refquad'],
    find: ecoffRelocation(4),
  },
  {
    id: 'lituse',
    says: [
      'Marks an instruction that uses the address of a LITERAL: as a base, as a jump target, or as a byte offset, which is not to be used.',
      'It patches nothing; the linker may replace the pair by one instruction if the target is near.',
    ],
    picture: flow(['LITERAL: ldq', 'LITUSE: ldl', 'LITUSE: jsr'], 1),
    source: tru64('4.3.4.6 R_LITUSE: R_LU_BASE'),
    related: ['literal', 'hint', 'r-symndx'],
    find: ecoffRelocation(5),
  },
  {
    id: 'gpdisp',
    says: [
      'A pair of instructions, ldah and lda, that computes gp from the address of the procedure, or after a call from the return address.',
      'The entry has the address of the first, which may be either, and the distance to the second; both halves of the displacement are patched.',
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
      'It is the distance in instructions from the one after the branch.',
    ],
    picture: word(32, 'opcode:6 ra:5 displacement:21', 'displacement'),
    source: tru64('4.3.4.9 R_BRADDR'),
    related: ['hint', 'reloc-64-32'],
    find: ecoffRelocation(7),
  },
  {
    id: 'hint',
    says: [
      'The predicted target of a jump, in the low 14 bits of the instruction, for branch prediction.',
      'A wrong hint only costs time, so larger values are truncated.',
    ],
    picture: word(32, 'opcode:6 ra:5 rb:5 _:2 hint:14', 'hint'),
    source: tru64('4.3.4.10 R_HINT'),
    related: ['braddr', 'lituse'],
    find: ecoffRelocation(8),
  },
  {
    id: 'gpvalue',
    says: [
      'From this address on, another gp holds: the gp of the header plus r_symndx.',
      'A partial link inserts it where one address table is not enough.',
    ],
    picture: flow(['gp of header', '+ r_symndx', 'gp from here on'], 1),
    source: tru64('4.3.4.18 R_GPVALUE'),
    related: ['gp', 'r-symndx'],
    find: ecoffRelocation(16),
  },
  {
    id: 'gprel',
    says: [
      'A distance from gp in two halves: GPRELHIGH patches an ldah, GPRELLOW the instructions that use its result.',
      'The low half is signed, so the high half is rounded.',
    ],
    picture: flow(['gp', 'ldah: high 16', 'low 16', 'address'], 1),
    source: tru64('4.3.4.19 R_GPRELHIGH'),
    related: ['gp', 'gpdisp'],
    find: ecoffRelocation(17, 18),
  },
  {
    id: 'stack-expression',
    says: [
      'Entries that the linker evaluates on a stack: OP_PUSH pushes an address, OP_PSUB subtracts, OP_PRSHIFT shifts right.',
      'OP_STORE writes the result.',
    ],
    picture: flow(['OP_PUSH a', 'OP_PSUB b', 'OP_PRSHIFT 2', 'OP_STORE'], 0),
    source: EXPRESSIONS,
    related: ['op-store', 'r-vaddr'],
    find: ecoffRelocation(12),
  },
  {
    id: 'op-store',
    says: [
      'Pops the stack and writes the low bits into a field of a 64-bit word.',
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
      'A shorter form of relocations in .comment of linked files, under the tag CM_COMPACT_RLC, eight bytes each.',
      'Relocations that follow from the code are left out; only the others have records.',
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

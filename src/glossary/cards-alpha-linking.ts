/** Terms of linking Alpha eCOFF objects, and of what is left of relocations afterwards. */
import { flow } from './picture.ts';
import { tru64 } from './sources.ts';
import type { TermCard } from './term.ts';

export const ALPHA_LINKING_CARDS: readonly TermCard[] = [
  {
    id: 'relocatable-object',
    says: [
      'An object with enough relocation information to be relocated, as compilers or a partial link write it.',
      'Links, archives, loadable drivers and the bootlinker take it as input; the profiling tools of Tru64 use compact relocations instead.',
    ],
    picture: flow(['cc -c', 'OMAGIC', 'ld', 'ZMAGIC'], 1),
    source: tru64('4.3.1 Relocatable Objects'),
    related: ['partial-link', 'compact-relocations'],
    find: null,
  },
  {
    id: 'partial-link',
    says: [
      'ld -r combines objects into one that keeps its relocations, an OMAGIC file that is not executable.',
      'Common symbols are allocated only in the final link, and undefined symbols are no error; external entries become local ones, and entries follow the sections to their new addresses.',
    ],
    picture: flow(['a.o, b.o', 'ld -r', 'OMAGIC'], 1),
    source: tru64('4.3.1 Relocatable Objects'),
    related: ['relocatable-object', 'gpvalue'],
    find: null,
  },
  {
    id: 'target-item',
    says: [
      'The data or procedure that a relocated address leads to, tracked by r_symndx and r_extern.',
      'Several entries may lead to one item, and several entries may describe one address.',
    ],
    picture: flow(['r_vaddr', '[r_vaddr]', 'target item'], 2),
    source: tru64('4.3.2 Relocation Processing'),
    related: ['r-vaddr', 'r-symndx'],
    find: null,
  },
  {
    id: 'dynamic-relocation-alpha',
    says: [
      'A REFQUAD or REFLONG outside .lita becomes an entry of .rel.dyn in a shared object; .lita becomes part of the GOT.',
      'Text has none, because the dynamic loader cannot write to it.',
    ],
    picture: flow(['REFQUAD', 'ld -shared', '.rel.dyn'], 2),
    source: tru64('4.3.2.3 Shared Object Transformation'),
    related: ['refquad', 'literal'],
    find: null,
  },
  {
    id: 'r-immed',
    says: [
      'IMMED entries are written by the linker in place of LITERAL and LITUSE where it optimized the access.',
      'They describe an address as gp plus 16 or 32 bits of displacement, or as the start of a section or the instruction after a branch plus 32; compact relocations are generated from them.',
    ],
    picture: flow(['LITERAL, LITUSE', 'ld -O1', 'IMMED'], 2),
    source: tru64('4.3.3.6 Immediate Relocations'),
    related: ['literal', 'lituse', 'compact-relocations'],
    find: null,
  },
  {
    id: 'kernel-gp',
    says: [
      'The kernel is built without .lita: its code computes addresses with GPRELHIGH and GPRELLOW instead of loading them.',
      'The size of its code stays about the same.',
    ],
    picture: flow(['gp', 'ldah', 'lda', 'address'], 1),
    source: tru64('4.3.4.20 R_GPRELLOW'),
    related: ['gprel', 'literal'],
    find: null,
  },
  {
    id: 'tls-offset',
    says: [
      'The symbol __tlsoffset has the offset of the TLS pointer in the TSD array, and its value is fixed at run time.',
      'TLS_LITERAL marks the load of its slot in .lita; __tlskey points to one of its instances.',
    ],
    picture: flow(['.lita slot', '__tlsoffset', 'TLS pointer'], 1),
    source: tru64('4.3.4.26 R_TLS_LITERAL'),
    related: ['literal', 'gp'],
    find: null,
  },
  {
    id: 'compact-production',
    says: [
      'The linker predicts relocations from the code and stores a compact record wherever the prediction is wrong.',
      'Only what describes .text, .init and .fini is kept; links with -r, -om or -ncr have none.',
    ],
    picture: flow(['predict', 'compare', 'record each miss'], 2),
    source: tru64('4.4.3 Detailed Algorithm for Compact Relocations Production'),
    related: ['compact-relocations', 'compact-consumption'],
    find: null,
  },
  {
    id: 'compact-consumption',
    says: [
      'A tool expands the counts, predicts again from the same code, and lets each stored record override the prediction.',
      'A CMRLC_NO_RELOC record removes a predicted entry.',
    ],
    picture: flow(['expand counts', 'predict', 'override'], 2),
    source: tru64('4.4.4 Detailed Algorithm for Compact Relocations Consumption'),
    related: ['compact-relocations', 'compact-production'],
    find: null,
  },
  {
    id: 'compact-version',
    says: [
      'A change of version_minor leaves the interface as it is, one of version_major does not.',
      'The heuristic may differ between minor versions, and a reader needs the one that wrote the file.',
    ],
    picture: flow(['version_major', 'version_minor', 'header'], 1),
    source: tru64('4.4.2.1 Compact Relocations Version'),
    related: ['compact-relocations', 'compact-production'],
    find: null,
  },
  {
    id: 'compact-count',
    says: [
      'CMRLC_COUNT_MAX is 4095: that many identical entries in a row fit one compact record.',
      'They have the same type and section, and follow each other at their natural size; a count of 0 is not allowed.',
    ],
    picture: flow(['REFLONG × 3', 'count 3'], 1),
    source: tru64('4.4.2.4 Compact Relocations Table'),
    related: ['compact-relocations', 'compact-production'],
    find: null,
  },
  {
    id: 'compact-gp-table',
    says: [
      'The gp value table has one entry for each gp range after the first, with the address where it starts.',
      'Tables have gpval_num entries each; a shorter one repeats its last entry.',
    ],
    picture: flow(['gp_value', '+ gp_offset', 'gp from vaddr on'], 1),
    source: tru64('4.4.2.6 GP Value Tables'),
    related: ['gp', 'gpvalue', 'compact-relocations'],
    find: null,
  },
  {
    id: 'language-relocations',
    says: [
      'Compilers emit relocations for symbols of their own that no source names.',
      'Examples are for_set_reentrancy in Fortran and the labels of exception handling in C++.',
    ],
    picture: flow(['compiler', 'own symbol', 'relocation'], 1),
    source: tru64('4.5 Language-Specific Relocations Features'),
    related: ['r-symndx', 'target-item'],
    find: null,
  },
  {
    id: 'srel-use',
    says: [
      'SREL32 is used for the offset in code range descriptors of .pdata that leads to .xdata; the compilation system uses neither SREL16 nor SREL64.',
      'It limits the distance between the text and data segments: .xdata must be in reach of 32 signed bits from .pdata.',
    ],
    picture: flow(['.pdata', 'rpd_offset', '.xdata'], 1),
    source: tru64('4.3.4.12 R_SREL32'),
    related: ['braddr', 'stack-expression'],
    find: null,
  },
  {
    id: 'symbol-preemption',
    says: [
      'BRADDR is only for local or static references, because its displacement is fixed at link time.',
      'Text cannot be written at run time, so that a shared object could not preempt the symbol.',
    ],
    picture: flow(['bsr', 'fixed target'], 1),
    source: tru64('4.3.4.9 R_BRADDR'),
    related: ['braddr', 'dynamic-relocation-alpha'],
    find: null,
  },
  {
    id: 'gp-used',
    says: [
      'A procedure whose descriptor has gp_used 0 needs no GPDISP.',
      'A call of it that LU_JSR marks may then skip the prologue.',
    ],
    picture: flow(['gp_used', 'no GPDISP', 'no prologue'], 0),
    source: tru64('4.3.4.8 R_GPDISP'),
    related: ['gpdisp', 'lituse'],
    find: null,
  },
  {
    id: 'gp-range',
    says: [
      'A partial link inserts GPVALUE at the boundary of modules where .lita would otherwise overflow.',
      'The entries are local and are in .text or .rdata.',
    ],
    picture: flow(['module', 'GPVALUE', 'module'], 1),
    source: tru64('4.3.3.2 GP-Relative Relocations'),
    related: ['gpvalue', 'partial-link'],
    find: null,
  },
  {
    id: 'expression-use',
    says: [
      'Stack expressions are used only for the exception data in .xdata and .pdata.',
      'The reason given is a shift by two bits, which other types state only where they imply it; compilers do not emit OP_PRSHIFT.',
    ],
    picture: flow(['address', '>> 2', '.pdata'], 1),
    source: tru64('4.3.3.5 Relocation Stack Expressions'),
    related: ['stack-expression', 'op-store'],
    find: null,
  },
];

/** Terms of the formulas that relocate Alpha eCOFF objects. */
import { flow } from './picture.ts';
import { tru64 } from './sources.ts';
import type { TermCard } from './term.ts';

export const ALPHA_NOTATION_CARDS: readonly TermCard[] = [
  {
    id: 'old-gp',
    says: [
      'old_GP is the gp of the input object, at first aouthdr.gp_value; GP is that of the final object.',
      'A GPVALUE entry changes both for the entries behind it.',
    ],
    picture: flow(['old_GP', 'GP − old_GP', 'GP'], 0),
    source: tru64('4.3.4 Relocation Entry Types'),
    related: ['gp', 'gpvalue'],
    find: null,
  },
  {
    id: 'new-scn-addr',
    says: [
      'new_scn_addr is where the linker puts the section that a local entry tracks; old_scn_addr is its s_vaddr in the input object.',
      'Their difference is added to the relocated value.',
    ],
    picture: flow(['old_scn_addr', 'new_scn_addr'], 1),
    source: tru64('4.3.4 Relocation Entry Types'),
    related: ['this-new-scn-addr', 'r-symndx'],
    find: null,
  },
  {
    id: 'this-new-scn-addr',
    says: [
      'this_new_scn_addr is where the section that contains r_vaddr will be; this_old_scn_addr is its s_vaddr in the input object.',
      'this_new_addr is where r_vaddr itself will be.',
    ],
    picture: flow(['this_old_scn_addr', 'this_new_scn_addr'], 1),
    source: tru64('4.3.4 Relocation Entry Types'),
    related: ['new-scn-addr', 'r-vaddr'],
    find: null,
  },
  {
    id: 'sext',
    says: [
      'SEXT extends the sign of the constant after it to the full width.',
      '[r_vaddr] is the contents at the address r_vaddr, and *_disp is the displacement of an instruction.',
    ],
    picture: flow(['0xffff', 'SEXT', '−1'], 1),
    source: tru64('4.3.4 Relocation Entry Types'),
    related: ['r-vaddr', 'gprel'],
    find: null,
  },
  {
    id: 'tos',
    says: [
      'The top of the expression stack in the formulas of the stack entries.',
      'OP_PUSH writes stack[++tos], and OP_STORE takes stack[tos--].',
    ],
    picture: flow(['OP_PUSH', 'stack[tos]', 'OP_STORE'], 1),
    source: tru64('4.3.4 Relocation Entry Types'),
    related: ['stack-expression', 'op-store'],
    find: null,
  },
];

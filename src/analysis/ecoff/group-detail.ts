/** Lists the parts of an entry's group, for navigation: two halves, or a literal and its uses. */
import type { GroupStop, RelocationGroup } from '#analysis/objects/relocation-facts.ts';
import {
  IMMED,
  immedName,
  R,
  type Relocation,
  relocationAt,
  relocationTypeName,
} from '#formats/ecoff/relocations.ts';
import { relocIndex, sectionIndex } from '#model/ids.ts';
import { subtypeName } from './entry-text.ts';
import { type Group, type GroupKind, tableFacts } from './groups.ts';
import { LDA, LDAH } from './relocate.ts';
import type { EntryRow } from './rows.ts';
import { sitesOf, wordAt } from './sites.ts';

type Words = { readonly title: string; readonly about: string };

const WORDS: Readonly<Record<GroupKind, Words>> = {
  literal: {
    title: 'Literal and its uses',
    about: 'One load of an address from the literal pool, and the instructions that use it.',
  },
  gpdisp: {
    title: 'gp load in two halves',
    about: 'An ldah and an lda that together set gp. Either may come first.',
  },
  'gprel-high-low': {
    title: 'High and low halves from gp',
    about: 'Low halves share the high half before them, and all hold the same displacement.',
  },
  'tls-high-low': {
    title: 'High and low halves in thread-local storage',
    about:
      'Low halves share the high half before them; they count from the TLS region pointer in place of gp.',
  },
  'immed-gp16': { title: 'Immediate from gp', about: 'One instruction holds all 16 bits.' },
  'immed-gp': {
    title: 'Immediates from gp',
    about: 'A high half, and the low halves that belong to it.',
  },
  'immed-scn': {
    title: 'Immediates from the section',
    about: 'A high half, and the low halves that belong to it.',
  },
  'immed-br': {
    title: 'Immediates from a branch',
    about: 'A high half, and the low halves that belong to it.',
  },
  expression: {
    title: 'Expression',
    about: 'Each entry works on a stack; a STORE writes the result.',
  },
  'gp-range': {
    title: 'gp range',
    about: 'From this address on, another gp is in effect for the entries that follow.',
  },
  'orphan-lituse': { title: 'A use without its literal', about: '' },
  'orphan-gprellow': { title: 'A low half without its high half', about: '' },
  'orphan-tls_low': { title: 'A low half without its high half', about: '' },
  'orphan-immed-lo32': { title: 'A low half without its high half', about: '' },
  'expression-error': { title: 'A broken expression', about: '' },
};

/** Returns the group that contains the entry, or null. */
export function groupDetail(row: EntryRow): RelocationGroup | null {
  const { file, table, n } = row;
  const { groups, groupOf } = tableFacts(file, table);
  const group = groups[groupOf[n] ?? -1];
  if (group === undefined) return null;
  const { title, about } = WORDS[group.kind];
  const { detail } = group;
  return {
    title,
    about: detail?.of === 'gp-range' ? `${about} It is 0x${detail.gpValue.toString(16)}.` : about,
    error: group.error,
    infix: detail?.of === 'expression' ? detail.infix : [],
    stops: group.kind === 'gpdisp' ? halves(row, group) : members(row, group),
  };
}

function members({ table, first }: EntryRow, group: Group): readonly GroupStop[] {
  return group.members.map((n) => {
    const reloc = relocIndex(first + n);
    const entry = relocationAt(table, n);
    return {
      reloc,
      selection: { kind: 'relocation', reloc },
      role: roleOf(entry),
      address: entry.rVaddr,
    };
  });
}

/** Returns two stops: the instructions that a GPDISP entry patches. */
function halves(row: EntryRow, group: Group): readonly GroupStop[] {
  const { file, section, table, first } = row;
  const n = group.members[0] ?? row.n;
  const reloc = relocIndex(first + n);
  return sitesOf(file, section, relocationAt(table, n)).map((site, i) => ({
    reloc,
    selection:
      i === 0
        ? { kind: 'relocation', reloc }
        : {
            kind: 'insn',
            section: sectionIndex(section.index + 1),
            insnOff: Number(site.sectionOffset),
          },
    role: halfName(wordAt(file, section, site.vaddr)),
    address: site.vaddr,
  }));
}

function halfName(word: number | null): string {
  if (word === null) return 'outside';
  const opcode = word >>> 26;
  if (opcode === LDAH) return 'ldah';
  return opcode === LDA ? 'lda' : 'no lda';
}

function roleOf(entry: Relocation): string {
  if (entry.rType === R.lituse) return (subtypeName(entry) ?? 'use').replace('R_LU_', 'use: ');
  if (entry.rType === R.immed) {
    const name = immedName(entry.rSize) ?? 'IMMED';
    return entry.rSize === IMMED.gp16 ? 'GP_16' : name.replace('R_IMMED_', '');
  }
  return (relocationTypeName(entry.rType) ?? `type ${entry.rType}`).replace('OP_', '');
}

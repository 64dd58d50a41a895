/** Terms of ELF: headers of sections, and symbols. */
import { symbolIndex } from '#model/ids.ts';
import { isCode } from '#model/sections.ts';
import { symbolBinding } from '#model/symbols.ts';
import { sectionHeaderField, symbolField } from './find-objects.ts';
import { flow, type Picture, record, word } from './picture.ts';
import { gabi } from './sources.ts';
import type { TermCard } from './term.ts';

const SECTION = gabi('Sections', 'sheader');
const SYMBOL = gabi('Symbol Table', 'symtab');

function sectionHeader(lit: string): Picture {
  return record(
    'Elf64_Shdr',
    'sh_name:4 sh_type:4 sh_flags:8 sh_addr:8 sh_offset:8 sh_size:8 sh_link:4 sh_info:4 sh_addralign:8 sh_entsize:8',
    lit,
  );
}

function symbolEntry(lit: string): Picture {
  return record('Elf64_Sym', 'st_name:4 st_info:1 st_other:1 st_shndx:2 st_value:8 st_size:8', lit);
}

export const ELF_CARDS: readonly TermCard[] = [
  {
    id: 'section-header',
    says: [
      'A table at the end of the file has one such entry for each section: its name, what it is, where it lies and how long it is.',
      'The entry with number 0 stands for no section.',
    ],
    picture: sectionHeader('sh_name'),
    source: SECTION,
    related: ['sh-type', 'sh-flags', 'sh-offset', 'sh-link'],
    find: sectionHeaderField(0, 64),
  },
  {
    id: 'sh-type',
    says: [
      'What sort of section it is: PROGBITS for code and data, NOBITS for data that begins as zeros, SYMTAB, STRTAB, REL.',
      'A BPF loader goes by names more than by this, and takes .BTF for what it is wherever it meets it.',
    ],
    picture: sectionHeader('sh_type'),
    source: SECTION,
    related: ['section-header', 'sh-flags', 'rel'],
    find: sectionHeaderField(4, 4),
  },
  {
    id: 'sh-flags',
    says: [
      'Bits that say what becomes of a section: W it can be written, A it is there when the program runs, X it is code.',
      'Sections of programs have A and X, and the .BTF of an object file has none of the three.',
    ],
    picture: word(8, '_:5 X:1 A:1 W:1', 'X'),
    source: SECTION,
    related: ['section-header', 'program-section'],
    find: sectionHeaderField(8, 8, (model, section) => isCode(model.sections, section)),
  },
  {
    id: 'sh-offset',
    says: [
      'Where the bytes of a section begin, in bytes from the start of the file.',
      'A NOBITS section such as .bss has a place here but no bytes.',
    ],
    picture: sectionHeader('sh_offset'),
    source: SECTION,
    related: ['sh-size', 'section-header'],
    find: sectionHeaderField(24, 8),
  },
  {
    id: 'sh-size',
    says: [
      'How many bytes a section takes in the file, or of a NOBITS section in memory.',
      'Divided by sh_entsize it is the number of entries of a table.',
    ],
    picture: sectionHeader('sh_size'),
    source: SECTION,
    related: ['sh-offset', 'sh-entsize'],
    find: sectionHeaderField(32, 8),
  },
  {
    id: 'sh-link',
    says: [
      'The number of another section that this one needs.',
      'A symbol table names its strings by it, and a relocation section its symbol table.',
    ],
    picture: flow(['.rel.text', 'sh_link', '.symtab', 'sh_link', '.strtab'], 1),
    source: SECTION,
    related: ['sh-info', 'section-header', 'symbol'],
    find: sectionHeaderField(40, 4, ({ sections }, section) => (sections.link[section] ?? 0) > 0),
  },
  {
    id: 'sh-info',
    says: [
      'Of a relocation section it is the number of the section whose bytes the entries patch.',
      'Of a symbol table it is one more than the number of the last local symbol.',
    ],
    picture: flow(['.rel.text', 'sh_info', '.text'], 1),
    source: SECTION,
    related: ['sh-link', 'rel', 'symbol'],
    find: sectionHeaderField(44, 4, ({ sections }, section) => (sections.info[section] ?? 0) > 0),
  },
  {
    id: 'sh-entsize',
    says: [
      'How many bytes one entry takes in a section that is a table, or 0 in any other.',
      'An entry of a REL section takes 16 bytes in a 64-bit file, and a symbol 24.',
    ],
    picture: sectionHeader('sh_entsize'),
    source: SECTION,
    related: ['sh-size', 'rel', 'symbol'],
    find: sectionHeaderField(
      56,
      8,
      ({ sections }, section) => (sections.entsize[section] ?? 0n) > 0n,
    ),
  },
  {
    id: 'symbol',
    says: [
      'The symbol table gives names to places: functions, variables, maps, and whole sections.',
      'Relocations name their symbol by its number in this table, not by its name.',
    ],
    picture: symbolEntry('st_name'),
    source: SYMBOL,
    related: ['st-value', 'st-info', 'st-shndx', 'r-info'],
    find: symbolField(0, 24),
  },
  {
    id: 'st-value',
    says: [
      'Where the symbol is: in an object file the offset in its section, in a linked file an address.',
      'Relocations call it S.',
    ],
    picture: symbolEntry('st_value'),
    source: SYMBOL,
    related: ['symbol', 'addend', 'st-shndx'],
    find: symbolField(8, 8),
  },
  {
    id: 'st-info',
    says: [
      'Two things in one byte: the binding, which is local, global or weak, and the type, such as FUNC, OBJECT or SECTION.',
      'To libbpf a global function is one that the kernel verifies by itself, and a weak extern may stay without a value.',
    ],
    picture: word(8, 'binding:4 type:4', 'binding'),
    source: SYMBOL,
    related: ['symbol', 'st-other', 'linkage'],
    find: symbolField(4, 1, ({ symbols }, row) => symbolBinding(symbols, symbolIndex(row)) === 1),
  },
  {
    id: 'st-other',
    says: [
      'The visibility of a symbol in its low two bits: default, internal, hidden or protected.',
      'libbpf makes a global function static where its symbol is hidden, so that the verifier looks at it in each place that calls it.',
    ],
    picture: word(8, '_:6 visibility:2', 'visibility'),
    source: SYMBOL,
    related: ['st-info', 'symbol'],
    find: symbolField(5, 1),
  },
  {
    id: 'st-shndx',
    says: [
      'The number of the section that the symbol lies in, or 0 for one that this file only refers to.',
      'A few high numbers have a meaning of their own, such as ABS for a value that is no place.',
    ],
    picture: symbolEntry('st_shndx'),
    source: SYMBOL,
    related: ['symbol', 'st-value', 'ksyms'],
    find: symbolField(6, 2),
  },
];

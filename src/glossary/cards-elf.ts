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
      'An entry of the section table: name, type, offset and size of a section.',
      'Entry 0 is not a section.',
    ],
    picture: sectionHeader('sh_name'),
    source: SECTION,
    related: ['sh-type', 'sh-flags', 'sh-offset', 'sh-link'],
    find: sectionHeaderField(0, 64),
  },
  {
    id: 'sh-type',
    says: [
      'The type of the section: PROGBITS for code and data, NOBITS for zero-initialised data, SYMTAB, STRTAB, REL.',
      'BPF loaders identify most sections, such as .BTF, by name.',
    ],
    picture: sectionHeader('sh_type'),
    source: SECTION,
    related: ['section-header', 'sh-flags', 'rel'],
    find: sectionHeaderField(4, 4),
  },
  {
    id: 'sh-flags',
    says: [
      'Flags of the section: W writable, A allocated in memory, X executable.',
      'Program sections have A and X; .BTF in an object file has none of them.',
    ],
    picture: word(8, '_:5 X:1 A:1 W:1', 'X'),
    source: SECTION,
    related: ['section-header', 'program-section'],
    find: sectionHeaderField(8, 8, (model, section) => isCode(model.sections, section)),
  },
  {
    id: 'sh-offset',
    says: [
      'The file offset of the section’s bytes.',
      'A NOBITS section such as .bss has an offset but no bytes.',
    ],
    picture: sectionHeader('sh_offset'),
    source: SECTION,
    related: ['sh-size', 'section-header'],
    find: sectionHeaderField(24, 8),
  },
  {
    id: 'sh-size',
    says: [
      'The size of the section in the file, in bytes; for a NOBITS section in memory.',
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
      'The index of a related section.',
      'For a symbol table it is the string table, for a relocation section the symbol table.',
    ],
    picture: flow(['.rel.text', 'sh_link', '.symtab', 'sh_link', '.strtab'], 1),
    source: SECTION,
    related: ['sh-info', 'section-header', 'symbol'],
    find: sectionHeaderField(40, 4, ({ sections }, section) => (sections.link[section] ?? 0) > 0),
  },
  {
    id: 'sh-info',
    says: [
      'In a relocation section: the index of the section that the entries patch.',
      'In a symbol table: the index of the last local symbol plus one.',
    ],
    picture: flow(['.rel.text', 'sh_info', '.text'], 1),
    source: SECTION,
    related: ['sh-link', 'rel', 'symbol'],
    find: sectionHeaderField(44, 4, ({ sections }, section) => (sections.info[section] ?? 0) > 0),
  },
  {
    id: 'sh-entsize',
    says: [
      'The size of an entry, if the section is a table; else 0.',
      'In a 64-bit file a REL entry has 16 bytes and a symbol 24.',
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
      'A name for a function, a variable, a map or a section.',
      'Relocations refer to a symbol by its index in the symbol table.',
    ],
    picture: symbolEntry('st_name'),
    source: SYMBOL,
    related: ['st-value', 'st-info', 'st-shndx', 'r-info'],
    find: symbolField(0, 24),
  },
  {
    id: 'st-value',
    says: [
      'The value of the symbol: in an object file an offset in its section, in a linked file an address.',
      'Relocation formulas call it S.',
    ],
    picture: symbolEntry('st_value'),
    source: SYMBOL,
    related: ['symbol', 'addend', 'st-shndx'],
    find: symbolField(8, 8),
  },
  {
    id: 'st-info',
    says: [
      'One byte with the binding (local, global or weak) and the type, such as FUNC, OBJECT or SECTION.',
      'The kernel verifies global functions separately; libbpf allows weak externs to stay unresolved.',
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
      'libbpf makes a global function with a hidden symbol static, so that the verifier checks it at each call.',
    ],
    picture: word(8, '_:6 visibility:2', 'visibility'),
    source: SYMBOL,
    related: ['st-info', 'symbol'],
    find: symbolField(5, 1),
  },
  {
    id: 'st-shndx',
    says: [
      'The index of the symbol’s section; 0 if the symbol is undefined.',
      'Some high numbers are reserved, such as ABS for an absolute value.',
    ],
    picture: symbolEntry('st_shndx'),
    source: SYMBOL,
    related: ['symbol', 'st-value', 'ksyms'],
    find: symbolField(6, 2),
  },
];

/** The headers of an eCOFF file, field by field, ready to be read by a person. */
import { type Span, spanOf } from '#bytes/span.ts';
import type { EcoffFile } from '#formats/ecoff/ecoff-file.ts';
import {
  FILE_HEADER_SIZE,
  fileFlagNames,
  magicName,
  objectType,
} from '#formats/ecoff/file-header.ts';
import {
  OPTIONAL_HEADER_SIZE,
  type OptionalHeader,
  optionalMagicName,
} from '#formats/ecoff/optional-header.ts';
import { type SectionHeader, sectionFlagNames } from '#formats/ecoff/section-headers.ts';
import {
  SYMBOLIC_COUNTS,
  SYMBOLIC_HEADER_SIZE,
  SYMBOLIC_PLACES,
  type SymbolicHeader,
} from '#formats/ecoff/symbolic-header.ts';
import type { HeaderBlock, HeaderField } from '#model/object-model.ts';
import { compactHeaderBlocks } from './ecoff-compact-headers.ts';
import { type FieldRow, fieldsInRow, hexOf } from './ecoff-fields.ts';

/** More sections than objects have; of the others the table of sections tells. */
const MAX_SECTION_BLOCKS = 32;
const SECTION_HEADER_SIZE = 64;

/** File, optional and section headers, the symbolic header, and those of compact relocations. */
export function ecoffHeaderBlocks(file: EcoffFile): readonly HeaderBlock[] {
  const { optional, symbolic, sections } = file;
  return [
    block('file header', spanOf(0, FILE_HEADER_SIZE), fileHeader(file)),
    ...(optional === null
      ? []
      : [
          block(
            'optional header',
            spanOf(FILE_HEADER_SIZE, OPTIONAL_HEADER_SIZE),
            optionalHeader(optional),
          ),
        ]),
    ...sections
      .slice(0, MAX_SECTION_BLOCKS)
      .map((section) =>
        block(
          `section header ${section.index + 1}: ${section.name}`,
          spanOf(section.fileOffset, SECTION_HEADER_SIZE),
          sectionHeader(section),
        ),
      ),
    ...(symbolic === null
      ? []
      : [
          block(
            'symbolic header',
            spanOf(symbolic.fileOffset, SYMBOLIC_HEADER_SIZE),
            symbolicHeader(symbolic),
          ),
        ]),
    ...compactHeaderBlocks(file),
  ];
}

function block(title: string, span: Span, rows: readonly FieldRow[]): HeaderBlock {
  const fields: readonly HeaderField[] = fieldsInRow(span.start, rows);
  return { title, span, fields };
}

function fileHeader({ header }: EcoffFile): readonly FieldRow[] {
  const time = header.fTimdat === 0 ? '' : new Date(header.fTimdat * 1000).toISOString();
  const flags = [...fileFlagNames(header.fFlags), objectType(header.fFlags)];
  return [
    ['f_magic', 2, hexOf(header.fMagic), magicName(header.fMagic) ?? ''],
    ['f_nscns', 2, `${header.fNscns}`, 'sections'],
    ['f_timdat', 4, `${header.fTimdat}`, time],
    ['f_symptr', 8, hexOf(header.fSymptr), header.fSymptr === 0n ? 'stripped' : 'symbolic header'],
    ['f_nsyms', 4, `${header.fNsyms}`, 'bytes of the symbolic header'],
    ['f_opthdr', 2, `${header.fOpthdr}`, 'bytes of the optional header'],
    ['f_flags', 2, hexOf(header.fFlags), flags.filter((name) => name !== 'none').join(' | ')],
  ];
}

function optionalHeader(header: OptionalHeader): readonly FieldRow[] {
  const version = `version ${header.vstamp >> 8}.${header.vstamp & 0xff}`;
  return [
    ['magic', 2, hexOf(header.magic), optionalMagicName(header.magic) ?? ''],
    ['vstamp', 2, hexOf(header.vstamp), version],
    ['bldrev', 2, `${header.bldrev}`, ''],
    ['padcell', 2, `${header.padcell}`, ''],
    ['tsize', 8, hexOf(header.tsize), 'bytes of text'],
    ['dsize', 8, hexOf(header.dsize), 'bytes of data'],
    ['bsize', 8, hexOf(header.bsize), 'bytes of bss'],
    ['entry', 8, hexOf(header.entry), 'where it starts to run'],
    ['text_start', 8, hexOf(header.textStart), ''],
    ['data_start', 8, hexOf(header.dataStart), ''],
    ['bss_start', 8, hexOf(header.bssStart), ''],
    ['gprmask', 4, hexOf(header.gprmask), 'integer registers in use'],
    ['fprmask', 4, hexOf(header.fprmask), 'floating registers in use'],
    ['gp_value', 8, hexOf(header.gpValue), 'the gp that displacements count from'],
  ];
}

function sectionHeader(section: SectionHeader): readonly FieldRow[] {
  return [
    ['s_name', 8, section.name, ''],
    ['s_paddr', 8, hexOf(section.sPaddr), ''],
    ['s_vaddr', 8, hexOf(section.sVaddr), 'address'],
    ['s_size', 8, hexOf(section.sSize), 'bytes'],
    ['s_scnptr', 8, hexOf(section.sScnptr), 'file offset of its data'],
    ['s_relptr', 8, hexOf(section.sRelptr), 'file offset of its relocation entries'],
    ['s_lnnoptr', 8, hexOf(section.sLnnoptr), ''],
    ['s_nreloc', 2, `${section.sNreloc}`, 'relocation entries'],
    ['s_nlnno', 2, `${section.sNlnno}`, ''],
    ['s_flags', 4, hexOf(section.sFlags), sectionFlagNames(section.sFlags).join(' | ')],
  ];
}

/** What the counts count; those without a line say it by their name. */
const COUNT_WORDS: ReadonlyMap<string, string> = new Map([
  ['isymMax', 'local symbols'],
  ['issMax', 'bytes of local strings'],
  ['issExtMax', 'bytes of external strings'],
  ['ifdMax', 'file descriptors'],
  ['iextMax', 'external symbols'],
]);

function symbolicHeader(header: SymbolicHeader): readonly FieldRow[] {
  const counts = SYMBOLIC_COUNTS.map(
    (name) => [name, 4, `${header.counts[name]}`, COUNT_WORDS.get(name) ?? ''] as const,
  );
  const places = SYMBOLIC_PLACES.map(
    (name) =>
      [name, 8, hexOf(header.places[name]), name === 'cbLine' ? 'bytes' : 'file offset'] as const,
  );
  return [
    ['magic', 2, hexOf(header.magic), ''],
    ['vstamp', 2, hexOf(header.vstamp), ''],
    ...counts,
    ...places,
  ];
}

/**
 * The tables of an eCOFF file as fields: headers, relocation entries, symbols.
 *
 * Source: Tru64 UNIX Object File and Symbol Table Format Specification, chapters
 * 2, 4 and 5.
 */
import type { FileTable } from '#analysis/objects/file-tables.ts';
import { symbolText } from '#analysis/objects/section-text.ts';
import { relocationMeaning } from '#analysis/relocations/meaning.ts';
import type { Span } from '#bytes/span.ts';
import { EXTERNAL_SIZE } from '#formats/ecoff/external-symbols.ts';
import { relocationTypeName } from '#formats/ecoff/relocation-types.ts';
import { RELOCATION_SIZE } from '#formats/ecoff/relocations.ts';
import { SECTION_HEADER, sectionFlagNames } from '#formats/ecoff/section-headers.ts';
import { relocIndex, sectionIndex, symbolIndex } from '#model/ids.ts';
import type { ObjectModel } from '#model/object-model.ts';
import { sectionName } from '#model/sections.ts';
import { symbolName } from '#model/symbols.ts';
import type { FileStructure } from './context.ts';
import { cStructFields, inRow, placeOf, table } from './elf-table.ts';
import { type FieldList, makeField, type StructureField } from './field.ts';
import { headerField } from './header.ts';
import { TRU64_HEADERS, TRU64_RELOCATIONS, TRU64_SYMBOLS } from './sources.ts';
import { stringFields } from './strings.ts';
import { type FieldSpec, structFields } from './struct-fields.ts';

/** The table with its bytes at `span`. */
export function tableField(structure: FileStructure, of: FileTable, span: Span): StructureField {
  const { model } = structure;
  switch (of.what) {
    case 'file-header':
    case 'optional-header':
    case 'symbolic-header':
      return headerAt(structure, of.label, span);
    case 'section-headers':
      return part(of.label, span, `struct scnhdr[${model.sections.count - 1}]`, TRU64_HEADERS, () =>
        sectionHeaders(structure, span),
      );
    case 'relocations':
      return part(of.label, span, 'struct reloc[]', TRU64_RELOCATIONS, () =>
        relocationEntries(structure, span, of.index),
      );
    case 'symbols':
      return part(of.label, span, `EXTR[${model.symbols.count}]`, TRU64_SYMBOLS, () =>
        symbolEntries(structure, span),
      );
    case 'strings':
      return part(of.label, span, 'char[]', TRU64_SYMBOLS, () =>
        stringFields({
          span,
          read: structure.read,
          source: TRU64_SYMBOLS,
          offsetBase: 0,
          known: structure.stringStarts,
        }),
      );
  }
}

function part(
  label: string,
  span: Span,
  cType: string,
  source: string,
  parts: () => FieldList,
): StructureField {
  return makeField('part', label, span, { cType, source, parts });
}

function headerAt({ model, read }: FileStructure, title: string, span: Span): StructureField {
  const block = model.headers.find((each) => each.title === title);
  return block === undefined
    ? makeField('header', title, span, { source: TRU64_HEADERS })
    : headerField(block, { endian: model.endian, read, addressBits: model.addressBits }, span);
}

function sectionHeaders(structure: FileStructure, span: Span): FieldList {
  const { model } = structure;
  const { sections } = model;
  return table(span, sections.headerSize, sections.count - 1, (i, at) => {
    const section = sectionIndex(i + 1);
    return makeField('entry', `[${i + 1}] ${sectionName(sections, section) || '(no name)'}`, at, {
      cType: 'struct scnhdr',
      source: TRU64_HEADERS,
      selection: { kind: 'section', section },
      parts: () => structFields(placeOf(structure, at, TRU64_HEADERS), SECTION_FIELDS),
    });
  });
}

const WIDE = { cType: 'coff_ulong', size: 8, notation: 'hex' } as const;

const SECTION_FIELDS = cStructFields(SECTION_HEADER, {
  sFlags: (value) => sectionFlagNames(Number(value)).join(' | '),
});

function relocationEntries(structure: FileStructure, span: Span, index: number): FieldList {
  const { model } = structure;
  const tables = model.ecoff?.relocations ?? [];
  const count = tables[index]?.count ?? 0;
  const first = tables.slice(0, index).reduce((sum, each) => sum + each.count, 0);
  return table(span, RELOCATION_SIZE, count, (i, at) => {
    const reloc = relocIndex(first + i);
    const { typeName, symbolText } = relocationMeaning(model, reloc);
    return makeField('entry', `[${i}] ${typeName} ${symbolText}`.trimEnd(), at, {
      cType: 'struct reloc',
      source: TRU64_RELOCATIONS,
      selection: { kind: 'relocation', reloc },
      parts: () =>
        structFields(placeOf(structure, at, TRU64_RELOCATIONS), relocationFields(symbolText)),
    });
  });
}

function relocationFields(symbolText: string): readonly FieldSpec[] {
  return inRow([
    { ...WIDE, name: 'r_vaddr', meaning: () => 'address that is patched' },
    { name: 'r_symndx', cType: 'coff_uint', size: 4, meaning: () => symbolText },
    {
      name: '',
      label: 'r_type to r_size',
      cType: 'coff_uint',
      size: 4,
      notation: 'hex',
      meaning: (value) => typeWords(value),
      bits: (value) => [
        { name: 'r_type', length: 8, meaning: typeWords(value) },
        { name: 'r_extern', length: 1, meaning: (value & 0x100n) === 0n ? 'local' : 'external' },
        { name: 'r_offset', length: 6 },
        { name: 'r_reserved', length: 11 },
        { name: 'r_size', length: 6 },
      ],
    },
  ]);
}

function typeWords(bits: bigint): string {
  const name = relocationTypeName(Number(bits & 0xffn));
  return name === null ? 'no known type' : `R_${name}`;
}

function symbolEntries(structure: FileStructure, span: Span): FieldList {
  const { model } = structure;
  return table(span, EXTERNAL_SIZE, model.symbols.count, (i, at) => {
    const symbol = symbolIndex(i);
    return makeField('entry', `[${i}] ${symbolName(model.symbols, symbol) || '(no name)'}`, at, {
      cType: 'EXTR',
      source: TRU64_SYMBOLS,
      selection: { kind: 'symbol', symbol },
      parts: () => structFields(placeOf(structure, at, TRU64_SYMBOLS), symbolFields(model, i)),
    });
  });
}

function symbolFields(model: ObjectModel, i: number): readonly FieldSpec[] {
  const { type, place } = symbolText(model, symbolIndex(i));
  return inRow([
    { ...WIDE, name: 'asym.value' },
    {
      name: 'asym.iss',
      cType: 'coff_int',
      size: 4,
      notation: 'signed',
      meaning: () => 'offset of its name',
    },
    {
      name: '',
      label: 'asym.st to asym.index',
      cType: 'coff_uint',
      size: 4,
      notation: 'hex',
      meaning: () => `${type}, ${place}`,
      bits: () => [
        { name: 'asym.st', length: 6, meaning: type },
        { name: 'asym.sc', length: 5, meaning: place },
        { name: 'asym.reserved', length: 1 },
        { name: 'asym.index', length: 20 },
      ],
    },
    {
      name: '',
      label: 'jmptbl, cobol_main, weakext',
      cType: 'coff_uint',
      size: 4,
      notation: 'hex',
    },
    {
      name: 'ifd',
      cType: 'coff_int',
      size: 4,
      notation: 'signed',
      meaning: () => 'file descriptor',
    },
  ]);
}

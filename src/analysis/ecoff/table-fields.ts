/** Describes the tables of an eCOFF file field by field: Tru64 UNIX Object File Specification. */
import type { FileStructure } from '#analysis/fields/context.ts';
import {
  type FieldList,
  makeField,
  type Piece,
  pieces,
  type StructureField,
} from '#analysis/fields/field.ts';
import { type HeaderAbout, headerField } from '#analysis/fields/header.ts';
import { stringFields } from '#analysis/fields/strings.ts';
import { type BitSpec, type FieldSpec, structFields } from '#analysis/fields/struct-fields.ts';
import { cStructFields, inRow, placeOf, table } from '#analysis/fields/table.ts';
import type { FileTable } from '#analysis/objects/format-module.ts';
import { append } from '#bytes/arrays.ts';
import { type Span, spanOf } from '#bytes/span.ts';
import {
  COMPACT_EXPRESSION,
  COMPACT_GP_VALUE,
  COMPACT_RECORD,
  COMPACT_SECTION,
  type CompactMeaning,
  type CompactRelocations,
  compactRecordAt,
} from '#formats/ecoff/compact.ts';
import { type EcoffFile, ecoffFile } from '#formats/ecoff/ecoff-file.ts';
import { EXTERNAL_SIZE } from '#formats/ecoff/external-symbols.ts';
import { FILE_HEADER, SYMBOLIC_HEADER } from '#formats/ecoff/headers.ts';
import { RELOCATION_SIZE, relocationTypeName } from '#formats/ecoff/relocations.ts';
import { SECTION_HEADER, sectionFlagNames } from '#formats/ecoff/section-headers.ts';
import { relocIndex, sectionIndex, symbolIndex } from '#model/ids.ts';
import type { ObjectModel } from '#model/object-model.ts';
import { COMPACT_TYPE } from '#model/relocations.ts';
import { sectionName } from '#model/sections.ts';
import { symbolName } from '#model/symbols.ts';
import { ecoffMeaning } from './meaning.ts';
import { symbolPlaceText } from './section-text.ts';

/** Cites a section of Tru64 UNIX Object File and Symbol Table Format Specification. */
const tru64 = (section: string): string => `Tru64 UNIX Object File Specification, ${section}`;

export const TRU64_HEADERS = tru64('chapter 2 “Headers”');
const TRU64_RELOCATIONS = tru64('4.2.1 “Relocation Entry”');
const TRU64_COMPACT = tru64('4.4.2 “Compact Relocations”');
const TRU64_SYMBOLS = tru64('chapter 5 “Symbol Table”');

const FAMILIES = {
  'file-header': 'header',
  'optional-header': 'header',
  'section-headers': 'header',
  relocations: 'relocations',
  'symbolic-header': 'symbols',
  symbols: 'symbols',
  strings: 'symbols',
} as const;

type TableKind = keyof typeof FAMILIES;

/** Yields the headers and tables that the file contains. */
export function* ecoffTables(file: EcoffFile): Generator<FileTable> {
  const { header, sections, symbolic, externals } = file;
  yield tableOf('file-header', 'file header', 0, FILE_HEADER.size);
  yield tableOf('optional-header', 'optional header', FILE_HEADER.size, header.fOpthdr);
  const headersAt = FILE_HEADER.size + header.fOpthdr;
  const headersSize = sections.length * SECTION_HEADER.size;
  yield tableOf('section-headers', 'section headers', headersAt, headersSize);
  for (const [index, entries] of file.relocations.entries()) {
    const name = sections[entries.section]?.name ?? '';
    const { fileOffset, count } = entries;
    const label = `relocations of ${name}`;
    yield { ...tableOf('relocations', label, fileOffset, count * RELOCATION_SIZE), index };
  }
  if (symbolic !== null) {
    yield tableOf('symbolic-header', 'symbolic header', symbolic.fileOffset, SYMBOLIC_HEADER.size);
  }
  if (symbolic === null || externals === null) return;
  const symbolsSize = externals.count * EXTERNAL_SIZE;
  yield tableOf('symbols', 'external symbols', externals.fileOffset, symbolsSize);
  const stringsAt = Number(BigInt.asUintN(52, symbolic.cbSsExtOffset));
  yield tableOf('strings', 'external strings', stringsAt, externals.strings.length);
}

function tableOf(what: TableKind, label: string, start: number, length: number): FileTable {
  return { ...spanOf(start, length), what, label, family: FAMILIES[what], index: 0 };
}

/** Returns the structure field for the table `of`, whose bytes are at `span`. */
export function tableField(structure: FileStructure, of: FileTable, span: Span): StructureField {
  const { model } = structure;
  switch (of.what) {
    case 'file-header':
    case 'optional-header':
    case 'symbolic-header':
      return headerAt(structure, of.label, HEADERS[of.what], span);
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
    default:
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

const HEADERS = {
  'file-header': { source: TRU64_HEADERS, cType: 'struct filehdr' },
  'optional-header': { source: TRU64_HEADERS, cType: 'struct aouthdr' },
  'symbolic-header': { source: TRU64_SYMBOLS, cType: 'HDRR' },
};

function headerAt(
  { model, read }: FileStructure,
  title: string,
  about: HeaderAbout,
  span: Span,
): StructureField {
  const block = model.headers.find((each) => each.title === title);
  return block === undefined
    ? makeField('header', title, span, { source: TRU64_HEADERS })
    : headerField(
        block,
        { endian: model.endian, read, addressBits: model.addressBits, about },
        span,
      );
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
const INT = { cType: 'coff_int', size: 4, notation: 'signed' } as const;
const UINT_BITS = { name: '', cType: 'coff_uint', size: 4, notation: 'hex' } as const;

const SECTION_FIELDS = cStructFields(SECTION_HEADER, {
  sFlags: (value) => sectionFlagNames(Number(value)).join(' | '),
});

function relocationEntries(structure: FileStructure, span: Span, index: number): FieldList {
  const { model } = structure;
  const file = ecoffFile(model);
  const tables = file?.relocations ?? [];
  const count = tables[index]?.count ?? 0;
  const first = tables.slice(0, index).reduce((sum, each) => sum + each.count, 0);
  return table(span, RELOCATION_SIZE, count, (i, at) => {
    const reloc = relocIndex(first + i);
    const { typeName, symbolText } = ecoffMeaning(model, reloc);
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
      ...UINT_BITS,
      label: 'r_type to r_size',
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
  const { type = '', place = '' } = symbolPlaceText(model, symbolIndex(i)) ?? {};
  return inRow([
    { ...WIDE, name: 'asym.value' },
    { ...INT, name: 'asym.iss', meaning: () => 'offset of its name' },
    {
      ...UINT_BITS,
      label: 'asym.st to asym.index',
      meaning: () => `${type}, ${place}`,
      bits: () => [
        { name: 'asym.st', length: 6, meaning: type },
        { name: 'asym.sc', length: 5, meaning: place },
        { name: 'asym.reserved', length: 1 },
        { name: 'asym.index', length: 20 },
      ],
    },
    { ...UINT_BITS, label: 'jmptbl, cobol_main, weakext' },
    { ...INT, name: 'ifd', meaning: () => 'file descriptor' },
  ]);
}

const RECORD_SIZE = COMPACT_RECORD.size;

/** Returns the parts of the comment section at `span`; null for other sections. */
export function commentParts(
  structure: FileStructure,
  file: EcoffFile,
  span: Span,
): (() => FieldList) | null {
  const { comment } = file;
  if (comment === null || comment.fileOffset !== span.start) return null;
  return () => {
    let first = firstCompactRow(structure);
    const parts: Piece[] = headerPieces(structure, span);
    for (const { compact } of comment.subsections) {
      if (compact === null) continue;
      append(parts, compactPieces(structure, compact, first));
      first += compact.records.count;
    }
    parts.sort((a, b) => a.start - b.start);
    return pieces(span, parts, (at) =>
      makeField('content', 'comment data', at, { meaning: 'Data of subsections, and filling' }),
    );
  };
}

function firstCompactRow({ model }: FileStructure): number {
  const row = model.relocations.type.findIndex((type) => type >= COMPACT_TYPE);
  return row < 0 ? model.relocations.count : row;
}

const COMPACT = { source: TRU64_COMPACT, cType: 'struct cmrlc_file_header' };

function headerPieces({ model, read }: FileStructure, span: Span): Piece[] {
  const place = { endian: model.endian, read, addressBits: model.addressBits };
  return model.headers
    .filter((block) => block.span.start >= span.start && block.span.end <= span.end)
    .map((block) => ({
      ...block.span,
      make: () =>
        headerField(
          block,
          block.title === 'compact relocation header' ? { ...place, about: COMPACT } : place,
        ),
    }));
}

function compactPieces(
  structure: FileStructure,
  compact: CompactRelocations,
  first: number,
): Piece[] {
  const { records, expressions, gpValues } = compact;
  const sections = compact.sections.map(({ fileOffset, name }) => ({
    ...spanOf(fileOffset, COMPACT_SECTION.size),
    make: (at: Span) =>
      makeField('header', `compact section header ${name}`, at, {
        source: TRU64_COMPACT,
        parts: () => structFields(placeOf(structure, at, TRU64_COMPACT), COMPACT_SECTION_FIELDS),
      }),
  }));
  const part = (label: string, start: number, size: number, make: Piece['make']): Piece => ({
    ...spanOf(start, size),
    make: (at) => ({ ...make(at), label }),
  });
  return [
    ...sections,
    part('compact records', records.fileOffset, records.count * RECORD_SIZE, (at) =>
      makeField('part', '', at, {
        cType: `struct cmrlc_file_rlc[${records.count}]`,
        source: TRU64_COMPACT,
        parts: () => recordFields(structure, at, records.count, first),
      }),
    ),
    part('expressions', expressions.fileOffset, expressions.count * COMPACT_EXPRESSION.size, (at) =>
      makeField('part', '', at, {
        cType: `struct cmrlc_file_expr[${expressions.count}]`,
        source: TRU64_COMPACT,
        parts: () =>
          plainFields(structure, at, expressions.count, COMPACT_EXPRESSION.size, EXPRESSION_FIELDS),
      }),
    ),
    part('gp values', gpValues.fileOffset, gpValues.count * COMPACT_GP_VALUE.size, (at) =>
      makeField('part', '', at, {
        source: TRU64_COMPACT,
        parts: () =>
          plainFields(structure, at, gpValues.count, COMPACT_GP_VALUE.size, GP_VALUE_FIELDS),
      }),
    ),
  ];
}

function recordFields(
  structure: FileStructure,
  span: Span,
  count: number,
  first: number,
): FieldList {
  const { model } = structure;
  return table(span, RECORD_SIZE, count, (i, at) => {
    const reloc = relocIndex(first + i);
    const { typeName, symbolText, words } = ecoffMeaning(model, reloc);
    return makeField('entry', `[${i}] ${typeName} ${symbolText}`.trimEnd(), at, {
      cType: 'struct cmrlc_file_rlc',
      meaning: words,
      source: TRU64_COMPACT,
      selection: { kind: 'relocation', reloc },
      parts: () => structFields(placeOf(structure, at, TRU64_COMPACT), RECORD_FIELDS),
    });
  });
}

const rest = (length: number): BitSpec => ({ name: '_', length });
const TYPE_BITS: BitSpec = { name: 'type', length: 5 };
const REL_SCN: BitSpec = { name: 'rel_scn', length: 5, meaning: 'section, an R_SN_* number' };
const SUBOP: BitSpec = { name: 'subop', length: 6, meaning: 'kind of IMMED' };

/** Bits of a compact record's `info` after its `type`, by the kind of its meaning. */
const INFO_BITS: Readonly<Record<CompactMeaning['kind'], readonly BitSpec[]>> = {
  address: [REL_SCN, { name: 'count', length: 12, meaning: 'entries in a row, never 0' }, rest(10)],
  gpdisp: [{ name: 'lda_offset', length: 27, meaning: 'instructions to the lda' }],
  other: [REL_SCN, rest(22)],
  expression: [{ name: 'index', length: 27, meaning: 'first entry in the expression table' }],
  'immed-high': [SUBOP, { name: 'br_offset', length: 21 }],
  'immed-low': [SUBOP, REL_SCN, rest(16)],
  adjust: [{ name: 'adjust', length: 27, meaning: 'moves the base of the v_offsets after it' }],
  nothing: [rest(27)],
};

/** Returns the bit groups in `info` of a compact record, lowest first; they depend on its type. */
export function compactInfoBits(info: bigint): readonly BitSpec[] {
  const word = Number(info);
  const { typeName, meaning } = compactRecordAt(
    { fileOffset: 0, count: 1, vOffset: Uint32Array.of(0), info: Uint32Array.of(word) },
    0,
  );
  return [{ ...TYPE_BITS, meaning: typeName ?? 'no known type' }, ...INFO_BITS[meaning.kind]];
}

/** Bits of `info` in an expression entry; only CMRLC_EXPR_STORE uses `offset` and `size`. */
const EXPRESSION_BITS: readonly BitSpec[] = [
  TYPE_BITS,
  REL_SCN,
  { name: 'offset', length: 6, meaning: 'of a STORE: its first bit' },
  { name: 'size', length: 6, meaning: 'of a STORE: its bits' },
  { name: 'last', length: 1, meaning: 'the last entry of its expression' },
  rest(9),
];

function withBits(
  fields: readonly FieldSpec[],
  offset: number,
  bits: NonNullable<FieldSpec['bits']>,
): readonly FieldSpec[] {
  return fields.map((field) => (field.offset === offset ? { ...field, bits } : field));
}

const RECORD_FIELDS = withBits(cStructFields(COMPACT_RECORD), 4, compactInfoBits);
const EXPRESSION_FIELDS = withBits(cStructFields(COMPACT_EXPRESSION), 8, () => EXPRESSION_BITS);
const GP_VALUE_FIELDS = cStructFields(COMPACT_GP_VALUE);
const COMPACT_SECTION_FIELDS = cStructFields(COMPACT_SECTION);

/** Returns the fields of an array of structs that the model does not list as a table. */
function plainFields(
  structure: FileStructure,
  span: Span,
  count: number,
  size: number,
  fields: readonly FieldSpec[],
): FieldList {
  return table(span, size, count, (i, at) =>
    makeField('entry', `[${i}]`, at, {
      source: TRU64_COMPACT,
      parts: () => structFields(placeOf(structure, at, TRU64_COMPACT), fields),
    }),
  );
}

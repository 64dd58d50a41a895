/** Shows an ELF section as a field. Type and name of the section decide the parts. */
import { dwarfParts } from '#analysis/dwarf/section-fields.ts';
import { type FileStructure, ownBlobAt } from '#analysis/fields/context.ts';
import { type FieldList, makeField, pieces, type StructureField } from '#analysis/fields/field.ts';
import { gabi } from '#analysis/fields/sources.ts';
import { stringFields } from '#analysis/fields/strings.ts';
import { structFields } from '#analysis/fields/struct-fields.ts';
import { elfTypes, inRow } from '#analysis/fields/table.ts';
import { formatModule } from '#analysis/formats/registry.ts';
import { sectionTypeText } from '#analysis/formats/section-text.ts';
import { datasecsOf } from '#analysis/types/datasecs.ts';
import { memoized } from '#bytes/cache.ts';
import { type Span, spanOf } from '#bytes/span.ts';
import { SHF, SHT } from '#formats/elf/constants.ts';
import { compressionHeaderSize } from '#formats/elf/records.ts';
import type { SectionIndex } from '#model/ids.ts';
import { isCode, sectionName } from '#model/sections.ts';
import { blobParts } from './btf-blob.ts';
import { btfIdParts } from './btf-ids.ts';
import {
  nameOfSection,
  type Rows,
  relocationEntries,
  symbolEntries,
  unlistedEntries,
  wordEntries,
} from './elf-tables.ts';
import { extHeaderAt, extParts } from './ext-blob.ts';
import { codeParts } from './insns.ts';
import { variableParts } from './variables.ts';

/** Creates the parts of a section; null for a section without parts. */
type Parts = (() => FieldList) | null;

const SECTIONS_SOURCE = gabi('Sections');

/** Returns the section as a field; without parts if other regions overlap it (not `isWhole`). */
export function sectionField(
  structure: FileStructure,
  section: SectionIndex,
  span: Span,
  isWhole: boolean,
): StructureField {
  const { sections } = structure.model;
  const name = sectionName(sections, section) || '(no name)';
  const { type } = sectionTypeText(structure.model, section);
  return makeField('section', name, span, {
    meaning: `Section ${section}, ${type}${isWhole ? '' : ', under other parts of the file'}`,
    source: formatModule(structure.model)?.sectionSource ?? SECTIONS_SOURCE,
    selection: { kind: 'section', section },
    parts: isWhole ? partsOf(structure, section, span) : null,
  });
}

function partsOf(structure: FileStructure, section: SectionIndex, span: Span): Parts {
  const { model } = structure;
  const { sections } = model;
  if (((sections.flags[section] ?? 0n) & SHF.compressed) !== 0n) {
    return () => compressedParts(structure, span);
  }
  const own = formatModule(model)?.sectionParts(structure, span) ?? null;
  if (own !== null) return own;
  const table = tableParts(structure, section, span);
  if (table !== null) return table;
  const blob = ownBlobAt(structure, span.start);
  if (blob !== null) return () => blobParts(structure, blob, span);
  const ext = extHeaderAt(structure, span.start);
  if (ext !== null) return () => extParts(structure, ext, span);
  const dwarf = dwarfParts(structure, section, span);
  if (dwarf !== null) return dwarf;
  if (isCode(sections, section)) return () => codeParts(structure, section, span);
  return dataParts(structure, section, span);
}

/** Returns the parts of a section whose type defines its contents. */
function tableParts(structure: FileStructure, section: SectionIndex, span: Span): Parts {
  const { model } = structure;
  switch (model.sections.type[section]) {
    case SHT.symtab:
    case SHT.dynsym: {
      const rows = rowsBySection(model.symbols.table).get(section);
      return rows === undefined ? null : () => symbolEntries(structure, span, rows);
    }
    case SHT.rel:
    case SHT.rela: {
      const rows = rowsBySection(model.relocations.relSection).get(section);
      if (rows !== undefined) return () => relocationEntries(structure, span, rows);
      const symbols = rowsBySection(model.symbols.table).get(model.sections.link[section] ?? 0);
      return () => unlistedEntries(structure, span, section, symbols);
    }
    case SHT.strtab:
      return () => strings(structure, span);
    case SHT.symtabShndx:
      return () =>
        wordEntries(structure, span, gabi('Symbol Table'), (_, v) => nameOfSection(model, v));
    case SHT.group:
      return () =>
        wordEntries(structure, span, gabi('Section Groups'), (i, v) =>
          i === 0 ? (v === 1n ? 'GRP_COMDAT' : 'flags') : nameOfSection(model, v),
        );
    default:
      return null;
  }
}

/** Finds each section's rows, which are adjacent. `tables` has the section index of each row. */
const rowsBySection = memoized((tables: Uint32Array): ReadonlyMap<number, Rows> => {
  const rows = new Map<number, Rows>();
  let first = 0;
  for (let row = 1; row <= tables.length; row++) {
    if (tables[row] === tables[first]) continue;
    rows.set(tables[first] ?? 0, { first, count: row - first });
    first = row;
  }
  return rows;
});

function strings(structure: FileStructure, span: Span): FieldList {
  return stringFields({
    span,
    read: structure.read,
    source: gabi('String Table'),
    offsetBase: 0,
    known: structure.stringStarts,
  });
}

const STRINGS = 0x20n;
const NOTE = 7;

function dataParts(structure: FileStructure, section: SectionIndex, span: Span): Parts {
  const { model } = structure;
  const flags = model.sections.flags[section] ?? 0n;
  const ids = btfIdParts(structure, span);
  if (ids !== null) return () => ids;
  if (model.sections.type[section] === NOTE) return null;
  const isData =
    (flags & SHF.alloc) !== 0n ||
    (model.types !== null && datasecsOf(model.types).has(sectionName(model.sections, section)));
  const variables = isData ? variableParts(structure, section, span) : null;
  if (variables !== null) return () => variables;
  const isBytes = (model.sections.entsize[section] ?? 0n) === 1n;
  return (flags & STRINGS) !== 0n && isBytes ? () => strings(structure, span) : null;
}

/** Returns the compression header and the compressed bytes of a section. */
function compressedParts({ model, read }: FileStructure, span: Span): FieldList {
  const size = compressionHeaderSize(model.addressBits);
  const source = gabi('Section Compression');
  const { word, wide } = elfTypes(model);
  const place = { span: spanOf(span.start, size), endian: model.endian, read, source };
  const fields = inRow([
    {
      ...word,
      name: 'ch_type',
      meaning: (v) => (v === 1n ? 'zlib' : v === 2n ? 'zstd' : 'unknown'),
    },
    ...(wide.size === 8 ? [{ ...word, name: 'ch_reserved' }] : []),
    { ...wide, name: 'ch_size', meaning: () => 'bytes once unpacked' },
    { ...wide, name: 'ch_addralign' },
  ]);
  return pieces(
    span,
    [
      {
        ...place.span,
        make: (at) =>
          makeField('header', 'compression header', at, {
            cType: `Elf${model.addressBits}_Chdr`,
            source,
            parts: () => structFields(place, fields),
          }),
      },
    ],
    (at) => makeField('content', 'packed bytes', at, { meaning: 'One compressed stream', source }),
  );
}

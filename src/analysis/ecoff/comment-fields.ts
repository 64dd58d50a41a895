/**
 * The `.comment` section of an eCOFF file as fields: the headers of its
 * subsections, and the tables of compact relocations.
 *
 * Source: Tru64 UNIX Object File and Symbol Table Format Specification, section
 * 4.4.2 and chapter 7.
 */

import type { FileStructure } from '#analysis/fields/context.ts';
import { type FieldList, makeField, type Piece, pieces } from '#analysis/fields/field.ts';
import { headerField } from '#analysis/fields/header.ts';
import { structFields } from '#analysis/fields/struct-fields.ts';
import { cStructFields, placeOf, table } from '#analysis/fields/table.ts';
import { type Span, spanOf } from '#bytes/span.ts';
import {
  COMPACT_EXPRESSION,
  COMPACT_GP_VALUE,
  COMPACT_RECORD,
  COMPACT_SECTION,
  type CompactRelocations,
} from '#formats/ecoff/compact.ts';
import type { EcoffFile } from '#formats/ecoff/ecoff-file.ts';
import { relocIndex } from '#model/ids.ts';
import { COMPACT_TYPE } from '#model/relocations.ts';
import { ecoffMeaning } from './meaning.ts';
import { TRU64_COMPACT } from './sources.ts';

const RECORD_SIZE = COMPACT_RECORD.size;

/** The parts of the section at `span`; null where it is no comment section. */
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
      parts.push(...compactPieces(structure, compact, first));
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
      makeField('header', `compact section header ${name}`, at, { source: TRU64_COMPACT }),
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
      }),
    ),
    part('gp values', gpValues.fileOffset, gpValues.count * COMPACT_GP_VALUE.size, (at) =>
      makeField('part', '', at, { source: TRU64_COMPACT }),
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

const RECORD_FIELDS = cStructFields(COMPACT_RECORD);

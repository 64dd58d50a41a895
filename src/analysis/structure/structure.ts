/**
 * The structure tree of a file. A byte has a chain of fields, from the file down to a group of
 * bits; a field has parts. Fields are created on access. Every offset of every file has a chain.
 */
import { type FileStructure, ownBlobAt, structureOf } from '#analysis/fields/context.ts';
import {
  type FieldList,
  makeField,
  NO_PARTS,
  paddingField,
  type ReadBytes,
  type StructureField,
  sequence,
} from '#analysis/fields/field.ts';
import { headerField } from '#analysis/fields/header.ts';
import { gabi, PROGRAM_SOURCE } from '#analysis/fields/sources.ts';
import { fileTables, formatModule } from '#analysis/formats/registry.ts';
import { memoized } from '#bytes/cache.ts';
import { type Span, spanOf } from '#bytes/span.ts';
import { sectionIndex } from '#model/ids.ts';
import type { ObjectModel } from '#model/object-model.ts';
import { blobParts } from './btf-blob.ts';
import { programHeaders, sectionHeaders } from './elf-tables.ts';
import {
  elfHeaderBlock,
  type Region,
  RegionKind,
  type RegionPiece,
  regionPieces,
  segmentSize,
} from './regions.ts';
import { sectionField } from './sections.ts';

/** Maximum number of fields in a chain. Valid files need fewer. */
const MAX_DEPTH = 64;

/** Returns the file as a field. `read` returns bytes of the file, or null until they are loaded. */
export function fileField(model: ObjectModel, read: ReadBytes): StructureField {
  const structure = structureOf(model, read);
  return makeField('file', model.name, spanOf(0, model.size), {
    meaning: model.containers.length === 0 ? '' : `unpacked from ${model.containers.join(', ')}`,
    parts: () => fileParts(structure),
  });
}

/** Returns the parts of a field; empty if the field has no parts. */
export function childrenOf(of: StructureField): FieldList {
  return of.parts?.() ?? NO_PARTS;
}

/**
 * Returns the fields that contain the byte at `fileOffset`, from the file inwards. Omits fields
 * whose bytes are not loaded. Empty for an offset outside the file.
 */
export function fieldsAt(
  model: ObjectModel,
  fileOffset: number,
  read: ReadBytes,
): StructureField[] {
  if (!Number.isInteger(fileOffset) || fileOffset < 0 || fileOffset >= model.size) return [];
  const chain: StructureField[] = [fileField(model, read)];
  for (let depth = 1; depth < MAX_DEPTH; depth++) {
    const last = chain.at(-1);
    const next = last === undefined ? null : childrenOf(last).childAt(fileOffset);
    if (next === null) break;
    chain.push(next);
  }
  return chain;
}

function fileParts(structure: FileStructure): FieldList {
  const { model } = structure;
  const pieces = regionPieces(model);
  return sequence(
    pieces.length,
    (i) => pieces.startOf(i),
    (i) => {
      const piece = pieces.at(i);
      return piece === undefined || piece.region === null
        ? gapField(model, piece ?? spanOf(0, 0), pieces.at(i + 1) ?? null)
        : regionField(structure, piece.region, piece);
    },
  );
}

function regionField(structure: FileStructure, region: Region, piece: Span): StructureField {
  const { model, read } = structure;
  const span = { start: piece.start, end: piece.end };
  const isWhole = span.start === region.start && span.end === region.end;
  if (region.what >= 0) return sectionField(structure, sectionIndex(region.what), span, isWhole);
  if (!isWhole) return partOfHeader(span);
  const table = fileTables(model)[RegionKind.fileTables - region.what];
  const own = formatModule(model);
  if (table !== undefined && own !== null) return own.tableField(structure, table, span);
  switch (region.what) {
    case RegionKind.elfHeader: {
      const block = elfHeaderBlock(model);
      const place = { endian: model.endian, read, addressBits: model.addressBits };
      return block === null ? partOfHeader(span) : headerField(block, place);
    }
    case RegionKind.sectionHeaders:
      return makeField('part', 'section headers', span, {
        cType: `Elf${model.addressBits}_Shdr[${model.sections.count}]`,
        source: gabi('Sections'),
        parts: () => sectionHeaders(structure, span),
      });
    case RegionKind.segments:
      return makeField('part', 'program headers', span, {
        cType: `Elf${model.addressBits}_Phdr[]`,
        source: PROGRAM_SOURCE,
        parts: () => programHeaders(structure, span, segmentSize(model)),
      });
    default: {
      const blob = ownBlobAt(structure, span.start);
      return makeField('part', 'BTF', span, {
        meaning: 'A BTF blob without a file around it',
        parts: blob === null ? null : () => blobParts(structure, blob, span),
      });
    }
  }
}

function partOfHeader(span: Span): StructureField {
  return makeField('part', 'part of a header table', span, {
    meaning: 'The rest overlaps other headers',
  });
}

/** Returns the field between regions: padding if the alignment of the next section explains it. */
function gapField(model: ObjectModel, gap: Span, next: RegionPiece | null): StructureField {
  const span = { start: gap.start, end: gap.end };
  const align = next === null ? 0 : (alignments(model).get(span.end) ?? model.addressBits / 8);
  return span.end - span.start < align && span.end % align === 0
    ? paddingField(span, `Aligns what follows to ${align} bytes`)
    : makeField('undescribed', 'not described', span, {
        meaning: 'No header describes these bytes',
      });
}

/** Alignments of sections by file offset. Sections without bytes are included. */
const alignments = memoized(({ sections }: ObjectModel): ReadonlyMap<number, number> => {
  const byOffset = new Map<number, number>();
  for (let i = 1; i < sections.count; i++) {
    const start = Number(sections.declaredOffset[i] ?? 0n);
    const align = Number(sections.addralign[i] ?? 0n);
    byOffset.set(start, Math.max(align, byOffset.get(start) ?? 0));
  }
  return byOffset;
});

/** Parts of a file that are no sections: few, whatever the file. */
import { type FileTable, fileTables } from '#analysis/objects/file-tables.ts';
import type { Span } from '#bytes/span.ts';
import type { ObjectModel } from '#model/object-model.ts';
import type { TypeTable } from '#model/type-table.ts';
import type { FilePart } from './file-parts.ts';
import type { Family } from './section-family.ts';

const FAMILY_OF_TABLE: Readonly<Record<FileTable['what'], Family>> = {
  'file-header': 'header',
  'optional-header': 'header',
  'section-headers': 'header',
  relocations: 'relocations',
  'symbolic-header': 'symbols',
  symbols: 'symbols',
  strings: 'symbols',
};

/** Headers and tables that lie in no section. */
export function* namedParts(model: ObjectModel): Generator<FilePart> {
  const { sections } = model;
  for (const { start, end, label, what } of fileTables(model)) {
    yield named(FAMILY_OF_TABLE[what], label, { start, end });
  }
  const header = model.headers.find((block) => block.title === 'ELF header');
  if (header !== undefined) yield named('header', 'ELF header', header.span);
  const table = sections.headerOffset[0];
  if (header !== undefined && table !== undefined && sections.count > 0) {
    const end = table + sections.count * sections.headerSize;
    yield named('header', 'section headers', { start: table, end });
  }
}

/** What a raw BTF blob is made of. */
export function* blobParts(model: ObjectModel): Generator<FilePart> {
  const { types } = model;
  const [header] = model.headers;
  if (header !== undefined) yield named('header', header.title, header.span);
  if (types === null || types.fileOffset === null) return;
  const at = types.fileOffset;
  yield* notEmpty(named('btf', 'types', shifted(typeBytes(types), at)));
  yield* notEmpty(
    named('symbols', 'strings', shifted({ start: types.strStart, end: types.strEnd }, at)),
  );
  const field = (name: string) =>
    Number(header?.fields.find((each) => each.name === name)?.value ?? 0);
  const start = field('hdr_len') + field('layout_off');
  yield* notEmpty(named('btf', 'layout', shifted({ start, end: start + field('layout_len') }, at)));
}

function* notEmpty(part: FilePart): Generator<FilePart> {
  if (part.end > part.start) yield part;
}

function typeBytes({ recordOff, count }: TypeTable): Span {
  return { start: recordOff[0] ?? 0, end: recordOff[count] ?? 0 };
}

function shifted(span: Span, by: number): Span {
  return { start: span.start + by, end: span.end + by };
}

function named(family: Family, label: string, span: Span): FilePart {
  return { start: span.start, end: span.end, family, label, section: null, merged: 1 };
}

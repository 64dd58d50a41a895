/**
 * The file as a row of parts, from the first byte to the last: headers,
 * sections, and what lies in no section. Drawn to scale by `FileMap`.
 */
import { type FileTable, fileTables } from '#analysis/file-tables.ts';
import type { Span } from '#bytes/span.ts';
import { type SectionIndex, sectionIndex } from '#model/ids.ts';
import type { ObjectModel } from '#model/object-model.ts';
import { sectionName } from '#model/sections.ts';
import type { TypeTable } from '#model/type-table.ts';
import { type Family, sectionFamily } from './section-family.ts';

export type FilePart = Span & {
  readonly family: Family;
  /** Raw text: a section's name, or what we call it. */
  readonly label: string;
  readonly section: SectionIndex | null;
  /** How many parts of the file are drawn as this one; more than 1 for small neighbours. */
  readonly merged: number;
};

/** All parts in the order of the file, gaps told. Where sections overlap, both are parts. */
export function fileParts(model: ObjectModel): FilePart[] {
  const known = [...(model.format === 'btf' ? blobParts(model) : sectionParts(model))].sort(
    (a, b) => a.start - b.start || a.end - b.end,
  );
  const parts: FilePart[] = [];
  let end = 0;
  for (const part of known) {
    if (part.start >= model.size) break;
    if (part.start > end) parts.push(gap(end, part.start));
    end = Math.max(end, Math.min(part.end, model.size));
    parts.push(part.end <= model.size ? part : { ...part, end: model.size });
  }
  if (end < model.size) parts.push(gap(end, model.size));
  return parts;
}

function gap(start: number, end: number): FilePart {
  return { start, end, family: 'gap', label: 'in no section', section: null, merged: 1 };
}

const FAMILY_OF_TABLE: Readonly<Record<FileTable['what'], Family>> = {
  'file-header': 'header',
  'optional-header': 'header',
  'section-headers': 'header',
  relocations: 'relocations',
  'symbolic-header': 'symbols',
  symbols: 'symbols',
  strings: 'symbols',
};

function* sectionParts(model: ObjectModel): Generator<FilePart> {
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
  for (let i = 1; i < sections.count; i++) {
    const section = sectionIndex(i);
    const start = sections.fileOffset[i] ?? 0;
    const length = sections.byteLength[i] ?? 0;
    if (length === 0) continue;
    yield {
      start,
      end: start + length,
      family: sectionFamily(model, section),
      label: sectionName(sections, section) || `section ${i}`,
      section,
      merged: 1,
    };
  }
}

function* blobParts(model: ObjectModel): Generator<FilePart> {
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

/** A part as it is drawn: `shown` is its length without what earlier parts already cover. */
export type DrawnPart = FilePart & { readonly shown: number };

/** Parts that are drawn by themselves; the strip has room for twice as many and their neighbours. */
const LARGEST = 40;

/**
 * The parts of the strip. Alignment between sections is left out, parts that lie
 * inside others are not seen, and of many parts the small ones are drawn
 * together, so that each can be pointed at.
 */
export function drawnParts(parts: readonly FilePart[], fileSize: number): DrawnPart[] {
  const drawn: DrawnPart[] = [];
  let end = 0;
  for (const part of parts) {
    const shown = part.end - Math.max(part.start, end);
    end = Math.max(end, part.end);
    if (part.family === 'gap' && shown < Math.max(16, fileSize / 500)) continue;
    if (shown > 0) drawn.push({ ...part, shown });
  }
  return drawn.length <= 2 * LARGEST ? drawn : mergeSmall(drawn);
}

function mergeSmall(parts: readonly DrawnPart[]): DrawnPart[] {
  const largest = new Set([...parts].sort((a, b) => b.shown - a.shown).slice(0, LARGEST));
  const merged: DrawnPart[] = [];
  let run: DrawnPart[] = [];
  const flush = () => {
    const [first] = run;
    if (first !== undefined) merged.push(run.length === 1 ? first : joined(first, run));
    run = [];
  };
  for (const part of parts) {
    if (!largest.has(part)) {
      run.push(part);
      continue;
    }
    flush();
    merged.push(part);
  }
  flush();
  return merged;
}

function joined(first: DrawnPart, run: readonly DrawnPart[]): DrawnPart {
  const isOneFamily = run.every((part) => part.family === first.family);
  return {
    start: first.start,
    end: run.reduce((end, part) => Math.max(end, part.end), 0),
    family: isOneFamily ? first.family : 'other',
    label: `${run.length} small parts`,
    section: null,
    merged: run.length,
    shown: run.reduce((sum, part) => sum + part.shown, 0),
  };
}

/** Bytes of the file in each family, in the order of the families as they first occur. */
export function familySizes(parts: readonly DrawnPart[]): { family: Family; size: number }[] {
  const sizes = new Map<Family, number>();
  for (const { family, shown } of parts) sizes.set(family, (sizes.get(family) ?? 0) + shown);
  return [...sizes].map(([family, size]) => ({ family, size }));
}

/** The drawn part that holds the byte at `fileOffset`; -1 when none does. */
export function partAt(parts: readonly DrawnPart[], fileOffset: number): number {
  return parts.findIndex((part) => fileOffset >= part.start && fileOffset < part.end);
}

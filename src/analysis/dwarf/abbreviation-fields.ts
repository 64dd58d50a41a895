/** Shows `.debug_abbrev` as fields: tables, abbreviations, attributes. Source: DWARF 5, 7.5.3. */
import type { FileStructure } from '#analysis/fields/context.ts';
import {
  type FieldList,
  makeField,
  NO_PARTS,
  type StructureField,
} from '#analysis/fields/field.ts';
import { memoized } from '#bytes/cache.ts';
import type { Span } from '#bytes/span.ts';
import { hexText } from '#bytes/text.ts';
import { attributeName, DW_FORM, formName, tagName } from '#formats/dwarf/constants.ts';
import { DwarfCursor } from '#formats/dwarf/leb128.ts';
import type { SectionIndex } from '#model/ids.ts';
import type { ObjectModel } from '#model/object-model.ts';
import { bytesOf, type SectionBytes } from './debug-sections.ts';
import { FieldRun, faultOf, listOf, notRead } from './field-run.ts';
import { findRecords, type Records, recordFields } from './records.ts';

const SOURCE = 'DWARF 5, 7.5.3 Abbreviations Tables';
/** Largest section in bytes whose tables are listed. */
const MAX_LISTED = 8 << 20;

const knownAttributes = memoized((_: ObjectModel) => new Map<number, ReadonlySet<number>>());
const knownTables = memoized((_: ObjectModel) => new Map<number, Records>());

/** Returns the tables of `.debug_abbrev`; none until the section is loaded. */
export function abbrevParts(
  structure: FileStructure,
  section: SectionIndex,
  span: Span,
): FieldList {
  const size = span.end - span.start;
  if (size > MAX_LISTED) return listOf(span, [], (at) => notRead(at, 'Too large to list'));
  const bytes = bytesOf(structure, section, 0, size);
  if (bytes === null) return NO_PARTS;
  const known = knownTables(structure.model);
  const tables = known.get(section) ?? findRecords(bytes, 0, size, skipTable);
  known.set(section, tables);
  return recordFields(bytes, tables, span, (at, own) =>
    makeField('part', `abbreviations ${hexText(at)}`, own, {
      meaning: 'Table of abbreviations of a unit',
      source: SOURCE,
      parts: () => tableParts(bytes, at, own),
    }),
  );
}

function skipTable(cursor: DwarfCursor): void {
  while (skipAbbreviation(cursor));
}

/** Returns true if an abbreviation has the attribute; null until the section is loaded. */
export function hasAttribute(
  structure: FileStructure,
  section: SectionIndex,
  attribute: number,
): boolean | null {
  const { model } = structure;
  const size = model.sections.byteLength[section] ?? 0;
  if (size > MAX_LISTED) return true;
  const known = knownAttributes(model);
  const cached = known.get(section);
  if (cached !== undefined) return cached.has(attribute);
  const bytes = bytesOf(structure, section, 0, size);
  if (bytes === null) return null;
  const attributes = new Set<number>();
  const cursor = new DwarfCursor(bytes.linked, 0);
  faultOf(() => {
    while (cursor.at < size) skipAbbreviation(cursor, attributes);
  });
  known.set(section, attributes);
  return attributes.has(attribute);
}

/** Moves past an abbreviation. Returns false if it was the zero that ends a table. */
function skipAbbreviation(cursor: DwarfCursor, attributes?: Set<number>): boolean {
  if (cursor.uleb() === 0) return false;
  cursor.skipLeb();
  cursor.u8();
  for (;;) {
    const attribute = cursor.uleb();
    const form = cursor.uleb();
    if (attribute === 0 && form === 0) return true;
    attributes?.add(attribute);
    if (form === DW_FORM.implicit_const) cursor.skipLeb();
  }
}

function tableParts(bytes: SectionBytes, start: number, span: Span): FieldList {
  const end = start + span.end - span.start;
  const rows = findRecords(bytes, start, end, (cursor) => {
    skipAbbreviation(cursor);
  });
  return recordFields(bytes, rows, span, (at, own) => abbreviationField(bytes, at, own));
}

function abbreviationField(bytes: SectionBytes, at: number, span: Span): StructureField {
  const cursor = new DwarfCursor(bytes.linked, at);
  const code = cursor.uleb();
  if (code === 0) {
    return makeField('padding', 'end of the table', span, {
      meaning: 'A zero ends the table',
      source: SOURCE,
    });
  }
  return makeField('entry', `${code} ${tagName(cursor.uleb())}`, span, {
    source: SOURCE,
    parts: () => abbreviationParts(bytes, at, span),
  });
}

function abbreviationParts(bytes: SectionBytes, at: number, span: Span): FieldList {
  const run = new FieldRun(bytes, at, SOURCE);
  const fault = faultOf(() => {
    run.uleb('code');
    run.uleb('tag', tagName);
    run.number('children', 1, { meaning: (value) => (value === 0n ? 'no' : 'yes') });
    for (;;) {
      const attribute = run.uleb('attribute', (value) =>
        value === 0 ? 'ends the attributes' : attributeName(value),
      );
      const form = run.uleb('form', (value) => (value === 0 ? '' : formName(value)));
      if (attribute === 0 && form === 0) return;
      if (form === DW_FORM.implicit_const) run.sleb('value');
    }
  });
  return listOf(span, run.fields, (rest) => notRead(rest, fault));
}

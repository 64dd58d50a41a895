/** Describes compact relocations: Tru64 UNIX Object File Specification, 4.4.2.4 to 4.4.2.6. */
import {
  type EntryField,
  NO_DETAIL,
  type RelocationDetail,
  type RelocationMeaning,
  type SiteMark,
} from '#analysis/objects/relocation-facts.ts';
import { type Cases, caseOf } from '#bytes/one-of.ts';
import { spanOf } from '#bytes/span.ts';
import { counted, hexText } from '#bytes/text.ts';
import type { CompactMeaning, CompactRecord } from '#formats/ecoff/compact.ts';
import { rawDataOf } from '#formats/ecoff/ecoff-file.ts';
import { immedName, sectionNumberName } from '#formats/ecoff/relocations.ts';
import { type RelocIndex, sectionIndex } from '#model/ids.ts';
import type { ObjectModel } from '#model/object-model.ts';
import { compactPlace, compactPlaceCount } from './compact-places.ts';
import { compactInfix } from './expression.ts';
import type { CompactRow } from './rows.ts';

/** Returns the meaning of row `reloc`, a compact record. */
export function compactMeaning(
  model: ObjectModel,
  row: CompactRow,
  reloc: RelocIndex,
): RelocationMeaning {
  const { record, section } = row;
  const target = model.relocations.targetSection[reloc] ?? -1;
  const marks = marksOf(row);
  const [first] = marks;
  return {
    typeName: record.typeName ?? `compact type ${record.type}`,
    known: record.typeName !== null,
    formula: '',
    symbolText: symbolText(record.meaning),
    symbolValue: null,
    addend: null,
    result: null,
    site:
      section === null || record.meaning.kind === 'adjust'
        ? null
        : {
            section: sectionIndex(target),
            byteOffset: record.vOffset,
            bitSize: first?.bitLength ?? 0,
          },
    siteSpan: first?.span ?? null,
    marks,
    target: null,
    belongsTo: 'other',
    words: `${sentence(row)}${row.isAdjusted ? ADJUSTED : ''}`,
    numbers: '',
  };
}

function marksOf({ file, section, record }: CompactRow): readonly SiteMark[] {
  if (section === null) return [];
  const { length } = rawDataOf(file, section);
  const marks: SiteMark[] = [];
  for (let i = 0; i < compactPlaceCount(record); i++) {
    const { byteOffset, byteCount, bitLength, role } = compactPlace(record, i);
    if (byteOffset + byteCount > length) continue;
    const span = spanOf(Number(section.sScnptr) + byteOffset, byteCount);
    marks.push({ span, bitStart: 0, bitLength, role });
  }
  return marks;
}

function symbolText(meaning: CompactMeaning): string {
  switch (meaning.kind) {
    case 'address':
    case 'other':
    case 'immed-low':
      return sectionNumberName(meaning.relScn) ?? `<section ${meaning.relScn}>`;
    default:
      return '';
  }
}

const ADJUSTED =
  ' Its place is unknown: a VADJUST before it moves the base by a number whose unit is not published.';

function sentence(row: CompactRow): string {
  const { meaning, typeName, type } = row.record;
  const name = symbolText(meaning);
  switch (meaning.kind) {
    case 'address':
      if (meaning.count === 0) {
        return `A run of 0 references relative to ${name}, which the document does not allow.`;
      }
      return meaning.count === 1
        ? `One reference relative to ${name}, which the prediction misses.`
        : `${meaning.count} references in a row, relative to ${name}, which the prediction misses.`;
    case 'gpdisp':
      return `A gp load whose lda is ${counted(meaning.ldaOffset, 'instruction')} after this one.`;
    case 'other':
      return meaning.isAssumed
        ? `A reference relative to ${name}. The document does not give the layout of its bits; they are read as those of a branch.`
        : `A reference relative to ${name}, which the prediction misses.`;
    case 'expression':
      if (meaning.index >= row.compact.expressions.count) {
        return `An expression at entry ${meaning.index} of the expression table, where the table ends at entry ${row.compact.expressions.count}.`;
      }
      return `An expression that begins at entry ${meaning.index} of the expression table: ${compactInfix(row.compact, meaning.index)}.`;
    case 'immed-high':
      return `The high half of a sequence that computes an address (${immedName(meaning.subop) ?? `subtype ${meaning.subop}`}).`;
    case 'immed-low':
      return `The low half of a sequence that computes an address (${immedName(meaning.subop) ?? `subtype ${meaning.subop}`}), relative to ${name}.`;
    case 'adjust':
      return `Moves the base that later offsets count from by ${meaning.adjust}. The document does not give the unit.`;
    case 'nothing':
      return typeName === null
        ? `Type ${type} is not in the document.`
        : 'No relocation here, although the prediction expects one.';
  }
}

/** Returns the stored fields of a compact record; nothing is computed. */
export function compactDetail({ compact, record }: CompactRow): RelocationDetail {
  const { meaning } = record;
  const infix = meaning.kind === 'expression' ? [compactInfix(compact, meaning.index)] : [];
  return {
    ...NO_DETAIL,
    fields: [
      field('v_offset', `0x${record.vOffset.toString(16)}`, 'bytes from the start of the section'),
      field('type', `${record.type}`, record.typeName ?? ''),
      ...caseOf(FIELDS, 'kind', meaning, record),
    ],
    group:
      infix.length === 0
        ? null
        : {
            title: 'Expression',
            about: 'Its entries are in the expression table of the compact relocations.',
            error: null,
            infix,
            stops: [],
          },
  };
}

/** Returns the places of a run: `references in a row, v_offset 0x20 to 0x2c`. */
function runText(record: CompactRecord, count: number): string {
  if (count < 2) return 'references in a row';
  const last = compactPlace(record, count - 1).byteOffset;
  return `references in a row, v_offset ${hexText(record.vOffset)} to ${hexText(last)}`;
}

const FIELDS: Cases<'kind', CompactMeaning, [CompactRecord], readonly EntryField[]> = {
  address: (meaning, record) => [
    relScn(meaning.relScn),
    field('count', `${meaning.count}`, runText(record, meaning.count)),
  ],
  gpdisp: (meaning) => [field('lda_offset', `${meaning.ldaOffset}`, 'instructions to the lda')],
  other: (meaning) => [relScn(meaning.relScn)],
  expression: (meaning) => [field('index', `${meaning.index}`, 'in the expression table')],
  'immed-high': (meaning) => [subop(meaning.subop), field('br_offset', `${meaning.brOffset}`, '')],
  'immed-low': (meaning) => [subop(meaning.subop), relScn(meaning.relScn)],
  adjust: (meaning) => [field('adjust', `${meaning.adjust}`, '')],
  nothing: () => [],
};

function relScn(number: number): EntryField {
  return field('rel_scn', `${number}`, sectionNumberName(number) ?? '');
}

function subop(number: number): EntryField {
  return field('subop', `${number}`, immedName(number) ?? '');
}

function field(name: string, value: string, meaning: string): EntryField {
  return { name, value, meaning };
}

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
import type { CompactMeaning } from '#formats/ecoff/compact.ts';
import { rawDataOf } from '#formats/ecoff/ecoff-file.ts';
import { immedName, sectionNumberName } from '#formats/ecoff/relocations.ts';
import { type RelocIndex, sectionIndex } from '#model/ids.ts';
import type { ObjectModel } from '#model/object-model.ts';
import { compactInfix } from './expression.ts';
import type { CompactRow } from './rows.ts';

/** Compact record type CMRLC_GPDISP. */
const GPDISP = 4;

/** By compact record type: size of the patched site in bytes, and number of patched bits. */
const SHAPES: ReadonlyMap<number, readonly [byteCount: number, bitLength: number]> = new Map([
  [1, [4, 32]],
  [2, [8, 64]],
  [3, [4, 32]],
  [GPDISP, [4, 16]],
  [5, [4, 21]],
  [6, [4, 14]],
  [7, [2, 16]],
  [8, [4, 32]],
  [9, [8, 64]],
  [11, [4, 16]],
  [12, [4, 16]],
  [15, [4, 16]],
  [16, [4, 16]],
]);

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
      section === null
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
    words: sentence(row),
    numbers: '',
  };
}

function marksOf({ file, section, record }: CompactRow): readonly SiteMark[] {
  const shape = SHAPES.get(record.type);
  if (shape === undefined || section === null) return [];
  const [byteCount, bitLength] = shape;
  const { length } = rawDataOf(file, section);
  const mark = (byteOffset: number, role: string): readonly SiteMark[] => {
    const span = spanOf(Number(section.sScnptr) + byteOffset, byteCount);
    return byteOffset + byteCount > length ? [] : [{ span, bitStart: 0, bitLength, role }];
  };
  const { meaning, vOffset } = record;
  if (meaning.kind === 'gpdisp') {
    return [...mark(vOffset, 'first'), ...mark(vOffset + 4 * meaning.ldaOffset, 'partner')];
  }
  return mark(vOffset, meaning.kind === 'address' ? 'data' : 'displacement');
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

function sentence(row: CompactRow): string {
  const { meaning, typeName, type } = row.record;
  const name = symbolText(meaning);
  switch (meaning.kind) {
    case 'address':
      return meaning.count === 1
        ? `One reference relative to ${name}, which the prediction misses.`
        : `${meaning.count} references in a row, relative to ${name}, which the prediction misses.`;
    case 'gpdisp':
      return `A gp load whose lda is ${meaning.ldaOffset} instructions after this one.`;
    case 'other':
      return meaning.isAssumed
        ? `A reference relative to ${name}. The document does not give the layout of its bits; they are read as those of a branch.`
        : `A reference relative to ${name}, which the prediction misses.`;
    case 'expression':
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
      ...caseOf(FIELDS, 'kind', meaning),
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

const FIELDS: Cases<'kind', CompactMeaning, [], readonly EntryField[]> = {
  address: (meaning) => [
    relScn(meaning.relScn),
    field('count', `${meaning.count}`, 'references in a row'),
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

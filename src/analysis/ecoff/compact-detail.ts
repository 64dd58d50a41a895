/** The detail of a compact relocation record: its two words, taken apart. */
import {
  type EntryField,
  NO_DETAIL,
  type RelocationDetail,
} from '#analysis/objects/relocation-facts.ts';
import type { CompactMeaning } from '#formats/ecoff/compact.ts';
import { immedName, sectionNumberName } from '#formats/ecoff/relocations.ts';
import { compactInfix } from './compact-expression.ts';
import type { CompactRow } from './rows.ts';

/** All that is known of the record; nothing is computed from it. */
export function compactDetail({ compact, record }: CompactRow): RelocationDetail {
  const { meaning } = record;
  const infix = meaning.kind === 'expression' ? [compactInfix(compact, meaning.index)] : [];
  return {
    ...NO_DETAIL,
    fields: [
      field('v_offset', `0x${record.vOffset.toString(16)}`, 'bytes from the start of the section'),
      field('type', `${record.type}`, record.typeName ?? ''),
      ...fieldsOf(meaning),
    ],
    group:
      infix.length === 0
        ? null
        : {
            title: 'Expression',
            about: 'Its entries stand in the expression table of the compact relocations.',
            error: null,
            infix,
            stops: [],
          },
  };
}

function fieldsOf(meaning: CompactMeaning): readonly EntryField[] {
  switch (meaning.kind) {
    case 'address':
      return [relScn(meaning.relScn), field('count', `${meaning.count}`, 'references in a row')];
    case 'gpdisp':
      return [field('lda_offset', `${meaning.ldaOffset}`, 'instructions to the lda')];
    case 'other':
      return [relScn(meaning.relScn)];
    case 'expression':
      return [field('index', `${meaning.index}`, 'in the expression table')];
    case 'immed-high':
      return [subop(meaning.subop), field('br_offset', `${meaning.brOffset}`, '')];
    case 'immed-low':
      return [subop(meaning.subop), relScn(meaning.relScn)];
    case 'adjust':
      return [field('adjust', `${meaning.adjust}`, '')];
    case 'nothing':
      return [];
  }
}

function relScn(number: number): EntryField {
  return field('rel_scn', `${number}`, sectionNumberName(number) ?? '');
}

function subop(number: number): EntryField {
  return field('subop', `${number}`, immedName(number) ?? '');
}

function field(name: string, value: string, meaning: string): EntryField {
  return { name, value, meaning };
}

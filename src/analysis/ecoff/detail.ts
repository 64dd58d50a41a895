/** Details of an entry for a layout: Tru64 UNIX Object File Specification, 4.2.1 and 4.3.4. */
import {
  type EntryField,
  NO_DETAIL,
  type RelocationDetail,
  type StackState,
  type StackValue,
  type Variant,
  type WordPart,
} from '#analysis/objects/relocation-facts.ts';
import { hexText } from '#bytes/text.ts';
import type { EcoffFile } from '#formats/ecoff/ecoff-file.ts';
import {
  R,
  relocationAt,
  relocationTypeName,
  sectionNumberName,
} from '#formats/ecoff/relocations.ts';
import type { RelocIndex } from '#model/ids.ts';
import type { ObjectModel } from '#model/object-model.ts';
import { compactDetail } from './compact-meaning.ts';
import { subtypeName, symbolText, symndxRole, symndxValue } from './entry-text.ts';
import { isStackType, newExpression, operandText, stepText } from './expression.ts';
import { groupDetail } from './group-detail.ts';
import { tableFacts } from './groups.ts';
import type { Layout } from './layout.ts';
import { rewritingOf } from './literal-use.ts';
import { halvesOf } from './patch.ts';
import { type Outcome, outcomeAt } from './relocate.ts';
import { type Formula, formulaOf, numbersText, resultText } from './relocation-formulas.ts';
import type { Reading } from './results.ts';
import { compactRow, type EntryRow, entryRow } from './rows.ts';
import { immedAddress } from './targets.ts';

/** Returns the details of row `reloc`. Never throws. */
export function ecoffDetail(
  model: ObjectModel,
  file: EcoffFile,
  reloc: RelocIndex,
  layout: Layout,
): RelocationDetail {
  const row = entryRow(model, file, reloc);
  if (row === null) {
    const compact = compactRow(model, file, reloc);
    return compact === null ? NO_DETAIL : compactDetail(compact);
  }
  const outcome = outcomeAt(file, row.table, layout, row.n);
  const formula = formulaOf(row.entry);
  return {
    fields: [
      { name: 'r_vaddr', value: `0x${row.entry.rVaddr.toString(16)}`, meaning: '' },
      {
        name: 'r_symndx',
        value: `${symndxValue(row.entry)}`,
        meaning: symndxWords(row.file, row.entry),
      },
      ...addressFields(row),
    ],
    word: { label: 'Bits behind r_symndx', parts: wordParts(row) },
    variants: outcome === null ? [] : variantsOf(formula, outcome),
    reason: formula.reason,
    restriction: formula.restriction,
    problem: outcome?.problem ?? null,
    group: groupDetail(row),
    stack: stackAt(row, layout),
    rewriting: rewritingOf(row, layout),
  };
}

/** Returns the address that the instructions of an IMMED entry compute, as a field. */
function addressFields(row: EntryRow): readonly EntryField[] {
  const address = immedAddress(row);
  if (address === null) return [];
  return [{ name: 'address', value: hexText(address.value), meaning: address.words }];
}

function symndxWords(file: EcoffFile, entry: EntryRow['entry']): string {
  switch (symndxRole(entry)) {
    case 'external':
      return `external symbol ${symbolText(file, entry)}`;
    case 'section':
      return `section ${sectionNumberName(entry.rSymndx) ?? 'without a meaning'}`;
    case 'lituse-subtype':
      return subtypeName(entry) ?? 'an unnamed use';
    case 'distance-to-partner':
      return 'bytes to the other instruction';
    case 'distance-to-branch':
      return 'bytes to the branch';
    case 'gp-delta':
      return 'added to gp_value';
    default:
      return entry.rSymndx === 0 ? '' : 'not used';
  }
}

/** Returns the bit-fields of an entry, `r_size` to `r_type`, highest bit first. */
function wordParts({ entry }: EntryRow): readonly WordPart[] {
  const isStore = entry.rType === R.opStore;
  const size = isStore
    ? storeSize(entry.rSize)
    : entry.rType === R.immed
      ? subtypeName(entry)
      : null;
  const name = relocationTypeName(entry.rType);
  return [
    { field: 'r_size', length: 6, value: BigInt(entry.rSize), meaning: size ?? '' },
    { field: 'r_reserved', length: 11, value: BigInt(entry.rReserved), meaning: '' },
    {
      field: 'r_offset',
      length: 6,
      value: BigInt(entry.rOffset),
      meaning: isStore ? 'lowest bit' : '',
    },
    {
      field: 'r_extern',
      length: 1,
      value: entry.rExtern ? 1n : 0n,
      meaning: entry.rExtern ? 'external' : 'local',
    },
    {
      field: 'r_type',
      length: 8,
      value: BigInt(entry.rType),
      meaning: name === null ? '' : `R_${name}`,
    },
  ];
}

function storeSize(rSize: number): string {
  return rSize === 0 ? '64 bits' : `${rSize} bits`;
}

const READINGS: readonly (readonly [Exclude<Reading, 'meant'>, string])[] = [
  ['document', 'The document'],
  ['ld', 'GNU ld 2.40'],
];

/** Returns the document's result, GNU ld's if it differs, and the correct one if both are wrong. */
function variantsOf(formula: Formula, outcome: Outcome): readonly Variant[] {
  const variants: Variant[] = [];
  const meant = outcome.results?.meant ?? null;
  for (const [reading, by] of READINGS) {
    const text = formula[reading];
    if (text === null) continue;
    const value = outcome.results?.[reading] ?? null;
    variants.push({
      by,
      formula: text,
      numbers: numbersText(text, outcome, reading),
      value: value === null ? '' : valueText(outcome, value),
      isMeant: value !== null && value === meant,
    });
  }
  if (meant !== null && variants.every(({ isMeant }) => !isMeant)) {
    variants.push({
      by: 'Correct value',
      formula: '',
      numbers: '',
      value: valueText(outcome, meant),
      isMeant: true,
    });
  }
  return variants;
}

/** Returns the text of a result; for a pair of instructions also the values of both halves. */
function valueText({ entry, sites }: Outcome, value: bigint): string {
  const text = resultText(entry.rType, value);
  if (sites.length < 2) return text;
  const { high, low } = halvesOf(value);
  return `${text}: high ${BigInt.asIntN(16, high)}, low ${BigInt.asIntN(16, low)}`;
}

/** Returns the stack after a stack entry, as formulas and as numbers; null for other entries. */
function stackAt(row: EntryRow, layout: Layout): StackState | null {
  const { file, table, n, entry } = row;
  if (!isStackType(entry.rType)) return null;
  const { groups, groupOf } = tableFacts(file, table);
  const members = groups[groupOf[n] ?? -1]?.members ?? [n];
  const texts = newExpression();
  const values: (bigint | null)[] = [];
  let problem: string | null = null;
  let stored: StackValue | null = null;
  for (const at of members) {
    if (at > n) break;
    const outcome = outcomeAt(file, table, layout, at);
    problem = stepText(file, texts, relocationAt(table, at));
    stored = null;
    if (problem !== null || outcome === null) continue;
    const top = stepValue(values, outcome);
    if (outcome.entry.rType === R.opStore) {
      stored = { text: texts.stored.at(-1) ?? '', value: masked(outcome, top) };
    }
  }
  return {
    does: doesText(row),
    stack: texts.stack.map((text, i) => ({ text, value: values[i] ?? null })),
    stored,
    problem,
  };
}

/** Applies an entry to the stack of numbers. Returns the popped value, or the new top. */
function stepValue(values: (bigint | null)[], { entry, stack }: Outcome): bigint | null {
  const top = stack?.top ?? null;
  if (entry.rType !== R.opPush) values.pop();
  if (entry.rType !== R.opStore) values.push(top);
  return top;
}

/** Returns the value cut to the width of the entry's field. */
function masked({ entry }: Outcome, value: bigint | null): bigint | null {
  if (value === null) return null;
  return BigInt.asUintN(entry.rSize === 0 ? 64 : entry.rSize, value);
}

function doesText({ file, entry }: EntryRow): string {
  const name = (relocationTypeName(entry.rType) ?? '').replace('OP_', '');
  if (entry.rType !== R.opStore) return `${name} ${operandText(file, entry)}`;
  const size = entry.rSize === 0 ? 64 : entry.rSize;
  return `${name} ${size} bits at 0x${entry.rVaddr.toString(16)}${entry.rOffset === 0 ? '' : `, from bit ${entry.rOffset} on`}`;
}

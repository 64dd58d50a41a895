/** Checks a typed CO-RE value or count of a file, and explains likely wrong values. */
import { coreKind } from '#analysis/core/core-kinds.ts';
import { walkAccess } from '#analysis/core/parse-spec.ts';
import { localValue } from '#analysis/core/patch-insn.ts';
import type { CoreResult } from '#analysis/core/resolve.ts';
import { ProgramRows } from '#analysis/libbpf/programs.ts';
import type { Endian } from '#bytes/span.ts';
import { visible } from '#bytes/text.ts';
import { BtfKind } from '#formats/btf/kinds.ts';
import { type TypeId, typeId } from '#model/ids.ts';
import type { ObjectModel } from '#model/object-model.ts';
import { isComposite, memberCount } from '#model/type-items.ts';
import { kindOf, lastId, skipModifiers, type TypeTable } from '#model/type-table.ts';
import { type Answer, checkNumber, wrong } from './check-answer.ts';
import type { NearMiss } from './lesson.ts';

/** Helper number in the call that libbpf writes over an instruction it cannot relocate. */
const POISON = 0xbad2310n;
/** Largest number of members whose values are compared with a wrong answer. */
const MAX_NEIGHBOURS = 512;

/** Checks a typed value. If `result` has no value, the right answer is `poison`. */
export function checkValue(
  typed: string,
  result: CoreResult,
  types: TypeTable | null,
  endian: Endian,
): Answer {
  const saysPoison = /^poison(ed)?$/i.test(typed.trim());
  const { decision } = result;
  const isPoisoned = result.status === 'poisoned' || decision === null || decision.poison;
  if (isPoisoned) return checkPoison(typed, saysPoison, result);
  if (saysPoison) {
    return wrong(`It is not poisoned there: ${visible(result.reason)}`);
  }
  const { newVal, origVal } = decision;
  if (numberIn(typed) === POISON) {
    return wrong('That is the call of a poisoned instruction; this one has a value.');
  }
  const before: NearMiss = {
    value: origVal,
    means: 'what the object holds before it is relocated',
  };
  const misses = types === null ? [] : nearMissesOf(result, types, endian);
  return checkNumber(typed, newVal, {
    unit: null,
    why: '',
    nearMisses: [before, ...misses].filter(({ value }) => value !== newVal),
  });
}

function checkPoison(typed: string, saysPoison: boolean, { reason, decision }: CoreResult): Answer {
  const number = numberIn(typed);
  if (saysPoison || number === POISON) {
    return { isRight: true, why: `It is poisoned: ${visible(reason)}` };
  }
  if (number !== null && number === decision?.origVal) {
    return wrong(
      `${typed.trim().replaceAll('_', '')} is what the object holds before it is relocated; that kernel has no value for it.`,
    );
  }
  return wrong('There is no value: answer “poison”. The CO-RE tab shows why.');
}

/** Returns the typed number; null if the text is not a number. */
function numberIn(typed: string): bigint | null {
  const text = typed.trim();
  return /^(\d[\d_]*|0x[0-9a-f_]+)$/i.test(text) ? BigInt(text.replaceAll('_', '')) : null;
}

/** Returns the field's values for other relocation kinds, and the values of nearby fields. */
function nearMissesOf(result: CoreResult, types: TypeTable, endian: Endian): NearMiss[] {
  const { record, targetSpec } = result;
  const group = coreKind(record.kind)?.group ?? null;
  if (targetSpec === null || group === null || group === 'type') return [];
  const { root, raw } = targetSpec;
  const misses: NearMiss[] = [];
  const accessStr = raw.join(':');
  if (group === 'field') {
    for (const [kind, means] of FIELD_VALUES) {
      if (kind === record.kind) continue;
      const path = walkAccess(types, root, accessStr, kind);
      const { value } = localValue(types, path, kind, endian);
      if (value !== null) misses.push({ value, means });
    }
  }
  return [...misses, ...neighbours(result, types, endian)];
}

/** Relocation kinds whose values learners confuse, with the explanation of a wrong answer. */
const FIELD_VALUES: readonly (readonly [number, string])[] = [
  [0, 'the byte offset of the field there; the question asks for another value'],
  [1, 'the size of the field there; the question asks for another value'],
  [4, 'the left shift; the question asks for another value'],
  [5, 'the right shift; the question asks for another value'],
];

/** Returns the values of the other members, elements or enumerators of the same type. */
function neighbours(
  { record, targetSpec }: CoreResult,
  types: TypeTable,
  endian: Endian,
): NearMiss[] {
  if (targetSpec === null) return [];
  const { root, raw } = targetSpec;
  const above = raw.slice(0, -1);
  const rightIndex = raw.at(-1) ?? 0;
  const count = countBeside(types, root, above, record.kind);
  const misses: NearMiss[] = [];
  for (let index = 0; index < Math.min(count, MAX_NEIGHBOURS); index++) {
    if (index === rightIndex) continue;
    const path = walkAccess(types, root, [...above, index].join(':'), record.kind);
    const name = path.steps.at(-1)?.name ?? '';
    const { value } = localValue(types, path, record.kind, endian);
    if (value === null || name === '') continue;
    misses.push({ value, means: `that of ${visible(name)}, a neighbouring one` });
  }
  return misses;
}

function countBeside(
  types: TypeTable,
  root: TypeId,
  above: readonly number[],
  kind: number,
): number {
  if (coreKind(kind)?.group === 'enum') return MAX_NEIGHBOURS;
  const path = walkAccess(types, root, above.join(':'), kind);
  const container = skipModifiers(types, path.leaf);
  return above.length > 0 && path.error === null && isComposite(kindOf(types, container))
    ? memberCount(types, container)
    : 0;
}

/** For each word after `ask count`: what it means, and how to count in a file. */
const COUNTS = {
  sections: { means: 'the number of ELF sections', of: ({ sections }) => sections.count },
  symbols: { means: 'the number of symbols', of: ({ symbols }) => symbols.count },
  programs: { means: 'the number of programs', of: (model) => new ProgramRows(model).programCount },
  types: { means: 'the number of types', of: ({ types }) => types?.count ?? 0 },
  variables: { means: 'the number of variables', of: variableCount },
  relocations: {
    means: 'the number of ELF relocations',
    of: ({ relocations }) => relocations.count,
  },
  core: { means: 'the number of CO-RE relocations', of: ({ ext }) => ext.core.count },
} as const satisfies Readonly<
  Record<string, { readonly means: string; readonly of: (model: ObjectModel) => number }>
>;

export type Counted = keyof typeof COUNTS;

export const COUNTED = Object.keys(COUNTS) as readonly Counted[];

function variableCount({ types }: ObjectModel): number {
  let count = 0;
  if (types === null) return count;
  for (let id = types.firstId; id <= lastId(types); id++) {
    if (kindOf(types, typeId(id)) === BtfKind.VAR) count++;
  }
  return count;
}

export function countIn(model: ObjectModel, what: Counted): number {
  return COUNTS[what].of(model);
}

/** Checks a typed count. The explanation of a wrong number names the count that equals it. */
export function checkCount(typed: string, model: ObjectModel, what: Counted): Answer {
  const misses = COUNTED.filter((counted) => counted !== what).map((counted) => ({
    value: BigInt(countIn(model, counted)),
    means: COUNTS[counted].means,
  }));
  const right = countIn(model, what);
  return checkNumber(typed, BigInt(right), {
    unit: null,
    why: right === 0 ? 'This file has none.' : '',
    nearMisses: misses.filter(({ value }) => value !== 0n),
  });
}

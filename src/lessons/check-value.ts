/**
 * The answer to "what does this record become on that kernel?", and the meaning of likely wrong
 * answers.
 */
import { coreKind } from '#analysis/core/core-kinds.ts';
import { localValue } from '#analysis/core/core-patch.ts';
import { walkAccess } from '#analysis/core/parse-spec.ts';
import type { CoreResult } from '#analysis/core/resolve.ts';
import type { Endian } from '#bytes/span.ts';
import { visible } from '#bytes/text.ts';
import type { TypeId } from '#model/ids.ts';
import { isComposite, memberCount } from '#model/type-items.ts';
import { kindOf, skipModifiers, type TypeTable } from '#model/type-table.ts';
import { type Answer, checkNumber, wrong } from './check-answer.ts';
import type { NearMiss } from './lesson.ts';

/** The number of the helper that libbpf calls in place of an instruction that cannot be relocated. */
const POISON = 0xbad2310n;
/** Members beside the right one that are looked at. */
const MAX_NEIGHBOURS = 512;

/**
 * `result` is what libbpf makes of the record on the target, `types` are those of the
 * target, null where they are not at hand. Where the record has no value there, the
 * answer is that it is poisoned.
 */
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
  const near = types === null ? [] : nearMisses(result, types, endian);
  return checkNumber(typed, newVal, {
    unit: null,
    why: '',
    others: [before, ...near].filter(({ value }) => value !== newVal),
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

/** The number that is typed; null where it is something else. */
function numberIn(typed: string): bigint | null {
  const text = typed.trim();
  return /^(\d[\d_]*|0x[0-9a-f_]+)$/i.test(text) ? BigInt(text.replaceAll('_', '')) : null;
}

/** Other questions about the same field, and the same question about its neighbours. */
function nearMisses(result: CoreResult, types: TypeTable, endian: Endian): NearMiss[] {
  const { record, targetSpec } = result;
  const group = coreKind(record.kind)?.group ?? null;
  if (targetSpec === null || group === null || group === 'type') return [];
  const { root, raw } = targetSpec;
  const near: NearMiss[] = [];
  const accessStr = raw.join(':');
  if (group === 'field') {
    for (const [kind, means] of OTHER_QUESTIONS) {
      if (kind === record.kind) continue;
      const path = walkAccess(types, root, accessStr, kind);
      const { value } = localValue(types, path, kind, endian);
      if (value !== null) near.push({ value, means });
    }
  }
  return [...near, ...neighbours(result, types, endian)];
}

const OTHER_QUESTIONS: readonly (readonly [number, string])[] = [
  [0, 'the byte offset of the field there; the question asks for another value'],
  [1, 'the size of the field there; the question asks for another value'],
  [4, 'the left shift; the question asks for another value'],
  [5, 'the right shift; the question asks for another value'],
];

/** The same question about the members, elements or enumerators beside the one that is meant. */
function neighbours(
  { record, targetSpec }: CoreResult,
  types: TypeTable,
  endian: Endian,
): NearMiss[] {
  if (targetSpec === null) return [];
  const { root, raw } = targetSpec;
  const above = raw.slice(0, -1);
  const own = raw.at(-1) ?? 0;
  const count = countBeside(types, root, above, record.kind);
  const near: NearMiss[] = [];
  for (let index = 0; index < Math.min(count, MAX_NEIGHBOURS); index++) {
    if (index === own) continue;
    const path = walkAccess(types, root, [...above, index].join(':'), record.kind);
    const name = path.steps.at(-1)?.name ?? '';
    const { value } = localValue(types, path, record.kind, endian);
    if (value === null || name === '') continue;
    near.push({ value, means: `that of ${visible(name)}, a neighbouring one` });
  }
  return near;
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

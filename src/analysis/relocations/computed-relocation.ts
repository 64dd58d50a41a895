/** A relocation entry as computed with given addresses, or with those of a linked file. */

import { formulaNumbers, formulaOf, formulaText } from '#formats/elf/relocations/formula.ts';
import type { RelocIndex } from '#model/ids.ts';
import type { ObjectModel } from '#model/object-model.ts';
import type { Overflow, ValueRange } from './checks.ts';
import type { EvaluatedRelocation, LinkAddresses, SecondPlace } from './evaluated.ts';
import { dynamicAt, linkedPlace, MAX_GROUP, relaxedText } from './evaluated-row.ts';
import { TERMS } from './type-facts.ts';

export type ComputedTerm = {
  readonly name: string;
  readonly value: bigint | null;
  readonly meaning: string;
};

export type ComputedRelocation = {
  /** Formula with spaces; empty if there is none or it is not known. */
  readonly formula: string;
  /** The formula with numbers; empty while a term is unknown. */
  readonly numbers: string;
  /** Terms in the order in which the formula names them. */
  readonly terms: readonly ComputedTerm[];
  readonly value: bigint | null;
  readonly range: ValueRange | null;
  readonly overflow: Overflow | null;
  readonly before: Uint8Array | null;
  readonly after: Uint8Array | null;
  readonly second: SecondPlace | null;
  /** Bytes of the place in the linked file; null without one. */
  readonly linked: Uint8Array | null;
  /** What the linker did instead of the formula; null if it did as the formula says. */
  readonly relaxed: string | null;
  /** Entry that the dynamic linker applies to the place, as text; null if there is none. */
  readonly dynamic: string | null;
  /** Entries that are applied to one place one after another; null for other entries. */
  readonly group: readonly RelocIndex[] | null;
  /** Entry with the other half of the addend or the value; null for other entries. */
  readonly pair: RelocIndex | null;
  /** Why the value is unknown; empty if it is known or if there is none by design. */
  readonly why: string;
};

/** Returns the facts about an evaluated entry that a view shows. */
export function computedRelocation(
  model: ObjectModel,
  evaluated: EvaluatedRelocation,
  addresses: LinkAddresses,
): ComputedRelocation {
  const { formula, terms, value, range, overflow, before, after, second, why } = evaluated;
  const of = (term: string) => terms.get(term) ?? null;
  const named = formula === '' ? [] : formulaOf(formula).terms;
  const linked = linkedPlace(model, evaluated, addresses);
  return {
    formula: formulaText(formula),
    numbers: named.some((term) => of(term) === null) ? '' : formulaNumbers(formula, of),
    terms: named.map((name) => ({ name, value: of(name), meaning: TERMS[name] ?? '' })),
    value,
    range,
    overflow,
    before,
    after,
    second,
    linked,
    relaxed: relaxedText(model, evaluated, linked),
    dynamic: dynamicAt(model, evaluated, addresses),
    group: evaluated.group?.slice(0, MAX_GROUP) ?? null,
    pair: evaluated.pair,
    why,
  };
}

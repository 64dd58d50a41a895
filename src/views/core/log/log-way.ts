/** The way that a line names, step by step, as far as it leads in some types. */
import { walkAccess } from '#analysis/core/access-path.ts';
import { accessStringOf, isEnumRoot } from '#analysis/core/playground.ts';
import type { AskedWay } from '#analysis/log/ask-target.ts';
import type { Followed } from '#analysis/log/follow-names.ts';
import { typeExpression } from '#analysis/types/type-name.ts';
import type { TypeTable } from '#model/type-table.ts';

export type WayStep = {
  /** Its place in the way. */
  readonly at: number;
  /** `.i_atime`, `[2]`, `::VALUE`. Raw text. */
  readonly text: string;
  /** `fault`: not there. `unreached`: behind the fault. */
  readonly state: 'found' | 'fault' | 'unreached';
};

/** The steps of `asked`, marked by how far `followed` came. Empty for a type alone. */
export function waySteps(
  { path, enumeratorName }: Pick<AskedWay, 'path' | 'enumeratorName'>,
  { fault }: Pick<Followed, 'fault'>,
): WayStep[] {
  const texts =
    enumeratorName === null
      ? path.map((step) => (step.name === null ? `[${step.index}]` : `.${step.name}`))
      : [`::${enumeratorName}`];
  return texts.map((text, at) => ({
    at,
    text,
    state:
      fault === null || at < fault.atStep ? 'found' : at === fault.atStep ? 'fault' : 'unreached',
  }));
}

/** Why the way ends, as one sentence; null where it does not. Raw names. */
export function faultSentence(t: TypeTable, { fault }: Pick<Followed, 'fault'>): string | null {
  if (fault === null) return null;
  const where = typeExpression(t, fault.container);
  switch (fault.reason) {
    case 'no-member':
      return `${where} has no member ${fault.name}.`;
    case 'no-enumerator':
      return `${where} has no enumerator ${fault.name}.`;
    case 'not-composite':
      return `${where} has no members: ${fault.name} cannot be one of it.`;
    case 'not-array':
      return `${where} is no array.`;
    case 'outside':
      return `The index lies outside ${where}.`;
  }
}

/** Where the way ends up: `byte 88`, `byte 4, bit 3`, an enumerator's value; null where it does not, and for a type alone. */
export function placeText(t: TypeTable, { root, steps, fault }: Followed): string | null {
  if (fault !== null || steps.length === 0) return null;
  const accessStr = accessStringOf(
    t,
    root,
    steps.map((step) => step.index),
  );
  const isEnum = isEnumRoot(t, root);
  const path = walkAccess(t, root, accessStr, isEnum ? 11 : 0);
  if (path.error !== null) return null;
  if (isEnum) return `value ${path.steps[0]?.enumValue}`;
  const bit = path.bitOffset % 8n;
  return `byte ${path.byteOffset}${bit === 0n ? '' : `, bit ${bit}`}`;
}

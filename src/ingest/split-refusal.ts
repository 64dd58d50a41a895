/** Refuses a chosen base if evidence shows that it does not fit, because names would be wrong. */
import type { Issue } from '#bytes/issue.ts';
import type { Endian, Span } from '#bytes/span.ts';
import type { BaseNeeds, Estimate } from '#model/split-base.ts';
import { lastId, strLenOf, type TypeTable } from '#model/type-table.ts';
import { faultsOf, inferSplit, needsOf } from './infer-split.ts';
import type { SplitEvidence } from './split-evidence.ts';

export type ChosenBase = { readonly types: TypeTable; readonly name: string };

/** Byte order of the blob that is placed on the base, and the span for issues. */
export type Splitting = {
  readonly endian: Endian;
  readonly region: string;
  readonly span: Span | null;
};

/** Returns why `base` cannot be the base of any split BTF in this byte order; null if it can. */
export function refuseOutright(blob: Splitting, base: ChosenBase): Issue | null {
  const { types, name } = base;
  if (types.split && types.base === null) {
    return refusal(blob, `${name} is split BTF itself, and its own base is not loaded`, {
      advice: 'Choose the base of that file first, or open the BTF of the whole kernel.',
    });
  }
  if (types.endian !== blob.endian) {
    return refusal(blob, `${name} does not fit: it has another byte order`, {
      expected: `${blob.endian}-endian`,
      found: `${types.endian}-endian`,
    });
  }
  return null;
}

/** Returns why the ids and string offsets in `evidence` do not fit `base`; null if they may fit. */
export function refuseByEvidence(
  blob: Splitting,
  base: ChosenBase,
  evidence: SplitEvidence,
): Issue | null {
  const { types, name } = base;
  const firstId = lastId(types) + 1;
  const strBase = strLenOf(types);
  const guess = inferSplit(evidence);
  const best = guess.firstId.faults + guess.strBase.faults;
  const faults = faultsOf(evidence, firstId, strBase);
  const isSure = guess.firstId.sure !== 'unknown' || guess.strBase.sure !== 'unknown';
  // With little evidence, refuses only if an undamaged id or offset is beyond the end as well.
  const doubt = isSure
    ? faults > 2 * best
    : faults > best && leadsOutside(evidence, firstId, strBase);
  if (!doubt) return null;
  const needs = needsOf(guess);
  const has = sizeText(firstId - 1, strBase);
  return refusal(
    blob,
    `${name} does not fit: the file needs ${needsText(needs)}; ${name} has ${has}`,
    {
      expected: needsText(needs),
      found: `${many(firstId - 1, 'type')} and ${many(strBase, 'byte')} of strings`,
      advice:
        'Open the BTF that the file was made against: for a module, the kernel of the very same build.',
    },
  );
}

/** Returns the size of a base as text: `93,412 base types and at least 1,234,567 bytes of …`. */
function needsText({ typeCount, strLen }: BaseNeeds): string {
  return `${estimateText(typeCount)} base types and ${estimateText(strLen)} bytes of base strings`;
}

function estimateText({ value, sure }: Estimate): string {
  return `${sure === 'unknown' ? 'at least ' : ''}${value.toLocaleString('en-US')}`;
}

const many = (count: number, noun: string) =>
  `${count.toLocaleString('en-US')} ${noun}${count === 1 ? '' : 's'}`;

function sizeText(typeCount: number, strLen: number): string {
  return `${typeCount.toLocaleString('en-US')} and ${strLen.toLocaleString('en-US')}`;
}

function leadsOutside(evidence: SplitEvidence, firstId: number, strBase: number): boolean {
  const lastRef = evidence.refs[0] ?? 0;
  const lastName = evidence.names.at(-1) ?? 0;
  return (
    lastRef >= firstId + evidence.countLimit ||
    (lastName > 0 && lastName >= strBase + evidence.strLen)
  );
}

function refusal(
  { region, span }: Splitting,
  message: string,
  more: Pick<Issue, 'expected' | 'found' | 'advice'>,
): Issue {
  return { severity: 'warning', code: 'btf.base-does-not-fit', region, message, span, ...more };
}

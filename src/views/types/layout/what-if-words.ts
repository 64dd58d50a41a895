/** What a look for a better order of members came to, in words. */
import type { WhatIf } from '#analysis/layout/what-if.ts';
import { visible } from '#bytes/text.ts';
import { countOf } from '#views/parts/number-text.ts';

export type Verdict = { readonly title: string; readonly text: string };

const WHY: Readonly<Record<Extract<WhatIf, { kind: 'none' }>['why'], Verdict>> = {
  union: {
    title: 'The members of a union have no order',
    text: 'All of them begin at byte 0. Its size is that of the largest.',
  },
  few: {
    title: 'There is nothing to put into another order',
    text: 'It takes two members for that.',
  },
  wide: {
    title: 'It has too many members to look for another order',
    text: 'Orders are sought for up to 10,000 members.',
  },
  packed: {
    title: 'This struct is packed',
    text: 'A member stands closer than its alignment asks for, or the struct ends sooner, as with __attribute__((packed)). No order would be smaller.',
  },
  gap: {
    title: 'Something keeps places free in it',
    text: 'There is a gap that no alignment explains, as an unnamed bit-field or reserved bytes leave it. BTF does not tell what, so no order is proposed.',
  },
  irregular: {
    title: 'Its members do not stand as a compiler puts them',
    text: 'They overlap, stick out of the struct, or are not in the order of their places. No order is proposed.',
  },
};

/** Names of moved members that are told one by one. */
const TOLD = 6;

/** The outcome as a title and a sentence. `sizeBytes` is the size now, `members` the members' raw names. */
export function verdictOf(
  outcome: WhatIf,
  sizeBytes: number,
  members: readonly { readonly name: string }[],
): Verdict {
  switch (outcome.kind) {
    case 'none':
      return WHY[outcome.why];
    case 'same':
      return outcome.isLeast
        ? {
            title: `${countOf(sizeBytes, 'byte')} is the least these members can take`,
            text: 'What is left free in it only fills up to the alignment of the whole: moved together at the end, it would be padding of the same size.',
          }
        : {
            title: 'No smaller order was found',
            text: 'Alignment, markers and bit-fields that have to stay together leave no other place for the holes.',
          };
    case 'smaller':
      return {
        title: `${countOf(outcome.savedBytes, 'byte')} less: ${countOf(outcome.sizeBytes, 'byte')} instead of ${countOf(sizeBytes, 'byte')}`,
        text: `${countOf(outcome.moved.size, 'member')} of ${members.length} would move${movedNames(outcome.moved, members)}${linesSaved(sizeBytes, outcome.sizeBytes)}.${forcedText(outcome.forced)}`,
      };
  }
}

/** What no look at the layout can know, in one sentence. */
export const CAVEAT =
  'Not for what others rely on: UAPI, formats on disk or on the wire, what hardware or assembly reads. BTF does not show which members are used together (cache lines), nor attributes that change nothing today.';

function movedNames(
  moved: ReadonlySet<number>,
  members: readonly { readonly name: string }[],
): string {
  if (moved.size > TOLD) return '';
  const names = [...moved].map((index) => visible(members[index]?.name.slice(0, 60) ?? ''));
  return ` (${names.map((name) => name || '(anon)').join(', ')})`;
}

function linesSaved(before: number, after: number): string {
  const saved = Math.ceil(before / 64) - Math.ceil(after / 64);
  return saved > 0 ? `, and it would touch ${countOf(saved, 'cache line')} less` : '';
}

function forcedText(forced: ReadonlyMap<number, number>): string {
  if (forced.size === 0) return '';
  const most = Math.max(...new Set(forced.values()));
  return ` ${countOf(forced.size, 'member')} seem${forced.size === 1 ? 's' : ''} to ask for more alignment than the type does, up to ${countOf(most, 'byte')}; that is kept.`;
}

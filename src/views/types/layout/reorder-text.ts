/** What a look for a better order of members came to, in words. */
import type { WhatIf } from '#analysis/layout/what-if.ts';
import { visible } from '#bytes/text.ts';
import { countOf } from '#views/parts/number-text.ts';

export type Verdict = { readonly title: string; readonly text: string };

const WHY: Readonly<Record<Extract<WhatIf, { kind: 'none' }>['why'], Verdict>> = {
  union: {
    title: 'The members of a union have no order',
    text: 'All members start at byte 0; the size is that of the largest.',
  },
  few: {
    title: 'Nothing to reorder',
    text: 'The struct has fewer than two members.',
  },
  wide: {
    title: 'Too many members to reorder',
    text: 'The limit is 10,000 members.',
  },
  packed: {
    title: 'This struct is packed',
    text: 'A member or the end of the struct is not aligned, as with __attribute__((packed)). No order is smaller.',
  },
  gap: {
    title: 'Unexplained gap',
    text: 'Alignment does not explain a gap: it may be an unnamed bit-field or reserved bytes. BTF does not record which, so no order is proposed.',
  },
  irregular: {
    title: 'Unusual layout',
    text: 'Members overlap, extend past the end, or are not in offset order. No order is proposed.',
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
            title: `${countOf(sizeBytes, 'byte')} is the minimum for these members`,
            text: 'The unused bytes only round the size up to the alignment: in any order they remain as padding.',
          }
        : {
            title: 'No smaller order was found',
            text: 'Alignment, markers and bit-fields that must stay together allow no smaller order.',
          };
    case 'smaller':
      return {
        title: `${countOf(outcome.savedBytes, 'byte')} smaller: ${countOf(outcome.sizeBytes, 'byte')} instead of ${countOf(sizeBytes, 'byte')}`,
        text: `${countOf(outcome.moved.size, 'member')} of ${members.length} would move${movedNames(outcome.moved, members)}${linesSaved(sizeBytes, outcome.sizeBytes)}.${forcedText(outcome.forced)}`,
      };
  }
}

/** What no look at the layout can know, in one sentence. */
export const CAVEAT =
  'Do not reorder structs whose layout is an interface: UAPI, on-disk and wire formats, hardware and assembly. BTF does not show which members share cache lines, nor attributes without effect today.';

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

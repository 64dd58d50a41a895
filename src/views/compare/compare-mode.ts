/** Which part of the comparison is shown. */
import { type Selection, sameSelection } from '#model/selection.ts';

export const COMPARE_MODES = ['types', 'whole', 'duplicates'] as const;
export type CompareMode = (typeof COMPARE_MODES)[number];

export const COMPARE_MODE_TITLES: Readonly<Record<CompareMode, string>> = {
  types: 'Two types',
  whole: 'All types',
  duplicates: 'Duplicates',
};

/**
 * The part that was asked for. Whoever comes with another type selected than when a
 * list was chosen wants to see that type; without one the whole files are compared.
 */
export function compareMode(
  asked: string | null,
  selection: Selection,
  listedAt: Selection,
  hasOther: boolean,
): CompareMode {
  const mode = COMPARE_MODES.find((name) => name === asked) ?? null;
  const isTypeNew = selection.kind === 'type' && !sameSelection(selection, listedAt);
  if (mode === 'types') return 'types';
  if (mode === null) return selection.kind === 'type' || !hasOther ? 'types' : 'whole';
  return isTypeNew && listedAt.kind !== 'none' ? 'types' : mode;
}

/** Copies of types of one file, a row for each with the first of its name. */

import { typeLabel } from '#analysis/compare/comparison-text.ts';
import type { Duplicate, DuplicateGroup } from '#analysis/compare/duplicates.ts';
import { BtfKind } from '#formats/btf/kinds.ts';
import type { TypeId } from '#model/ids.ts';
import { kindOf, type TypeTable } from '#model/type-table.ts';

export type DuplicateRow = {
  readonly first: TypeId;
  /** How many types share the name. */
  readonly count: number;
  readonly copy: Duplicate;
};

/** The rows whose name or reason has `text` in it, without case. */
export function duplicateRows(
  types: TypeTable,
  groups: readonly DuplicateGroup[],
  text: string,
): readonly DuplicateRow[] {
  const wanted = text.trim().toLowerCase();
  const isFunc = (id: TypeId) => kindOf(types, id) === BtfKind.FUNC;
  // A program has many functions of one name, and what people look for is structs.
  const inOrder = [...groups].sort(
    (x, y) => Number(isFunc(x.first)) - Number(isFunc(y.first)) || x.first - y.first,
  );
  return inOrder.flatMap(({ first, others }) => {
    const label = wanted === '' ? '' : typeLabel(types, first).toLowerCase();
    return others
      .filter(({ why }) => label.includes(wanted) || why.toLowerCase().includes(wanted))
      .map((copy) => ({ first, count: others.length + 1, copy }));
  });
}

/** `reached through mm → owner`; empty where the type itself differs. Raw text. */
export function wayWords({ way }: Duplicate): string {
  return way.length === 0 ? '' : `through ${way.join(' → ')}`;
}

/** On which rows of the anatomy the pins of a lesson stand. */
import type { Pin } from '#store/lesson/pins.ts';
import type { TreeRow } from './anatomy-tree.ts';

const NONE: readonly Pin[] = [];

/** The pins of just these bytes, and of a row that is folded or has no parts all that lie inside it. */
export function pinsOnRow({ owner, isOpen }: TreeRow, pins: readonly Pin[]): readonly Pin[] {
  const { start, end } = owner.span;
  const found = pins.filter(({ span }) => {
    if (span === null) return false;
    const isAll = span.start === start && span.end === end;
    return isAll || (!isOpen && span.start >= start && span.end <= end);
  });
  return found.length === 0 ? NONE : found;
}

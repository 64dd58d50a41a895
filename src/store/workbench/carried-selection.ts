/** What stays selected when a file is compiled anew. */
import type { ObjectModel } from '#model/object-model.ts';
import { NOTHING, type Selection, typeSelection } from '#model/selection.ts';
import { hasType, kindOf } from '#model/type-table.ts';
import { formatSelection, resolveSelection } from '#store/selection-keys.ts';

/**
 * The selection of `before` in `after`, by its names. A type that has no such name any
 * more is taken to be renamed where one of its kind stands in its place; a member that
 * is gone leaves its struct.
 */
export function carriedSelection(
  before: ObjectModel,
  after: ObjectModel,
  selection: Selection,
): Selection {
  const params = new Map(
    formatSelection(before, selection).map((param) => {
      const at = param.indexOf('=');
      return [param.slice(0, at), param.slice(at + 1)] as const;
    }),
  );
  const { selection: found } = resolveSelection(after, params);
  if (found.kind !== 'none' || selection.kind !== 'type') return found;
  const { type, memberPath } = selection;
  const isRenamed =
    before.types !== null &&
    after.types !== null &&
    hasType(after.types, type) &&
    kindOf(before.types, type) === kindOf(after.types, type);
  return isRenamed ? typeSelection(type, memberPath) : NOTHING;
}

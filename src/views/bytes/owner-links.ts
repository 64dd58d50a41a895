/** Where an owner leads: what is selected when it is, and which view tells more of it. */

import { selectionSpan } from '#analysis/code/selection.ts';
import type { StructureField } from '#analysis/structure/field.ts';
import type { ObjectModel } from '#model/object-model.ts';
import type { Selection } from '#model/selection.ts';
import type { ViewName } from '#store/session.ts';

export type OwnerLink = {
  readonly label: string;
  readonly selection: Selection;
  readonly view: ViewName;
};

/**
 * What pointing at the owner selects: the thing itself where its bytes are what
 * every view lights for it, else its bytes.
 */
export function selectionOfOwner(model: ObjectModel, owner: StructureField): Selection {
  const { selection, span } = owner;
  const own = selection === null ? null : selectionSpan(model, selection);
  const isItself = own !== null && own.start === span.start && own.end === span.end;
  return selection !== null && isItself ? selection : { kind: 'bytes', ...span };
}

/** The view that tells more of what the owner means; null where none does. */
export function linkOf({ kind, selection }: StructureField): OwnerLink | null {
  switch (selection?.kind) {
    case 'type':
      if (kind === 'field') return { label: 'Go to that type', selection, view: 'types' };
      return selection.memberPath.length > 0
        ? { label: 'Go to member', selection, view: 'types' }
        : { label: 'Go to type', selection, view: 'types' };
    case 'section':
      return { label: 'Go to section', selection, view: 'bytes' };
    case 'relocation':
      return { label: 'Go to relocation', selection, view: 'relocations' };
    case 'core':
      return { label: 'Go to CO-RE', selection, view: 'core' };
    case 'insn':
      return { label: 'Go to instruction', selection, view: 'code' };
    default:
      return null;
  }
}

/** The link of the innermost thing that has one: not of what a field of it speaks of. */
export function innermostLink(chain: readonly StructureField[]): OwnerLink | null {
  for (const owner of chain.toReversed()) {
    if (owner.kind === 'section') return null;
    const link = owner.kind === 'field' ? null : linkOf(owner);
    if (link !== null) return link;
  }
  return null;
}

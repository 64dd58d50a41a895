/** Which entries are listed. A choice of the person; an entry selected elsewhere moves it. */
import { useMemo, useState } from 'react';
import type { RelocIndex } from '#model/ids.ts';
import type { Active } from '#store/hooks.ts';
import {
  type FamilyGroup,
  firstScope,
  isInScope,
  type Scope,
  scopeOfSection,
} from './relocation-groups.ts';
import { relocationOfSelection, relSectionOfSelection } from './relocation-of-selection.ts';

export type ScopeControl = {
  readonly scope: Scope;
  readonly setScope: (scope: Scope) => void;
  /** The entry that the selection means. */
  readonly reloc: RelocIndex | null;
};

/** The scope stays as chosen until another entry is selected that it does not list. */
export function useScope(
  { model, selection }: Active,
  families: readonly FamilyGroup[],
): ScopeControl {
  const reloc = useMemo(() => relocationOfSelection(model, selection), [model, selection]);
  const [chosen, setChosen] = useState<{ readonly scope: Scope; readonly of: unknown } | null>(
    null,
  );
  const wanted =
    reloc === null
      ? relSectionOfSelection(model, selection)
      : (model.relocations.relSection[reloc] ?? null);
  const kept =
    chosen !== null &&
    (chosen.of === selection || wanted === null || isInScope(families, chosen.scope, wanted));
  const scope = kept
    ? chosen.scope
    : wanted === null
      ? firstScope(families)
      : scopeOfSection(families, wanted);
  return { scope, setScope: (next) => setChosen({ scope: next, of: selection }), reloc };
}

/** Which entries are listed. A choice of the person; an entry selected elsewhere moves it. */
import { useMemo, useState } from 'react';
import { relocationAtInsn, relocationsTouching } from '#analysis/relocations/by-place.ts';
import { relocationMeaning } from '#analysis/relocations/meaning.ts';
import type { RelocIndex } from '#model/ids.ts';
import type { ObjectModel } from '#model/object-model.ts';
import { sectionAt } from '#model/sections.ts';
import type { Selection } from '#model/selection.ts';
import type { Active } from '#store/hooks.ts';
import {
  type FamilyGroup,
  firstScope,
  isInScope,
  type Scope,
  scopeOfSection,
} from './relocation-groups.ts';

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

/** The entry that a selection means, so that what was picked elsewhere is lit here. */

/** A site ends no further than this behind `r_offset`. */
const MAX_REACH = 12;

/** The entry that is selected, or that changes the selected instruction or byte; null where none does. */
export function relocationOfSelection(model: ObjectModel, selection: Selection): RelocIndex | null {
  switch (selection.kind) {
    case 'relocation':
      return selection.reloc < model.relocations.count ? selection.reloc : null;
    case 'insn':
      return relocationAtInsn(model, selection.section, selection.insnOff);
    case 'bytes':
      return relocationInBytes(model, selection.start, selection.end);
    default:
      return null;
  }
}

function relocationInBytes(model: ObjectModel, start: number, end: number): RelocIndex | null {
  const section = sectionAt(model.sections, start);
  if (section === null) return null;
  const base = model.sections.fileOffset[section] ?? 0;
  const near = relocationsTouching(model, section, start - base - MAX_REACH, end - base);
  const touches = (reloc: RelocIndex) => {
    const { marks } = relocationMeaning(model, reloc);
    return marks.some(({ span }) => span.start < end && span.end > start);
  };
  return near.slice(0, 256).find(touches) ?? null;
}

/** The relocation section that a selected section is, or is patched by; null where there is none. */
export function relSectionOfSelection(model: ObjectModel, selection: Selection): number | null {
  if (selection.kind !== 'section') return null;
  const { relSection, targetSection, count } = model.relocations;
  for (let row = 0; row < count; row++) {
    const isIt = relSection[row] === selection.section || targetSection[row] === selection.section;
    if (isIt) return relSection[row] ?? null;
  }
  return null;
}

/** Which code section the view shows, and which instruction of it is looked at. */

import { type InsnPlace, selectionInsn } from '#analysis/code/selection.ts';
import { functionsOf } from '#analysis/objects/functions.ts';
import { symbolOffset } from '#analysis/objects/symbol-places.ts';
import { type SectionIndex, sectionIndex } from '#model/ids.ts';
import type { ObjectModel } from '#model/object-model.ts';
import { isCode } from '#model/sections.ts';
import type { Selection } from '#model/selection.ts';

/** The first section with instructions in it, in the order of the file; null where there is none. */
export function firstCode({ sections }: ObjectModel): SectionIndex | null {
  for (let i = 1; i < sections.count; i++) {
    const section = sectionIndex(i);
    if (isCode(sections, section) && (sections.byteLength[i] ?? 0) > 0) return section;
  }
  return null;
}

/**
 * The instruction that the selection is about: its own, the one that is
 * relocated, the first of a function that is selected as symbol or as type.
 * Null for all that is not in a code section.
 */
export function selectedInsn(model: ObjectModel, selection: Selection): InsnPlace | null {
  const place = selectionInsn(model, selection) ?? entryOf(model, selection);
  return place !== null && isCode(model.sections, place.section) ? place : null;
}

function entryOf(model: ObjectModel, selection: Selection): InsnPlace | null {
  if (selection.kind === 'symbol') {
    const section = model.symbols.section[selection.symbol] ?? -1;
    return section <= 0
      ? null
      : { section: sectionIndex(section), insnOff: symbolOffset(model, selection.symbol) };
  }
  if (selection.kind !== 'type' || selection.type === 0) return null;
  const func = functionsOf(model).find((f) => f.typeId === selection.type);
  return func === undefined ? null : { section: func.section, insnOff: func.start };
}

/** The section to show: that of the selection, else `shown` as long as the file has it, else the first with a program. */
export function sectionToShow(
  model: ObjectModel,
  selection: Selection,
  shown: SectionIndex | null,
): SectionIndex | null {
  const place = selectedInsn(model, selection);
  if (place !== null) return place.section;
  if (selection.kind === 'section' && isCode(model.sections, selection.section)) {
    return selection.section;
  }
  if (shown !== null && isCode(model.sections, shown)) return shown;
  const program = functionsOf(model).find((f) => f.isProgram);
  return program?.section ?? firstCode(model);
}

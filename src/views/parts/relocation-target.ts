/** Going from a relocation to what it refers to. */
import { canList } from '#analysis/code/code-listing.ts';
import type { RelocationTarget } from '#analysis/objects/relocation-target.ts';
import { sectionSpan } from '#analysis/selection/selection.ts';
import { insnSlot, type ObjectModel } from '#model/object-model.ts';
import { isCode } from '#model/sections.ts';
import type { Selection } from '#model/selection.ts';
import type { ViewName } from '#store/session/views.ts';

export type Place = { readonly selection: Selection; readonly view: ViewName };

/**
 * Where to see the target: a BPF function under Code, what has bytes under
 * Bytes, a section without bytes as a whole. Null for what this file does not define.
 */
export function placeOfTarget(model: ObjectModel, target: RelocationTarget): Place | null {
  const { section } = target;
  if (section === null) return null;
  const offset = Number(target.offset);
  const span = sectionSpan(model, section);
  const isInside = span !== null && offset >= 0 && span.start + offset < span.end;
  if (!isInside) return { selection: { kind: 'section', section }, view: 'bytes' };
  if (canList(model) && isCode(model.sections, section)) {
    const insnOff = offset - (offset % insnSlot(model));
    return { selection: { kind: 'insn', section, insnOff }, view: 'code' };
  }
  const start = span.start + offset;
  return { selection: { kind: 'bytes', start, end: start + 1 }, view: 'bytes' };
}

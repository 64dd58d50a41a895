/** Links from the fields of the file structure to selections and views. */
import { canList } from '#analysis/code/code-listing.ts';
import type { ReadBytes, StructureField } from '#analysis/fields/field.ts';
import { selectionSpan } from '#analysis/selection/selection.ts';
import { fieldsAt } from '#analysis/structure/structure.ts';
import type { SectionIndex } from '#model/ids.ts';
import { insnSlot, type ObjectModel } from '#model/object-model.ts';
import { isCode, sectionAt } from '#model/sections.ts';
import type { Selection } from '#model/selection.ts';
import { select } from '#store/address/navigation.ts';
import type { ViewName } from '#store/session/views.ts';
import { relocationOnByte } from './byte-marks.ts';

export type FieldLink = {
  readonly label: string;
  readonly selection: Selection;
  readonly view: ViewName;
};

/** Returns the object of a field if both have the same bytes, else the bytes of the field. */
export function selectionOfField(model: ObjectModel, field: StructureField): Selection {
  const { selection, span } = field;
  const selected = selection === null ? null : selectionSpan(model, selection);
  const isItself = selected !== null && selected.start === span.start && selected.end === span.end;
  return selection !== null && isItself ? selection : { kind: 'bytes', ...span };
}

/** Returns the view that shows what the field refers to; null if the field refers to nothing. */
export function linkOf({ kind, selection }: StructureField): FieldLink | null {
  switch (selection?.kind) {
    case 'type':
      if (kind === 'field') return { label: 'Go to referenced type', selection, view: 'types' };
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
    case 'bytes':
      return { label: 'Go to entry', selection, view: 'bytes' };
    default:
      return null;
  }
}

/** Returns the link of the innermost type, instruction or relocation; null if there is none. */
export function innermostLink(chain: readonly StructureField[]): FieldLink | null {
  for (const field of chain.toReversed()) {
    if (field.kind === 'section') return null;
    const link = field.kind === 'field' ? null : linkOf(field);
    if (link !== null) return link;
  }
  return null;
}

/** Opens the relocation at a byte, else the instruction, else the target of the field. */
export function activate(
  model: ObjectModel,
  regionSection: SectionIndex | null,
  fileOffset: number,
  read: ReadBytes,
): void {
  const section = regionSection ?? sectionAt(model.sections, fileOffset);
  const reloc = section === null ? null : relocationOnByte(model, section, fileOffset);
  if (reloc !== null) {
    select({ kind: 'relocation', reloc }, 'relocations');
    return;
  }
  if (section !== null && canList(model) && isCode(model.sections, section)) {
    const offset = fileOffset - (model.sections.fileOffset[section] ?? 0);
    select({ kind: 'insn', section, insnOff: offset - (offset % insnSlot(model)) }, 'code');
    return;
  }
  const link = innermostLink(fieldsAt(model, fileOffset, read));
  if (link !== null) select(link.selection, link.view);
}

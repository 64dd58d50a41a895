/** Enter or a double click on a byte: on to what it is part of. */

import { canList } from '#analysis/code/code-listing.ts';
import type { ReadBytes } from '#analysis/structure/field.ts';
import { fieldsAt } from '#analysis/structure/structure.ts';
import type { SectionIndex } from '#model/ids.ts';
import { insnSlot, type ObjectModel } from '#model/object-model.ts';
import { isCode, sectionAt } from '#model/sections.ts';
import { select } from '#store/navigation.ts';
import { relocationOnByte } from './byte-marks.ts';
import { innermostLink } from './owner-links.ts';

/** Goes to the relocation on the byte, else to its instruction, else to its owner; stays where there is none. */
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

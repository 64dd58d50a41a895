/** Going from a part of the file map to its bytes. */
import type { SectionIndex } from '#model/ids.ts';
import type { Selection } from '#model/selection.ts';
import { select } from '#store/navigation.ts';
import type { FilePart } from './file-parts.ts';

/** What is selected when a part is: its section, or its bytes where it is none. */
export function selectionOfPart(part: FilePart): Selection {
  return part.section === null
    ? { kind: 'bytes', start: part.start, end: part.end }
    : { kind: 'section', section: part.section };
}

/** Selects a part and shows its bytes. */
export function showPart(part: FilePart): void {
  select(selectionOfPart(part), 'bytes');
}

/** Selects a section and shows its bytes. */
export function showSection(section: SectionIndex): void {
  select({ kind: 'section', section }, 'bytes');
}

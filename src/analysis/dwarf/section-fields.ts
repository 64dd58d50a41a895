/** Shows the `.debug_` sections of DWARF as fields. */
import type { FileStructure } from '#analysis/fields/context.ts';
import type { FieldList } from '#analysis/fields/field.ts';
import { stringFields } from '#analysis/fields/strings.ts';
import type { Span } from '#bytes/span.ts';
import type { SectionIndex } from '#model/ids.ts';
import { sectionName } from '#model/sections.ts';
import { abbrevParts } from './abbreviation-fields.ts';
import { debugName } from './debug-sections.ts';
import { infoParts } from './entry-fields.ts';
import { lineParts } from './line-fields.ts';
import { locationParts, rangeParts, tableParts } from './list-fields.ts';

const STRINGS_SOURCE = 'DWARF 5, 7.5.5 Classes and Forms, “string”';

/** Returns a function that creates the parts of a section; null for sections without DWARF. */
export function dwarfParts(
  structure: FileStructure,
  section: SectionIndex,
  span: Span,
): (() => FieldList) | null {
  const name = debugName(structure.model, section);
  if (name === null) return null;
  switch (name) {
    case 'info':
    case 'types':
      return () => infoParts(structure, section, span);
    case 'abbrev':
      return () => abbrevParts(structure, section, span);
    case 'line':
      return () => lineParts(structure, section, span);
    case 'str':
    case 'line_str':
      return () =>
        stringFields({
          span,
          read: structure.read,
          source: STRINGS_SOURCE,
          offsetBase: 0,
          known: structure.stringStarts,
        });
    case 'addr':
    case 'str_offsets':
    case 'rnglists':
    case 'loclists':
      return () => tableParts({ structure, section, name }, span);
    case 'ranges':
      return () => rangeParts({ structure, section, name }, span);
    case 'loc':
      // Split files of DWARF 4 have lists of another form.
      return sectionName(structure.model.sections, section).endsWith('.dwo')
        ? null
        : () => locationParts({ structure, section, name }, span);
    default:
      return null;
  }
}

/** Which views a file can have. */
import type { ObjectFormat, ObjectModel } from '#model/object-model.ts';
import { VIEWS, type ViewName } from './session.ts';

/** Views that need types, or what only ELF and BTF have: absent where a format cannot have them. */
const OF_FORMAT: Readonly<Record<ObjectFormat, readonly ViewName[]>> = {
  elf: VIEWS,
  btf: VIEWS,
  ecoff: ['overview', 'bytes', 'code', 'relocations', 'issues'],
};

/** The views of a file of this format, in the order of the tabs. */
export function viewsOf(model: ObjectModel): readonly ViewName[] {
  return OF_FORMAT[model.format];
}

/** `view`, or the overview where the file cannot have it. Keys, links and the palette go through here. */
export function viewFor(model: ObjectModel, view: ViewName): ViewName {
  return viewsOf(model).includes(view) ? view : 'overview';
}

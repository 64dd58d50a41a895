/** Which views a file can have. */
import type { ObjectFormat, ObjectModel } from '#model/object-model.ts';
import { VIEWS, type ViewName } from './session.ts';

const TYPED_HERE: readonly ViewName[] = VIEWS;
const OPENED: readonly ViewName[] = VIEWS.filter((view) => view !== 'workbench');

/** Views that need types, or what only ELF and BTF have: absent where a format cannot have them. */
const OF_FORMAT: Readonly<Record<ObjectFormat, readonly ViewName[]>> = {
  elf: OPENED,
  btf: OPENED,
  ecoff: ['overview', 'bytes', 'code', 'relocations', 'issues'],
};

const typedHere = new WeakSet<ObjectModel>();

/** Keeps in mind that the model is of declarations that are typed in the workbench. */
export function markTypedHere(model: ObjectModel): void {
  typedHere.add(model);
}

/** The views of a file of this format, in the order of the tabs. */
export function viewsOf(model: ObjectModel): readonly ViewName[] {
  return typedHere.has(model) ? TYPED_HERE : OF_FORMAT[model.format];
}

/** `view`, or the overview where the file cannot have it. Keys, links and the palette go through here. */
export function viewFor(model: ObjectModel, view: ViewName): ViewName {
  return viewsOf(model).includes(view) ? view : 'overview';
}

/** Which views a file can have. */
import type { ObjectModel } from '#model/object-model.ts';
import { VIEWS, type ViewName } from './session.ts';

const TYPED_HERE: readonly ViewName[] = VIEWS;
const OPENED: readonly ViewName[] = VIEWS.filter((view) => view !== 'workbench');

/** Views that need types, or what only ELF and BTF have: absent where a format cannot have them. */
const WITHOUT_BTF: readonly ViewName[] = ['overview', 'bytes', 'code', 'relocations', 'issues'];

const typedHere = new WeakSet<ObjectModel>();

/** Keeps in mind that the model is of declarations that are typed in the workbench. */
export function markTypedHere(model: ObjectModel): void {
  typedHere.add(model);
}

/** The views of a file of this format, in the order of the tabs. */
export function viewsOf(model: ObjectModel): readonly ViewName[] {
  if (typedHere.has(model)) return TYPED_HERE;
  return model.own === null ? OPENED : WITHOUT_BTF;
}

/** `view`, or the overview where the file cannot have it. Keys, links and the palette go through here. */
export function viewFor(model: ObjectModel, view: ViewName): ViewName {
  return viewsOf(model).includes(view) ? view : 'overview';
}

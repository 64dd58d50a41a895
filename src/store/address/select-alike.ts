import { selectionType } from '#analysis/selection/selection.ts';
import { type Selection, sameSelection, typeSelection } from '#model/selection.ts';
import { setView } from '#store/session/panes.ts';
import {
  type FileId,
  fileById,
  modelOf,
  type OpenFile,
  patchFile,
  session,
} from '#store/session/session.ts';
import { viewForFile } from '#store/session/views.ts';
import { resolveSelection, selectionParams } from './selection-keys.ts';

/** Selections that `selectAlike` made, by file: the user has chosen another one if they differ. */
const followed = new Map<FileId, Selection>();

/**
 * Shows in file `otherId`, to which the user comes from file `before`, the same type: unless the
 * user has selected something there. A file without an own view gets the view of `before`.
 */
export function followInto(otherId: FileId, before: Pick<OpenFile, 'id' | 'selection' | 'view'>) {
  const other = fileById(session.getState(), otherId);
  if (other === null) return;
  const isUnset = other.selection.kind === 'none';
  if (!isUnset && followed.get(otherId) !== other.selection) return;
  if (!selectAlike(otherId, before.id, before.selection)) return;
  if (!isUnset || other.view !== 'overview') return;
  if (viewForFile(other, before.view) === before.view) setView(otherId, before.view);
}

/**
 * Selects in file `otherId` the type and member named like the selection in file `id`. Returns false
 * if the other file has no such type.
 */
export function selectAlike(otherId: FileId, id: FileId, selection: Selection): boolean {
  const state = session.getState();
  const [file, other] = [fileById(state, id), fileById(state, otherId)];
  // The user may have selected something else while the worker answered.
  if (file === null || other === null || file.selection !== selection) return false;
  const [model, otherModel] = [modelOf(file), modelOf(other)];
  const type = model && selectionType(model, selection);
  if (model === null || otherModel === null || type === null || type === 0) return false;
  const of = selection.kind === 'type' ? selection : typeSelection(type);
  const params = [...selectionParams(model, of)].map(([key, value]) => {
    // Type keys are compared without ordinals and CO-RE flavours, which differ between files.
    return [key, key === 'type' ? value.replace(/(___[^~]*)?(~\d+)?$/, '') : value] as const;
  });
  const alike = [params, params.slice(0, 1)]
    .map((asked) => resolveSelection(otherModel, new Map(asked)))
    .find(({ problem, selection: found }) => problem === null && found.kind === 'type');
  if (alike === undefined) return false;
  followed.set(other.id, alike.selection);
  if (sameSelection(alike.selection, other.selection)) followed.set(other.id, other.selection);
  else patchFile(other.id, { selection: alike.selection });
  return true;
}

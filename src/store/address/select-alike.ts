import { selectionType } from '#analysis/selection/selection.ts';
import { type Selection, sameSelection, typeSelection } from '#model/selection.ts';
import { type FileId, fileById, modelOf, patchFile, session } from '#store/session/session.ts';
import { resolveSelection, selectionParams } from './selection-keys.ts';

/** Selects in file `otherId` the type and member named like the selection in file `id`. */
export function selectAlike(otherId: FileId, id: FileId, selection: Selection): void {
  const state = session.getState();
  const [file, other] = [fileById(state, id), fileById(state, otherId)];
  // The user may have selected something else while the worker answered.
  if (file === null || other === null || file.selection !== selection) return;
  const [model, otherModel] = [modelOf(file), modelOf(other)];
  const type = model && selectionType(model, selection);
  if (model === null || otherModel === null || type === null || type === 0) return;
  const of = selection.kind === 'type' ? selection : typeSelection(type);
  const params = [...selectionParams(model, of)].map(([key, value]) => {
    // Type keys are compared without ordinals and CO-RE flavours, which differ between files.
    return [key, key === 'type' ? value.replace(/(___[^~]*)?(~\d+)?$/, '') : value] as const;
  });
  const alike = [params, params.slice(0, 1)]
    .map((asked) => resolveSelection(otherModel, new Map(asked)))
    .find(({ problem, selection: found }) => problem === null && found.kind === 'type');
  if (alike !== undefined && !sameSelection(alike.selection, other.selection)) {
    patchFile(other.id, { selection: alike.selection });
  }
}

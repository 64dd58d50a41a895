/** Moves the selection along the access string of a CO-RE record. */
import { coreRecord } from '#analysis/core/core-records.ts';
import { select } from '#store/address/navigation.ts';
import { activeFile, modelOf, session } from '#store/session/session.ts';

/** Selects the next or previous index of the selected access string. Returns false at its ends and without a CO-RE selection. */
export function walkAccess(by: 1 | -1): boolean {
  const file = activeFile(session.getState());
  const model = modelOf(file);
  if (file === null || model === null || file.view !== 'core') return false;
  const { selection } = file;
  if (selection.kind !== 'core') return false;
  const count = coreRecord(model, selection.core).accessStr.split(':').length;
  const step = (selection.step ?? count - 1) + by;
  if (step < 0 || step >= count) return false;
  select({ ...selection, step });
  return true;
}

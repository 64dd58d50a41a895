import { NOTHING, type Selection } from '#model/selection.ts';
import { activeFile, session } from '#store/session.ts';

/** What is selected at this moment in the file that is looked at. */
export function selectionNow(): Selection {
  return activeFile(session.getState())?.selection ?? NOTHING;
}

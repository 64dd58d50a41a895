/** Opens a file in the session without a worker, for tests of views. */
import type { ObjectModel } from '#model/object-model.ts';
import { NO_SELECTION, type Selection } from '#model/selection.ts';
import { session } from '#store/session/session.ts';
import type { ViewName } from '#store/session/views.ts';

/** Opens `model` as the only file, shown in `view` and without a selection. */
export function openInSession(model: ObjectModel, view: ViewName): void {
  session.setState({
    files: [
      {
        id: 1,
        name: model.name,
        size: model.size,
        sample: null,
        sha256: null,
        status: { step: 'ready', model },
        findings: [],
        view,
        selection: NO_SELECTION,
      },
    ],
    panes: [{ fileId: 1, view }],
    currentPane: 0,
    lastViewState: {},
    status: '',
  });
}

/** Returns the current selection in the open file. */
export function selectionInSession(): Selection {
  return session.getState().files[0]?.selection ?? NO_SELECTION;
}

/** The highlighted uses of one type. Each view marks the uses on its screen. */
import { create } from 'zustand';
import { typeTitle } from '#analysis/types/type-name.ts';
import { drawnName } from '#bytes/text.ts';
import type { TypeId } from '#model/ids.ts';
import type { ObjectModel } from '#model/object-model.ts';
import { clientOf } from './files.ts';
import { useOfPaneFile } from './panes.ts';
import { announce, type FileId, fileNow, modelOf, type OpenFile } from './session.ts';

export type Highlight = {
  readonly fileId: FileId;
  /** Model to which the type ids belong. */
  readonly model: ObjectModel;
  readonly type: TypeId;
  /** Ids of the type, and of the types that C spells with its name, such as pointers to it. */
  readonly written: ReadonlySet<number>;
  readonly users: ReadonlySet<number>;
  readonly words: Uint32Array;
  readonly cores: ReadonlySet<number>;
};

const useShown = create<{ readonly highlight: Highlight | null }>(() => ({ highlight: null }));

/** Number of the newest request: answers to older requests are ignored. */
let latest = 0;

/** Highlights all uses of a type of an open file, and removes the previous highlight. */
export async function highlightUses(fileId: FileId, type: TypeId): Promise<void> {
  const mine = ++latest;
  const model = modelOf(fileNow(fileId));
  if (model?.types == null) return;
  const outcome = await clientOf(fileId)?.call('typeUses', { type });
  if (mine !== latest || outcome === undefined) return;
  if (!outcome.ok) announce(drawnName(outcome.issue.message));
  else if (outcome.value !== null) {
    const { written, users, words, cores } = outcome.value;
    const highlight = {
      fileId,
      model,
      type,
      written: new Set(written),
      users: new Set(users),
      words,
      cores: new Set(cores),
    };
    useShown.setState({ highlight });
    const name = drawnName(typeTitle(model.types, type));
    announce(`Uses of ${name} are highlighted. Escape removes the highlight`);
  }
}

/** Removes the highlight. Returns false if nothing was highlighted. */
export function removeHighlight(): boolean {
  latest++;
  const isShown = useShown.getState().highlight !== null;
  if (isShown) useShown.setState({ highlight: null });
  return isShown;
}

/** Returns the highlight in a file; null if there is none, or it belongs to an earlier model. */
export function useHighlight(file: OpenFile | null): Highlight | null {
  return useShown(({ highlight }) => highlightIn(file, highlight));
}

function highlightIn(file: OpenFile | null, highlight: Highlight | null): Highlight | null {
  return highlight !== null && highlight.fileId === file?.id && highlight.model === modelOf(file)
    ? highlight
    : null;
}

/** Returns the highlight in the file of the component's pane. */
export function usePaneHighlight(): Highlight | null {
  const { highlight } = useShown();
  return useOfPaneFile((file) => highlightIn(file, highlight));
}

/** Returns true for the highlighted type and for types that refer to it. */
export function isUse({ written, users }: Highlight, type: number): boolean {
  return written.has(type) || users.has(type);
}

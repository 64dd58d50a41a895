/** The type whose uses are highlighted, one at a time. Each view marks those that it shows. */
import { create } from 'zustand';
import { typeTitle } from '#analysis/types/type-name.ts';
import { drawnName } from '#bytes/text.ts';
import type { TypeId } from '#model/ids.ts';
import type { ObjectModel } from '#model/object-model.ts';
import { clientOf } from './files.ts';
import { useOfPaneFile } from './panes.ts';
import { announce, type FileId, fileById, modelOf, type OpenFile, session } from './session.ts';

export type Highlight = {
  readonly fileId: FileId;
  /** What the ids belong to. */
  readonly model: ObjectModel;
  readonly type: TypeId;
  /** As in `TypeUses`. */
  readonly written: ReadonlySet<number>;
  readonly users: ReadonlySet<number>;
  readonly words: Uint32Array;
  readonly cores: ReadonlySet<number>;
};

const useShown = create<{ readonly highlight: Highlight | null }>(() => ({ highlight: null }));

/** Grows with each wish, so that a late answer does not take the place of a later one. */
let latest = 0;

/** Highlights all uses of a type of an open file, in place of what is highlighted. */
export async function highlightUses(fileId: FileId, type: TypeId): Promise<void> {
  const mine = ++latest;
  const model = modelOf(fileById(session.getState(), fileId));
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

/** Highlights nothing. False where nothing was. */
export function removeHighlight(): boolean {
  latest++;
  const isShown = useShown.getState().highlight !== null;
  if (isShown) useShown.setState({ highlight: null });
  return isShown;
}

/** What is highlighted in a file; null: nothing, or of types that were read again since. */
export function useHighlight(file: OpenFile | null): Highlight | null {
  return useShown(({ highlight }) => highlightIn(file, highlight));
}

function highlightIn(file: OpenFile | null, highlight: Highlight | null): Highlight | null {
  return highlight !== null && highlight.fileId === file?.id && highlight.model === modelOf(file)
    ? highlight
    : null;
}

/** As `useHighlight`, of the file of the pane. */
export function usePaneHighlight(): Highlight | null {
  const { highlight } = useShown();
  return useOfPaneFile((file) => highlightIn(file, highlight));
}

/** Is this the highlighted type, or one that names it? */
export function isUse({ written, users }: Highlight, type: number): boolean {
  return written.has(type) || users.has(type);
}

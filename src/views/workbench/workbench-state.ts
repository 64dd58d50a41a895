/** What is typed in the workbench, by the open file that it is compiled to. */

import { create } from 'zustand';
import type { Changes } from '#analysis/workbench/changes.ts';
import { type Declarations, fitsWorkbench } from '#analysis/workbench/declarations-key.ts';
import type { DeclaredPlace, Problem } from '#analysis/workbench/declared-places.ts';
import { fieldsOf, kept } from '#store/kept/kept.ts';
import { onClosed } from '#store/session/files.ts';
import type { FileId } from '#store/session/session.ts';

export type Workbench = Declarations & {
  /** What was wrong with the text that was compiled last; the file is then that of a text before. */
  readonly problems: readonly Problem[];
  /** What is left out of a text that compiles all the same. */
  readonly notes: readonly Problem[];
  /** Where the text of the file that is shown declares what; null where the text is another by now. */
  readonly places: readonly DeclaredPlace[] | null;
  /** From the state before to the one that is shown; null while there is only one. */
  readonly changes: Changes | null;
  /** Grows with each state that differs from the one before. */
  readonly changeCount: number;
};

type State = { readonly workbenches: ReadonlyMap<FileId, Workbench> };

const useWorkbenches = create<State>(() => ({ workbenches: new Map() }));

/** The workbench behind an open file; null for files that were opened. Draws again when it changes. */
export function useWorkbench(id: FileId): Workbench | null {
  return useWorkbenches(({ workbenches }) => workbenches.get(id) ?? null);
}

/** The same, now. */
export function workbenchOf(id: FileId): Workbench | null {
  return useWorkbenches.getState().workbenches.get(id) ?? null;
}

/** Begins the workbench of a file. */
export function beginWorkbench(id: FileId, declarations: Declarations): void {
  const none = { problems: [], notes: [], places: null, changes: null, changeCount: 0 };
  put(id, { ...none, ...declarations });
}

/** Changes a workbench; one that was closed stays so. */
export function patchWorkbench(id: FileId, patch: Partial<Workbench>): void {
  const known = workbenchOf(id);
  if (known !== null) put(id, { ...known, ...patch });
}

function put(id: FileId, workbench: Workbench): void {
  useWorkbenches.setState(({ workbenches }) => ({
    workbenches: new Map(workbenches).set(id, workbench),
  }));
}

onClosed((id) => {
  useWorkbenches.setState(({ workbenches }) => ({
    workbenches: new Map([...workbenches].filter(([file]) => file !== id)),
  }));
});

/** The declarations that were typed last, so that a reload has them. */
export const keptDeclarations = kept<Declarations | null>('btfscope-workbench', {
  parse: (json) => {
    const { text, endian } = fieldsOf(json);
    if (typeof text !== 'string' || !fitsWorkbench(text)) return null;
    return { text, endian: endian === 'big' ? 'big' : 'little' };
  },
  format: (typed) => (typed === null ? undefined : { text: typed.text, endian: typed.endian }),
});

/** What is typed in the workbench, by the open file that it is compiled to. */

import { create } from 'zustand';
import type { Changes } from '#analysis/workbench/changes.ts';
import { type Declarations, fitsWorkbench } from '#analysis/workbench/declarations-key.ts';
import type { DeclaredPlace, Problem } from '#analysis/workbench/declared-places.ts';
import { isFramed } from '#store/page/framed.ts';
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

/** What was typed last, kept in the browser, so that it is there after a reload. It never leaves the browser. */

const KEY = 'btfscope-workbench';

/** What was kept; null where there is nothing that can be used, or the storage is forbidden. */
export function keptDeclarations(): Declarations | null {
  try {
    return declarationsIn(JSON.parse(localStorage.getItem(KEY) ?? 'null'));
  } catch {
    return null;
  }
}

/** Keeps it in the place of what was kept before, where the storage lets us; not in a frame. */
export function keepDeclarations({ text, endian }: Declarations): void {
  if (isFramed()) return;
  try {
    localStorage.setItem(KEY, JSON.stringify({ text, endian }));
  } catch {
    // Full or forbidden: it is there until the page is closed, and links carry it.
  }
}

/** Forgets it. */
export function forgetDeclarations(): void {
  try {
    localStorage.removeItem(KEY);
  } catch {
    // Forbidden: then nothing was kept.
  }
}

function declarationsIn(kept: unknown): Declarations | null {
  if (typeof kept !== 'object' || kept === null) return null;
  const { text, endian } = { text: null, endian: null, ...kept };
  if (typeof text !== 'string' || !fitsWorkbench(text)) return null;
  return { text, endian: endian === 'big' ? 'big' : 'little' };
}

/** Keeps the text and the results of each workbench, by the id of its file. */

import { create } from 'zustand';
import type { Changes } from '#analysis/workbench/changes.ts';
import { type Declarations, fitsWorkbench, headersOf } from '#analysis/workbench/declarations.ts';
import type { DeclaredPlace, Problem } from '#analysis/workbench/declared-places.ts';
import { fieldsOf, kept } from '#store/kept/local-storage.ts';
import { onClosed } from '#store/session/files.ts';
import type { FileId } from '#store/session/session.ts';

export type Workbench = Required<Declarations> & {
  /** Index of the header in the editor; -1 for the program. */
  readonly shown: number;
  /** Problems of the last compiled text. With problems, the BTF is that of an earlier text. */
  readonly problems: readonly Problem[];
  /** Notes about parts of the text that the compiler has ignored. */
  readonly notes: readonly Problem[];
  /** Places of the declarations in the text; null while a newer text is being compiled. */
  readonly places: readonly DeclaredPlace[] | null;
  /** Changes since the previous BTF; null for the first BTF. */
  readonly changes: Changes | null;
  /** Number of changes so far. */
  readonly changeCount: number;
};

type State = { readonly workbenches: ReadonlyMap<FileId, Workbench> };

const useWorkbenches = create<State>(() => ({ workbenches: new Map() }));

/** Returns the workbench of an open file, and redraws when it changes; null for other files. */
export function useWorkbench(id: FileId): Workbench | null {
  return useWorkbenches(({ workbenches }) => workbenches.get(id) ?? null);
}

/** Returns the workbench of an open file; null for other files. */
export function workbenchOf(id: FileId): Workbench | null {
  return useWorkbenches.getState().workbenches.get(id) ?? null;
}

export function beginWorkbench(id: FileId, declarations: Declarations): void {
  const none = { problems: [], notes: [], places: null, changes: null, changeCount: 0 };
  put(id, { headers: [], shown: -1, ...none, ...declarations });
}

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

/** The declarations most recently typed, which the browser stores. */
export const keptDeclarations = kept<Declarations | null>('btfscope-workbench', {
  parse: (json) => {
    const { text, endian, headers } = fieldsOf(json);
    if (typeof text !== 'string') return null;
    const local = Array.isArray(headers) ? headersOf(headers) : [];
    const typed = { text, headers: local ?? [] };
    return fitsWorkbench(typed) ? { ...typed, endian: endian === 'big' ? 'big' : 'little' } : null;
  },
  format: (typed) => {
    if (typed === null) return undefined;
    const { text, endian, headers = [] } = typed;
    return { text, endian, headers: headers.map((header) => [header.name, header.text]) };
  },
});

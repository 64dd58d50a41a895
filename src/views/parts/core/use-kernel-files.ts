import { useState } from 'react';
import { visible } from '#bytes/text.ts';
import { openFiles } from '#store/session/files.ts';
import { type FileId, fileById, session, typesOf } from '#store/session/session.ts';

export type KernelFiles = {
  /** Opens files; the object stays the file that is looked at. Gives those that can be targets. */
  readonly open: (files: readonly File[]) => Promise<readonly FileId[]>;
  /** How many are open of how many; null while none is being opened. */
  readonly progress: { readonly done: number; readonly total: number } | null;
  /** Files that are no targets, and why, as sentences. */
  readonly problems: readonly string[];
  readonly forget: () => void;
};

/** Opens kernels as targets of `object`. */
export function useKernelFiles(object: FileId): KernelFiles {
  const [progress, setProgress] = useState<KernelFiles['progress']>(null);
  const [problems, setProblems] = useState<readonly string[]>([]);
  const open = async (files: readonly File[]) => {
    const found: string[] = [];
    const targets: FileId[] = [];
    setProblems([]);
    const total = files.length;
    setProgress({ done: 0, total });
    const ids = await openFiles(files, { activate: false }, (done) => setProgress({ done, total }));
    for (const id of ids) {
      const opened = fileById(session.getState(), id);
      // Closed meanwhile, or the object was: the problem concerns nobody any more.
      if (opened === null || fileById(session.getState(), object) === null) continue;
      if (typesOf(opened) !== null) targets.push(id);
      // The kernels of an atlas stand among the others by themselves.
      else if (opened.status.step !== 'atlas') {
        found.push(problemOf(opened.status.step, opened.name));
      }
    }
    setProgress(null);
    setProblems(found);
    return targets;
  };
  return { open, progress, problems, forget: () => setProblems([]) };
}

function problemOf(step: string, name: string): string {
  switch (step) {
    case 'archive':
      return `${visible(name)} is an archive: open one of its members and select it.`;
    case 'ready':
      return `${visible(name)} has no BTF: no object can be judged on it, and no relocation resolved.`;
    default:
      return `${visible(name)} could not be opened.`;
  }
}

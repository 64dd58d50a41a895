import { useState } from 'react';
import { visible } from '#bytes/text.ts';
import { typesOf } from '#store/core-target.ts';
import { openFile } from '#store/files.ts';
import { type FileId, fileById, session } from '#store/session.ts';

export type KernelFiles = {
  /** Opens files one after the other; the object stays the file that is looked at. */
  readonly open: (files: readonly File[]) => Promise<void>;
  /** How many are open of how many; null while none is being opened. */
  readonly progress: { readonly done: number; readonly total: number } | null;
  /** What is no target, and why, in words. */
  readonly problems: readonly string[];
  readonly forget: () => void;
};

/** Opens kernels as columns of the matrix of `object`. */
export function useKernelFiles(object: FileId): KernelFiles {
  const [progress, setProgress] = useState<KernelFiles['progress']>(null);
  const [problems, setProblems] = useState<readonly string[]>([]);
  const open = async (files: readonly File[]) => {
    const found: string[] = [];
    for (const [done, file] of files.entries()) {
      setProgress({ done, total: files.length });
      const id = await openFile(file, { activate: false });
      const problem = problemOf(object, id, file.name);
      if (problem !== null) found.push(problem);
    }
    setProgress(null);
    setProblems(found);
  };
  return { open, progress, problems, forget: () => setProblems([]) };
}

function problemOf(object: FileId, id: FileId, name: string): string | null {
  const file = fileById(session.getState(), id);
  // Closed meanwhile, or the object was: nobody asks any more.
  if (file === null || fileById(session.getState(), object) === null) return null;
  if (typesOf(file) !== null) return null;
  switch (file.status.step) {
    case 'archive':
      return `${visible(name)} is an archive: open one of its members and select it.`;
    case 'ready':
      return `${visible(name)} has no types to relocate against.`;
    default:
      return `${visible(name)} could not be opened.`;
  }
}

import { useState } from 'react';
import { visible } from '#bytes/text.ts';
import { typesOf } from '#store/core-target.ts';
import { setCoreTarget } from '#store/core-view.ts';
import { openFile } from '#store/files.ts';
import { type FileId, fileById, session } from '#store/session.ts';

/** Opens files as targets of `object`, which stays the file that is looked at. */
export function useTargetFile(object: FileId): {
  readonly open: (file: File) => Promise<void>;
  /** Why the file that was opened last is no target; null where it is, or none was. */
  readonly problem: string | null;
  readonly forget: () => void;
} {
  const [problem, setProblem] = useState<string | null>(null);
  const open = async (file: File) => {
    setProblem(null);
    const id = await openFile(file, { activate: false });
    const opened = fileById(session.getState(), id);
    if (opened === null) return;
    if (typesOf(opened) === null) setProblem(problemOf(opened.status.step, file.name));
    else setCoreTarget(object, id);
  };
  return { open, problem, forget: () => setProblem(null) };
}

function problemOf(step: string, name: string): string {
  switch (step) {
    case 'archive':
      return `${visible(name)} is an archive: open one of its members and select it.`;
    case 'failed':
      return `${visible(name)} could not be opened.`;
    default:
      return `${visible(name)} has no types to relocate against.`;
  }
}

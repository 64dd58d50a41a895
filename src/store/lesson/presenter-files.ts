/** The files of a whole lesson: opened for its handout, and closed again. */
import { chooseBase } from '#store/bases.ts';
import { openByKey } from '#store/file-keys.ts';
import { closeFile } from '#store/files.ts';
import { parseAddress } from '#store/location.ts';
import { baseChoice, type FileId, fileById, type OpenFile, session } from '#store/session.ts';
import type { OpenLesson } from './lesson-state.ts';
import { placeOfStep } from './step-place.ts';

/** Where a step happens: its file, or why it is not available (a sentence without a full stop; raw text). */
export type StepFile = { readonly id: FileId | null; readonly problem: string };

/** Opens the file of each step, with its base; nothing that is looked at changes. By the number of the step. */
export async function openStepFiles(open: OpenLesson): Promise<readonly StepFile[]> {
  const files: StepFile[] = [];
  const count = open.lesson?.steps.length ?? 0;
  for (let i = 0; i < count; i++) {
    const { file: key, hash } = placeOfStep(open, i);
    if (key === '') {
      files.push({ id: null, problem: 'This lesson has no file' });
      continue;
    }
    const { file, problem } = await openByKey(key, '', { activate: false });
    if (file !== null) await standOnBase(file, parseAddress(hash).base);
    files.push({ id: file?.id ?? null, problem: problem ?? '' });
  }
  return files;
}

/** Numbers of the files that are open now. */
export function openIds(): readonly FileId[] {
  return session.getState().files.map(({ id }) => id);
}

/** Closes what was opened since. */
export function closeOthers(before: readonly FileId[]): void {
  for (const id of openIds()) if (!before.includes(id)) closeFile(id);
}

/** Split BTF says little without the types that it stands on. */
async function standOnBase(file: OpenFile, baseKey: string): Promise<void> {
  if (baseKey === '' || file.status.step !== 'ready') return;
  if (file.status.model.splitBase === null) return;
  const { file: base } = await openByKey(baseKey, '', { activate: false });
  const types = base?.status.step === 'ready' ? base.status.model.types : null;
  const chosen = baseChoice(fileById(session.getState(), file.id)).chosen;
  if (base === null || types === null || chosen?.fileId === base.id) return;
  await chooseBase(file.id, { fileId: base.id, name: base.name, types });
}

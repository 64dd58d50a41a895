/** The files of a lesson: opened and read to their end, and those of a handout closed again. */
import type { ReadBytes } from '#analysis/fields/field.ts';
import { type FoundFile, openByKey } from '#store/address/file-keys.ts';
import { standOnBase } from '#store/address/follow-link.ts';
import { parseAddress } from '#store/address/location.ts';
import { bytesNow } from '#store/session/bytes-cache.ts';
import { type BackgroundOptions, closeFile } from '#store/session/files.ts';
import { type FileId, fileById, type OpenFile, session } from '#store/session/session.ts';
import { type PlacedLesson, placeOfStep } from './step-place.ts';

/** As `openByKey`, and waits for a file that is open but not read yet. */
export async function openRead(key: string, options: BackgroundOptions = {}): Promise<FoundFile> {
  const found = await openByKey(key, '', options);
  if (found.file === null) return found;
  const file = await onceRead(found.file.id);
  return file === null
    ? { file, problem: 'The file was closed before it was open' }
    : { file, problem: null };
}

/** The file once it is no longer opening; null where it is closed before. */
function onceRead(id: FileId): Promise<OpenFile | null> {
  return new Promise((resolve) => {
    const look = () => {
      const file = fileById(session.getState(), id);
      if (file?.status.step === 'opening') return;
      stop();
      resolve(file);
    };
    const stop = session.subscribe(look);
    look();
  });
}

/** Pages that one question may need, one after the other. */
const MAX_ROUNDS = 16;
const ROUND_MS = 1500;

/** What `ask` gives once all the bytes that it reads of the file are here; what it gives without them where they do not come. */
export async function withBytes<T>(id: FileId, ask: (read: ReadBytes) => T): Promise<T> {
  for (let round = 0; round < MAX_ROUNDS; round++) {
    let isWhole = true;
    const before = session.getState().bytesVersion;
    const found = ask((start, end) => {
      const bytes = bytesNow(id, start, end);
      if (bytes === null) isWhole = false;
      return bytes;
    });
    if (isWhole || !(await moreBytes(before))) return found;
  }
  return ask((start, end) => bytesNow(id, start, end));
}

/** Settles when bytes have come since `before`; false where none do. */
function moreBytes(before: number): Promise<boolean> {
  return new Promise((resolve) => {
    const settle = (hasCome: boolean) => {
      clearTimeout(timer);
      stop();
      resolve(hasCome);
    };
    const timer = setTimeout(() => settle(false), ROUND_MS);
    const stop = session.subscribe(({ bytesVersion }) => {
      if (bytesVersion !== before) settle(true);
    });
    if (session.getState().bytesVersion !== before) settle(true);
  });
}

/** Where a step happens: its file, or why it is not available (a sentence without a full stop; raw text). */
export type StepFile = { readonly id: FileId | null; readonly problem: string };

/** Opens the file of each step, with its base; nothing that is looked at changes. By the number of the step. */
export async function openStepFiles(open: PlacedLesson): Promise<readonly StepFile[]> {
  const files: StepFile[] = [];
  const count = open.lesson?.steps.length ?? 0;
  for (let i = 0; i < count; i++) {
    const { file: key, hash } = placeOfStep(open, i);
    if (key === '') {
      files.push({ id: null, problem: 'This lesson has no file' });
      continue;
    }
    const { file, problem } = await openByKey(key, '', { activate: false });
    await standOnBase(file, parseAddress(hash).base);
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

/** Files of a lesson's steps: loads their bytes; opens and closes them for a handout. */
import type { ReadBytes } from '#analysis/fields/field.ts';
import { openByKey } from '#store/address/file-keys.ts';
import { standOnBase } from '#store/address/follow-link.ts';
import { bytesNow } from '#store/session/bytes-cache.ts';
import { closeFile } from '#store/session/files.ts';
import { type FileId, session } from '#store/session/session.ts';
import { type PlacedLesson, placeOfStep } from './step-place.ts';

/** Limit of repetitions of a check; each runs after more bytes have arrived. */
const MAX_ROUNDS = 16;
const ROUND_MS = 1500;

/** Repeats `ask` until it has all bytes that it reads, or no more bytes arrive in time. */
export async function withBytes<T>(id: FileId, ask: (read: ReadBytes) => T): Promise<T> {
  for (let round = 0; round < MAX_ROUNDS; round++) {
    let isWhole = true;
    const before = session.getState().bytesVersion;
    const answer = ask((start, end) => {
      const bytes = bytesNow(id, start, end);
      if (bytes === null) isWhole = false;
      return bytes;
    });
    if (isWhole || !(await moreBytes(before))) return answer;
  }
  return ask((start, end) => bytesNow(id, start, end));
}

/** Waits until the bytes cache is newer than `before`. Resolves to false after `ROUND_MS`. */
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

/** File of a step, or why it is not open: a sentence without a full stop, not escaped. */
export type StepFile = { readonly id: FileId | null; readonly problem: string };

/** Opens the file of each step, with its base, in the background. Returns one entry per step. */
export async function openStepFiles(open: PlacedLesson): Promise<readonly StepFile[]> {
  const files: StepFile[] = [];
  const count = open.lesson?.steps.length ?? 0;
  for (let i = 0; i < count; i++) {
    const { file: key, address } = placeOfStep(open, i);
    if (key === '') {
      files.push({ id: null, problem: 'This lesson has no file' });
      continue;
    }
    const { file, problem } = await openByKey(key, '', { activate: false });
    await standOnBase(file, address.base);
    files.push({ id: file?.id ?? null, problem: problem ?? '' });
  }
  return files;
}

export function openIds(): readonly FileId[] {
  return session.getState().files.map(({ id }) => id);
}

/** Closes all files that are not in `before`. */
export function closeOthers(before: readonly FileId[]): void {
  for (const id of openIds()) if (!before.includes(id)) closeFile(id);
}

/** Texts of whole files, printed by the worker on demand and cached. */

import { clientOf } from '#store/session/files.ts';
import type { FileId } from '#store/session/session.ts';
import { revisionOf, type TaskKey, type TaskState, Tasks } from '#store/session/tasks.ts';
import type { Methods } from '#worker/protocol.ts';
import type { TextFormat, TextOptions } from './state.ts';

export type WholeText = Methods['text']['result'];

type TextKey = TaskKey & { readonly format: TextFormat; readonly options: TextOptions };

export const wholeTexts = new Tasks<TextKey, WholeText>();

/**
 * Returns the text of a file as far as it is printed; null before it is requested. Redraws when it
 * changes.
 */
export function useWholeText(
  id: FileId,
  format: TextFormat,
  options: TextOptions = {},
): TaskState<WholeText> | null {
  return wholeTexts.useTask(() => textKey(id, format, options));
}

/**
 * Requests the text once: not again after it is finished, running or stopped. Resolves when the
 * request ends.
 */
export async function wantText(
  id: FileId,
  format: TextFormat,
  options: TextOptions = {},
): Promise<void> {
  if (wholeTexts.get(textKey(id, format, options)) === null) await makeText(id, format, options);
}

/** Requests the text, even after it was stopped or failed, and drops texts of another base. */
export async function makeText(
  id: FileId,
  format: TextFormat,
  options: TextOptions = {},
): Promise<void> {
  const { reading } = revisionOf(id);
  wholeTexts.forget(({ files }) =>
    files.some((file) => file.id === id && file.reading !== reading),
  );
  await wholeTexts.run(textKey(id, format, options), async (call) =>
    clientOf(id)?.call('text', { format, ...options }, call),
  );
}

export function stopText(id: FileId, format: TextFormat, options: TextOptions = {}): void {
  wholeTexts.stop(textKey(id, format, options));
}

/** Returns the cache key for the current reading of a file. */
export function textKey(id: FileId, format: TextFormat, options: TextOptions = {}): TextKey {
  return { files: [revisionOf(id)], format, options };
}

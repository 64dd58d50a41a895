/** Whole files as text, made by the worker when they are first shown, and kept. */

import { clientOf } from '#store/session/files.ts';
import type { FileId } from '#store/session/session.ts';
import { revisionOf, type TaskKey, type TaskState, Tasks } from '#store/session/tasks.ts';
import type { Methods } from '#worker/protocol.ts';
import type { TextFormat, TextOptions } from './state.ts';

export type WholeText = Methods['text']['result'];

type TextKey = TaskKey & { readonly format: TextFormat; readonly options: TextOptions };

export const wholeTexts = new Tasks<TextKey, WholeText>();

/**
 * Returns the text of a file as far as it is written; null before it is requested. Redraws when
 * it changes.
 */
export function useWholeText(
  id: FileId,
  format: TextFormat,
  options: TextOptions = {},
): TaskState<WholeText> | null {
  return wholeTexts.useTask(() => textKey(id, format, options));
}

/** Writes the text unless that is done, going on, or has been stopped. Settles when it has ended, in whatever way. */
export async function wantText(
  id: FileId,
  format: TextFormat,
  options: TextOptions = {},
): Promise<void> {
  if (wholeTexts.get(textKey(id, format, options)) === null) await makeText(id, format, options);
}

/** Writes the text, again where it was stopped or failed, and drops the texts of another base. */
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

/** Stops a text that is being written. */
export function stopText(id: FileId, format: TextFormat, options: TextOptions = {}): void {
  wholeTexts.stop(textKey(id, format, options));
}

/** Names the text of the current reading of a file. */
export function textKey(id: FileId, format: TextFormat, options: TextOptions = {}): TextKey {
  return { files: [revisionOf(id)], format, options };
}

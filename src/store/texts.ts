/** Whole files as text, made by the worker when they are first shown, and kept. */
import type { Methods } from '#worker/protocol.ts';
import { clientOf } from './files.ts';
import { type FileId, useSession } from './session.ts';
import { revisionKey, type TaskState, Tasks } from './tasks.ts';

export type WholeText = Methods['text']['result'];

export type TextFormat = Methods['text']['params']['format'];
export const TEXT_FORMATS = ['c', 'raw', 'json', 'pahole'] as const satisfies TextFormat[];

export const DECLARATION_FORMS = ['c', 'header', 'pahole', 'raw', 'zig', 'rust', 'go'] as const;
export type DeclarationForm = (typeof DECLARATION_FORMS)[number];

export const wholeTexts = new Tasks<WholeText>();

/** The text of a file as far as it is written; null before it is asked for. Draws again when that changes. */
export function useWholeText(id: FileId, format: TextFormat): TaskState<WholeText> | null {
  const key = useSession(() => keyOf(id, format));
  return wholeTexts.use((known) => known.get(key) ?? null);
}

/** Writes the text unless that is done, going on, or has been stopped. Settles when it has ended, in whatever way. */
export async function wantText(id: FileId, format: TextFormat): Promise<void> {
  if (wholeTexts.get(keyOf(id, format)) === null) await makeText(id, format);
}

/** Writes the text, again where it was stopped or failed, and drops the texts of another base. */
export async function makeText(id: FileId, format: TextFormat): Promise<void> {
  const current = `${revisionKey(id)}:`;
  wholeTexts.forget((key) => key.startsWith(`${id}.`) && !key.startsWith(current));
  await wholeTexts.run(keyOf(id, format), async (options) =>
    clientOf(id)?.call('text', { format }, options),
  );
}

/** Stops a text that is being written. */
export function stopText(id: FileId, format: TextFormat): void {
  wholeTexts.stop(keyOf(id, format));
}

function keyOf(id: FileId, format: TextFormat): string {
  return `${revisionKey(id)}:${format}`;
}

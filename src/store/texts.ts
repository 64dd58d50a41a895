/**
 * Whole files as text, made by the file's worker when they are first looked at and
 * kept, so that going from one form to another and back takes no time. Also which
 * form was chosen last, there and for the declaration of one type.
 */
import { create } from 'zustand';
import type { Issue } from '#bytes/issue.ts';
import type { Methods } from '#worker/protocol.ts';
import { clientOf, onClosed } from './files.ts';
import { baseChoice, type FileId, fileById, session, useSession } from './session.ts';

export type WholeText = Methods['text']['result'];

export const TEXT_FORMATS = ['c', 'raw', 'json', 'pahole'] as const satisfies readonly Format[];
type Format = Methods['text']['params']['format'];
export type TextFormat = (typeof TEXT_FORMATS)[number];

export const DECLARATION_FORMS = ['c', 'header', 'pahole', 'raw', 'zig', 'rust', 'go'] as const;
export type DeclarationForm = (typeof DECLARATION_FORMS)[number];

export type TextOutcome =
  | { readonly step: 'writing'; readonly done: number; readonly total: number }
  | { readonly step: 'ready'; readonly text: WholeText }
  | { readonly step: 'stopped' }
  | { readonly step: 'failed'; readonly issue: Issue };

type TextsState = {
  readonly outcomes: ReadonlyMap<string, TextOutcome>;
  readonly format: TextFormat;
  readonly declaration: DeclarationForm;
};

export const useTexts = create<TextsState>(() => ({
  outcomes: new Map(),
  format: 'c',
  declaration: 'c',
}));

export function setTextFormat(format: TextFormat): void {
  useTexts.setState({ format });
}

export function setDeclarationForm(declaration: DeclarationForm): void {
  useTexts.setState({ declaration });
}

const running = new Map<string, AbortController>();

/** The text of a file as far as it is made; null before it is asked for. Draws again when that changes. */
export function useWholeText(id: FileId, format: TextFormat): TextOutcome | null {
  // Read on another base, the file has another text.
  useSession((state) => baseChoice(fileById(state, id)).reading);
  return useTexts(({ outcomes }) => outcomes.get(keyOf(id, format)) ?? null);
}

/** Makes the text unless that is done, going on, or has been stopped. Settles when it has ended, in whatever way. */
export async function wantText(id: FileId, format: TextFormat): Promise<void> {
  if (!useTexts.getState().outcomes.has(keyOf(id, format))) await makeText(id, format);
}

/** Makes the text, again if need be. */
export async function makeText(id: FileId, format: TextFormat): Promise<void> {
  const key = keyOf(id, format);
  const controller = new AbortController();
  forget(id, (other) => other === key || !other.startsWith(readingOf(id)));
  running.set(key, controller);
  put(key, { step: 'writing', done: 0, total: 0 });
  const outcome = await clientOf(id)?.call(
    'text',
    { format },
    {
      signal: controller.signal,
      onProgress: ({ done, total }) => {
        if (running.get(key) === controller) put(key, { step: 'writing', done, total });
      },
    },
  );
  // Stopped, closed or asked anew meanwhile: whoever did that has said what holds now.
  if (running.get(key) !== controller) return;
  running.delete(key);
  if (outcome === undefined) return;
  put(
    key,
    outcome.ok ? { step: 'ready', text: outcome.value } : { step: 'failed', issue: outcome.issue },
  );
}

/** Stops a text that is being made. */
export function stopText(id: FileId, format: TextFormat): void {
  const key = keyOf(id, format);
  const controller = running.get(key);
  if (controller === undefined) return;
  running.delete(key);
  controller.abort();
  put(key, { step: 'stopped' });
}

function readingOf(id: FileId): string {
  return `${id}:${baseChoice(fileById(session.getState(), id)).reading}:`;
}

function keyOf(id: FileId, format: TextFormat): string {
  return `${readingOf(id)}${format}`;
}

function put(key: string, outcome: TextOutcome): void {
  useTexts.setState(({ outcomes }) => ({ outcomes: new Map(outcomes).set(key, outcome) }));
}

/** Lets go of those texts of a file that `isOld` says. */
function forget(id: FileId, isOld: (key: string) => boolean): void {
  const old = [...useTexts.getState().outcomes.keys()].filter(
    (key) => key.startsWith(`${id}:`) && isOld(key),
  );
  if (old.length === 0) return;
  for (const key of old) {
    running.get(key)?.abort();
    running.delete(key);
  }
  useTexts.setState(({ outcomes }) => ({
    outcomes: new Map([...outcomes].filter(([key]) => !old.includes(key))),
  }));
}

onClosed((id) => forget(id, () => true));

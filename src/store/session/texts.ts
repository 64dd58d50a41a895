/** Whole files as text, made by the worker when they are first shown, and kept. */
import type { Methods } from '#worker/protocol.ts';
import { clientOf } from './files.ts';
import type { FileId } from './session.ts';
import { revisionOf, type TaskKey, type TaskState, Tasks } from './tasks.ts';

export type WholeText = Methods['text']['result'];

export type TextFormat = Methods['text']['params']['format'];
export const TEXT_FORMATS = ['c', 'raw', 'json', 'pahole'] as const satisfies TextFormat[];

/** What a text depends on beside its format; nothing for the text of the newest version as it prints it by default. */
export type TextOptions = Omit<Methods['text']['params'], 'format'>;

/** A tool whose text differs by its version. */
export type Tool = Exclude<keyof TextOptions, 'unsorted'>;
type VersionOf<T extends Tool> = NonNullable<TextOptions[T]>;

/** The default first. */
export const TOOL_VERSIONS = {
  bpftool: ['7.8', '7.1'],
  pahole: ['1.31', '1.24'],
} as const satisfies { readonly [T in Tool]: readonly VersionOf<T>[] };
export const TEXT_ORDERS = ['sorted', 'unsorted'] as const;

/** What the view keeps of its text. */
export type TextChoice = { readonly [T in Tool]: VersionOf<T> } & {
  readonly format: TextFormat;
  readonly order: (typeof TEXT_ORDERS)[number];
};

/** The tool by whose version the text differs; null for raw text, which has not changed. */
export function versionedTool(format: TextFormat): Tool | null {
  if (format === 'pahole') return 'pahole';
  return format === 'raw' ? null : 'bpftool';
}

/** Can the types be sorted or not? bpftool 7.1 writes them in the order of their ids. */
export function hasOrders({ format, bpftool }: TextChoice): boolean {
  return format === 'c' && bpftool !== '7.1';
}

/** The options of a choice, as far as the text depends on them. */
export function textOptions(choice: TextChoice): TextOptions {
  const tool = versionedTool(choice.format);
  const isUnsorted = hasOrders(choice) && choice.order === 'unsorted';
  return {
    ...(tool !== null && choice[tool] !== TOOL_VERSIONS[tool][0] && { [tool]: choice[tool] }),
    ...(isUnsorted && { unsorted: true }),
  };
}

export const DECLARATION_FORMS = ['c', 'header', 'pahole', 'raw', 'zig', 'rust', 'go'] as const;
export type DeclarationForm = (typeof DECLARATION_FORMS)[number];

type TextKey = TaskKey & { readonly format: TextFormat; readonly options: TextOptions };

export const wholeTexts = new Tasks<TextKey, WholeText>();

/** The text of a file as far as it is written; null before it is asked for. Draws again when that changes. */
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

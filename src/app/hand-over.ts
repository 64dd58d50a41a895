/**
 * Opens files that another page sends by `postMessage` (docs/links.md): the opener, the framing
 * page, or an editor, whose theme is applied too. The user must agree to a file from a page. The
 * page learns only if the file was opened. Messages from other windows are ignored.
 */
import { parseAddress } from '#store/address/address.ts';
import { followIn } from '#store/address/follow-link.ts';
import { showView } from '#store/address/navigation.ts';
import { askConsent, MAX_BYTES } from '#store/address/source-link.ts';
import { editorOf } from '#store/page/host.ts';
import { openFile } from '#store/session/files.ts';
import { fileNow, hasViews } from '#store/session/session.ts';
import { applyTheme, THEMES, useTheme } from './theme.ts';

const MAX_NAME = 255;

/** File that another page sent, after validation. */
export type HandedOver = {
  readonly name: string;
  readonly bytes: Blob;
  /** Place in the file, as an address without the file's key; may be empty. */
  readonly at: string;
  /** Whether to compare the file with the active file. Only editors set this. */
  readonly isCompared: boolean;
};

type Answer =
  | { readonly type: 'btfscope:ready'; readonly version: 1 }
  | { readonly type: 'btfscope:opened'; readonly name: string }
  | {
      readonly type: 'btfscope:refused';
      readonly reason: string;
      /** Whether btfscope shows `reason` to the user, so that the other page need not. */
      readonly isShown: boolean;
    };

/** Returns the file in a message, an error message if the file is invalid, else null. */
export function readHandOver(data: unknown): HandedOver | string | null {
  if (!isRecord(data) || data.type !== 'btfscope:open') return null;
  const bytes = blobOf(data.bytes);
  if (bytes === null) return 'bytes must be an ArrayBuffer, a typed array or a Blob';
  if (bytes.size > MAX_BYTES) return `the file is larger than ${MAX_BYTES} bytes`;
  const name = typeof data.name === 'string' ? data.name.slice(0, MAX_NAME) : '';
  return {
    name: name || 'handed over',
    bytes,
    at: typeof data.at === 'string' ? data.at : '',
    isCompared: data.compare === true,
  };
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

function blobOf(bytes: unknown): Blob | null {
  if (bytes instanceof Blob) return bytes;
  if (bytes instanceof ArrayBuffer) return new Blob([bytes]);
  if (!ArrayBuffer.isView(bytes)) return null;
  const { buffer, byteOffset, byteLength } = bytes;
  return buffer instanceof ArrayBuffer
    ? new Blob([new Uint8Array(buffer, byteOffset, byteLength)])
    : null;
}

/** Listens to the page that opened or frames this page. Returns a function that stops listening. */
export function startHandOver(window: Window): () => void {
  const editor = editorOf(window);
  const opener: Window | null = window.opener;
  const others = [opener, window.parent].filter((other) => other !== null && other !== window);
  const onMessage = (event: MessageEvent<unknown>) => {
    const { source, data, origin } = event;
    if (editor !== undefined) {
      // VS Code deletes `window.parent`, so compare origins: VS Code's outer frame has our origin.
      if (origin !== window.origin) return;
      if (!takeTheme(data)) void answerHandOver(data, null, (answer) => editor.postMessage(answer));
      return;
    }
    if (source === null || !others.some((other) => other === source)) return;
    // The origin `null` is opaque: only the target `*` reaches a page of this origin.
    const target = origin === 'null' || origin === '' ? '*' : origin;
    const tell = (answer: Answer) => source.postMessage(answer, { targetOrigin: target });
    // A page that loaded late has missed the first `btfscope:ready`: send it again.
    if (isRecord(data) && data.type === 'btfscope:ping') {
      tell({ type: 'btfscope:ready', version: 1 });
    } else void answerHandOver(data, target === '*' ? '' : origin, tell);
  };
  window.addEventListener('message', onMessage);
  const ready: Answer = { type: 'btfscope:ready', version: 1 };
  if (editor !== undefined) editor.postMessage(ready);
  else for (const other of others) other?.postMessage(ready, '*');
  return () => window.removeEventListener('message', onMessage);
}

/** Applies the theme of an editor without storing it. Returns false for messages of other types. */
function takeTheme(data: unknown): boolean {
  if (!isRecord(data) || data.type !== 'btfscope:theme') return false;
  const theme = THEMES.find((name) => name === data.theme);
  if (theme !== undefined) {
    useTheme.setState({ theme });
    applyTheme();
  }
  return true;
}

/** Answers a message. `origin` is null for an editor, where the user has chosen the file. */
async function answerHandOver(
  data: unknown,
  origin: string | null,
  tell: (answer: Answer) => void,
): Promise<void> {
  const handed = readHandOver(data);
  if (handed === null) return;
  const refuse = (reason: string, isShown = false) =>
    tell({ type: 'btfscope:refused', reason, isShown });
  if (typeof handed === 'string') {
    refuse(handed);
    return;
  }
  const { name, bytes, at, isCompared } = handed;
  if (origin === null && isCompared) {
    const { openOther } = await import('#views/compare/other-file.ts');
    const problem = await openOther(new File([bytes], name));
    if (problem === null) {
      showView('compare');
      tell({ type: 'btfscope:opened', name });
    } else refuse(problem);
    return;
  }
  if (
    origin !== null &&
    !(await askConsent({ kind: 'handOver', origin, name, size: bytes.size }))
  ) {
    refuse('the user declined, or is already being asked');
    return;
  }
  // The browser keeps no copy of a file that an editor sent.
  const id = await openFile(new File([bytes], name), { remember: origin !== null });
  const file = fileNow(id);
  const status = file?.status;
  if (file !== null && hasViews(file) && at !== '') await followIn(id, parseAddress(at));
  if (status === undefined || status.step === 'failed') {
    refuse('the file could not be opened', status !== undefined);
  } else {
    tell({ type: 'btfscope:opened', name });
  }
}

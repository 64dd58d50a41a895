/**
 * The page or editor around this page. In VS Code's webview `acquireVsCodeApi` exists; a page that
 * frames this page cannot add it, so it cannot pretend to be an editor.
 */
import type { SourceLine } from '#analysis/code/source-lines.ts';
import { memoized } from '#bytes/cache.ts';

/** Message from this page to the editor; `app/hand-over.ts` sends other kinds. */
type EditorMessage = {
  readonly type: 'btfscope:source';
  /** Path of the source file as given to the compiler, not escaped. */
  readonly file: string;
  /** Line number, from 1. */
  readonly line: number;
  /** Column number, from 1; 0 if it is not known. */
  readonly column: number;
};

type EditorApi = { readonly postMessage: (message: unknown) => void };

// Cached: the editor returns its API only once per document, then throws.
const acquired = memoized((page: object) =>
  (page as { readonly acquireVsCodeApi?: () => EditorApi }).acquireVsCodeApi?.(),
);

export function editorOf(page: object): EditorApi | undefined {
  return acquired(page);
}

/** Returns a function that opens a source line in the editor; undefined if there is no editor. */
export function sourceOpener(): ((line: SourceLine) => void) | undefined {
  const editor = editorOf(globalThis);
  return (
    editor &&
    (({ file, line, column }) => {
      const message: EditorMessage = { type: 'btfscope:source', file, line, column };
      editor.postMessage(message);
    })
  );
}

/** Returns true if another page shows this page in a frame; false in an editor's webview. */
export function isFramed(): boolean {
  return globalThis.top !== globalThis.window && editorOf(globalThis) === undefined;
}

/**
 * Sends the content height of `scroller` to the page around the frame, now and after changes. Only
 * for content that the link carries: the height of another file is private. Returns a function that
 * stops this.
 */
export function tellHeight(scroller: HTMLElement | null): (() => void) | undefined {
  const content = scroller?.firstElementChild;
  if (scroller === null || !(content instanceof HTMLElement)) return;
  let sent = 0;
  const observer = new ResizeObserver(() => {
    const height = window.innerHeight - scroller.clientHeight + content.offsetHeight;
    if (height === sent) return;
    sent = height;
    window.parent.postMessage({ type: 'btfscope:size', height }, '*');
  });
  observer.observe(scroller);
  observer.observe(content);
  return () => observer.disconnect();
}

/**
 * The page or editor around this page. VS Code's webview has `acquireVsCodeApi`, which only the
 * maker of a document can add: a page with a frame cannot pose as an editor.
 */
import type { SourceLine } from '#analysis/code/source-lines.ts';
import { memoized } from '#bytes/cache.ts';

/** Message from the page to the editor; `app/hand-over.ts` sends others. */
type EditorMessage = {
  readonly type: 'btfscope:source';
  /** Path that the compiler was called with. Raw text. */
  readonly file: string;
  /** From 1. */
  readonly line: number;
  /** From 1; 0 if it is not known. */
  readonly column: number;
};

type EditorApi = { readonly postMessage: (message: unknown) => void };

// The editor returns its API once per document and throws after that.
const acquired = memoized((page: object) =>
  (page as { readonly acquireVsCodeApi?: () => EditorApi }).acquireVsCodeApi?.(),
);

export function editorOf(page: object): EditorApi | undefined {
  return acquired(page);
}

/** Returns a function that opens a source line in the editor around the page; undefined in a browser. */
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

/** Returns whether another page shows this one in a frame. An editor's webview is not such a frame. */
export function isFramed(): boolean {
  return globalThis.top !== globalThis.window && editorOf(globalThis) === undefined;
}

/**
 * Posts the height of the content of `scroller` to the page around the frame, now and after
 * changes. Only for content of the link, since another file's height is private. Returns a function
 * that stops it.
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

/**
 * The editor around the page. The extension for VS Code shows the page in a webview, whose document
 * has the function `acquireVsCodeApi`. Only the maker of a document can add it, so a page that
 * frames this one cannot pose as an editor.
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

/** Returns the editor that shows the page; undefined in a browser. */
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
 * Posts the height that the frame needs to show the content of `scroller` whole to the page around
 * it, now and after each change. Call it for content of the link only: the height of another file
 * would reveal something of that file. Returns a function that stops the messages.
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

/**
 * The editor around the page: the extension for VS Code shows the page in a webview, whose document
 * has the function `acquireVsCodeApi`. Only who makes the document can put it there, so no page that
 * merely frames this one passes for an editor.
 */
import type { SourceLine } from '#analysis/code/source-lines.ts';
import { oncePer } from '#bytes/keep.ts';

/** What the page tells the editor beside the answers of `app/hand-over.ts`. */
type EditorMessage = {
  readonly type: 'btfscope:source';
  /** As the compiler was given it. Raw text. */
  readonly file: string;
  /** From 1. */
  readonly line: number;
  /** From 1; 0 where it is not known. */
  readonly column: number;
};

type EditorApi = { readonly postMessage: (message: unknown) => void };

// The editor gives it once per document.
const acquired = oncePer((page: object) =>
  (page as { readonly acquireVsCodeApi?: () => EditorApi }).acquireVsCodeApi?.(),
);

/** The editor that shows the page; undefined elsewhere. */
export function editorOf(page: object): EditorApi | undefined {
  return acquired(page);
}

/** Opens a line of the source in the editor around the page; undefined where there is none. */
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

import { editorOf } from './editor.ts';

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

import { editorOf } from './editor.ts';
import type { OpenFile, Session } from './session.ts';

/**
 * Is the page shown in a frame by another page? An editor is none, it shows the page for itself. What is typed and answered there is not kept: the page around it
 * may have led the person to it, with a link of its own choice.
 */
export function isFramed(): boolean {
  return globalThis.top !== globalThis.window && editorOf(globalThis) === undefined;
}

/** Does a frame show a type of `file` without the list of types? Where the link has brought that type. */
export function isTypeAlone({ embed }: Session, file: OpenFile | null): boolean {
  return (embed !== false || isFramed()) && file?.origin?.carries.kind === 'types';
}

/**
 * Tells the page around this one how tall the frame must be for the content of `scroller` to be
 * seen whole, now and whenever that changes. Only of what the link itself brings: the height of
 * another file would tell something of it. Gives back what stops it.
 */
export function tellHeight(scroller: HTMLElement | null): (() => void) | undefined {
  const content = scroller?.firstElementChild;
  if (scroller === null || !(content instanceof HTMLElement)) return;
  let told = 0;
  const observer = new ResizeObserver(() => {
    const height = window.innerHeight - scroller.clientHeight + content.offsetHeight;
    if (height === told) return;
    told = height;
    window.parent.postMessage({ type: 'btfscope:size', height }, '*');
  });
  observer.observe(scroller);
  observer.observe(content);
  return () => observer.disconnect();
}

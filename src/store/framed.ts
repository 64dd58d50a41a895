/**
 * Is the page shown in a frame? What is typed and answered there is not kept: the page around it
 * may have led the person to it, with a link of its own choice.
 */
export function isFramed(): boolean {
  return globalThis.top !== globalThis.window;
}

import { act, type ReactElement } from 'react';
import { createRoot, type Root } from 'react-dom/client';
import { vi } from 'vitest';

/** Height of every element in CSS pixels, because the simulated page has no layout. */
const VIEWPORT_HEIGHT = 440;

const mounted: { readonly root: Root; readonly host: HTMLElement }[] = [];

/** Renders `element` into the simulated page and returns its container. */
export async function mount(element: ReactElement): Promise<HTMLElement> {
  Reflect.set(globalThis, 'IS_REACT_ACT_ENVIRONMENT', true);
  for (const measure of ['clientHeight', 'offsetHeight']) {
    Object.defineProperty(HTMLElement.prototype, measure, {
      configurable: true,
      get: () => VIEWPORT_HEIGHT,
    });
  }
  simulateScrolling();
  const host = document.createElement('div');
  document.body.append(host);
  const root = createRoot(host);
  mounted.push({ root, host });
  await act(async () => root.render(element));
  return host;
}

/** Gives scrolling elements a content height and scroll events, which the simulated page lacks. */
function simulateScrolling(): void {
  Object.defineProperty(HTMLElement.prototype, 'scrollHeight', {
    configurable: true,
    get(this: HTMLElement) {
      const content = this.firstElementChild;
      const height = content instanceof HTMLElement ? Number.parseFloat(content.style.height) : 0;
      return Math.max(VIEWPORT_HEIGHT, height || 0);
    },
  });
  Object.defineProperty(HTMLElement.prototype, 'scrollTo', {
    configurable: true,
    value(this: HTMLElement, { top = 0 }: ScrollToOptions) {
      this.scrollTop = top;
      this.dispatchEvent(new Event('scroll'));
    },
  });
}

/** Disables size observers until `unmountAll`: rows stay as at the first render. */
export function observeNoSizes(): void {
  vi.stubGlobal(
    'ResizeObserver',
    class {
      observe() {}
      unobserve() {}
      disconnect() {}
    },
  );
}

/** Removes all mounted elements; call it in `afterEach`. */
export async function unmountAll(): Promise<void> {
  vi.unstubAllGlobals();
  for (const { root, host } of mounted.splice(0)) {
    await act(async () => root.unmount());
    host.remove();
  }
}

/** Returns the first element that matches the selector. Throws if none does. */
export function find(host: ParentNode, selector: string): HTMLElement {
  const element = host.querySelector(selector);
  if (!(element instanceof HTMLElement)) throw new Error(`nothing matches ${selector}`);
  return element;
}

/** Waits for an element that matches the selector: parts of the page load on demand. */
export async function whenThere(host: ParentNode, selector: string): Promise<HTMLElement> {
  const look = async () => {
    await act(async () => undefined);
    return find(host, selector);
  };
  return await vi.waitFor(look, { timeout: 30_000 });
}

export async function press(element: Element, key: string, more: KeyboardEventInit = {}) {
  const event = new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true, ...more });
  await act(async () => {
    element.dispatchEvent(event);
  });
  return event;
}

export async function focus(element: HTMLElement): Promise<void> {
  await act(async () => element.focus());
}

export async function fire(element: EventTarget, event: Event): Promise<void> {
  await act(async () => {
    element.dispatchEvent(event);
  });
}

/** Replaces the value of a field by `text`, as typing does. */
export async function typeInto(field: HTMLElement, text: string): Promise<void> {
  const prototype = field instanceof HTMLTextAreaElement ? HTMLTextAreaElement : HTMLInputElement;
  Object.getOwnPropertyDescriptor(prototype.prototype, 'value')?.set?.call(field, text);
  await fire(field, new Event('input', { bubbles: true }));
}

/** Scrolls the element and dispatches a scroll event, as a browser does. */
export async function scrollTo(element: Element, top: number): Promise<void> {
  element.scrollTop = top;
  await fire(element, new Event('scroll'));
}

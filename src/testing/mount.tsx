import { act, type ReactElement } from 'react';
import { createRoot, type Root } from 'react-dom/client';
import { vi } from 'vitest';

/** Height of every element in a test, in CSS pixels: the simulated page has no layout of its own. */
const VIEWPORT_HEIGHT = 440;

const mounted: { readonly root: Root; readonly host: HTMLElement }[] = [];

/** Draws `element` into the simulated page and gives the place it was drawn in. */
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

/** What a scroller needs of a layout: a height for what is in it, and an event when it was scrolled. */
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

/** Until `unmountAll`, nobody is told a size: rows are drawn as for a first sight. */
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

/** Takes everything down again. For `afterEach`. */
export async function unmountAll(): Promise<void> {
  vi.unstubAllGlobals();
  for (const { root, host } of mounted.splice(0)) {
    await act(async () => root.unmount());
    host.remove();
  }
}

/** The one element that the selector names; throws when there is none. */
export function find(host: ParentNode, selector: string): HTMLElement {
  const element = host.querySelector(selector);
  if (!(element instanceof HTMLElement)) throw new Error(`nothing matches ${selector}`);
  return element;
}

/** The one element that the selector names, once what is fetched later is there. */
export async function whenThere(host: ParentNode, selector: string): Promise<HTMLElement> {
  const look = async () => {
    await act(async () => undefined);
    return find(host, selector);
  };
  return await vi.waitFor(look, { timeout: 30_000 });
}

/** Lets a key go down on the element. */
export async function press(element: Element, key: string, more: KeyboardEventInit = {}) {
  const event = new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true, ...more });
  await act(async () => {
    element.dispatchEvent(event);
  });
  return event;
}

/** Moves the focus to the element. */
export async function focus(element: HTMLElement): Promise<void> {
  await act(async () => element.focus());
}

/** Lets an event happen at the element. */
export async function fire(element: EventTarget, event: Event): Promise<void> {
  await act(async () => {
    element.dispatchEvent(event);
  });
}

/** Types `text` in place of the value of a field. */
export async function typeInto(field: HTMLElement, text: string): Promise<void> {
  const prototype = field instanceof HTMLTextAreaElement ? HTMLTextAreaElement : HTMLInputElement;
  Object.getOwnPropertyDescriptor(prototype.prototype, 'value')?.set?.call(field, text);
  await fire(field, new Event('input', { bubbles: true }));
}

/** Scrolls the element and tells of it, as the browser does. */
export async function scrollTo(element: Element, top: number): Promise<void> {
  element.scrollTop = top;
  await fire(element, new Event('scroll'));
}

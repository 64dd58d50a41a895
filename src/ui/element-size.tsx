import {
  createContext,
  type ReactNode,
  type RefObject,
  useCallback,
  useContext,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react';

/** Calls `measure` now and when the element's size changes. Returns a function to stop. */
export function onResize(element: Element, measure: () => void): () => void {
  measure();
  const observer = new ResizeObserver(measure);
  observer.observe(element);
  return () => observer.disconnect();
}

/** Inner size of an element in CSS pixels. */
export type Size = { readonly width: number; readonly height: number };

/** Returns the current size of an element; null before the element has a layout. */
export function useElementSize(element: RefObject<HTMLElement | null>): Size | null {
  const [size, setSize] = useState<Size | null>(null);
  useLayoutEffect(() => {
    const node = element.current;
    if (node === null) return;
    return onResize(node, () => {
      const { clientWidth: width, clientHeight: height } = node;
      // A hidden element has no size: keep the previous size.
      if (width === 0 || height === 0) return;
      setSize((old) => (old?.width === width && old.height === height ? old : { width, height }));
    });
  }, [element]);
  return size;
}

/** Returns the current width of an element in CSS pixels; 0 before the element has a layout. */
export function useElementWidth(element: RefObject<HTMLElement | null>): number {
  return useElementSize(element)?.width ?? 0;
}

/** Width of a view, with listeners for changes. */
class Width {
  readonly #listeners = new Set<() => void>();
  /** Width in CSS pixels; 0 before the layout. */
  value = 0;

  set(value: number): void {
    if (value === this.value) return;
    this.value = value;
    for (const listener of this.#listeners) listener();
  }

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };
}

const Context = createContext<Width | null>(null);

type ViewWidthProps = { readonly className?: string | undefined; readonly children: ReactNode };

/** Draws a box whose content adapts to the box's width: `@container view (…)` and `useNarrow`. */
export function ViewWidth({ className, children }: ViewWidthProps) {
  const box = useRef<HTMLDivElement>(null);
  const width = useMemo(() => new Width(), []);
  useLayoutEffect(() => {
    const element = box.current;
    if (element === null) return;
    return onResize(element, () => width.set(element.clientWidth));
  }, [width]);
  return (
    <div ref={box} className={className}>
      <Context value={width}>{children}</Context>
    </div>
  );
}

const NEVER = () => () => undefined;

/** Widths in CSS pixels up to which views have a narrower layout. The style sheets repeat them. */
export const NARROW = 719;
export const MEDIUM = 899;
export const WIDE = 1199;

/** Returns true if the view, or else the window, is at most `maxWidth` CSS pixels wide. */
export function useNarrow(maxWidth: number): boolean {
  const width = useContext(Context);
  const isWindowNarrow = useMediaQuery(`(max-width: ${maxWidth}px)`);
  const isNarrow = useSyncExternalStore(width?.subscribe ?? NEVER, () =>
    width === null || width.value === 0 ? isWindowNarrow : width.value <= maxWidth,
  );
  return isNarrow;
}

/** Returns true while a CSS media query matches. */
export function useMediaQuery(query: string): boolean {
  const subscribe = useCallback(
    (onChange: () => void) => {
      const list = window.matchMedia(query);
      list.addEventListener('change', onChange);
      return () => list.removeEventListener('change', onChange);
    },
    [query],
  );
  return useSyncExternalStore(subscribe, () => window.matchMedia(query).matches);
}

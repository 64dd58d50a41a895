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

/** Calls `measure` now and whenever the element's size changes; returns what stops it. */
export function onResize(element: Element, measure: () => void): () => void {
  measure();
  const observer = new ResizeObserver(measure);
  observer.observe(element);
  return () => observer.disconnect();
}

/** Size of an element without its border, in CSS pixels. */
export type Size = { readonly width: number; readonly height: number };

/** The size of an element, followed as it changes; null until it is laid out. */
export function useElementSize(element: RefObject<HTMLElement | null>): Size | null {
  const [size, setSize] = useState<Size | null>(null);
  useLayoutEffect(() => {
    const node = element.current;
    if (node === null) return;
    return onResize(node, () => {
      const { clientWidth: width, clientHeight: height } = node;
      // A hidden element has no size: the last one stays.
      if (width === 0 || height === 0) return;
      setSize((old) => (old?.width === width && old.height === height ? old : { width, height }));
    });
  }, [element]);
  return size;
}

/** The width of an element in CSS pixels, followed as it changes; 0 until it is laid out. */
export function useElementWidth(element: RefObject<HTMLElement | null>): number {
  return useElementSize(element)?.width ?? 0;
}

/** The width of a box, as it changes. */
class Width {
  readonly #listeners = new Set<() => void>();
  /** CSS pixels; 0 until it is known. */
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

/**
 * A box whose width its content goes by, in place of the window's: something may stand
 * beside it. Style sheets say `@container view (max-width: …)`, components `useNarrow`.
 */
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

/** Widths of a view in CSS pixels up to which its layout changes, as in the style sheets. */
export const NARROW = 719;
export const MEDIUM = 899;
export const WIDE = 1199;

/** Is the view at most this wide, in CSS pixels? Outside of one the window's width counts. */
export function useNarrow(maxWidth: number): boolean {
  const width = useContext(Context);
  const isWindowNarrow = useMediaQuery(`(max-width: ${maxWidth}px)`);
  const isNarrow = useSyncExternalStore(width?.subscribe ?? NEVER, () =>
    width === null || width.value === 0 ? isWindowNarrow : width.value <= maxWidth,
  );
  return isNarrow;
}

/** Whether the CSS media query holds now; renders again when that changes. */
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

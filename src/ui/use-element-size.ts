import { type RefObject, useLayoutEffect, useState } from 'react';

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

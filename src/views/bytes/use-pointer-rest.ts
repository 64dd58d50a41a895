import { type RefObject, useEffect, useRef } from 'react';

/**
 * Tells whether the pointer itself came over the bytes, or the bytes came under a
 * pointer that rests: a browser reports both alike. What scrolls by or has just
 * been opened must not take the place of what is selected.
 */
export function usePointerRest(element: RefObject<HTMLElement | null>): () => boolean {
  const last = useRef<{ readonly x: number; readonly y: number } | null>(null);
  const isResting = useRef(true);
  useEffect(() => {
    const node = element.current;
    if (node === null) return;
    const look = ({ clientX: x, clientY: y }: PointerEvent) => {
      const before = last.current;
      isResting.current = before === null || (before.x === x && before.y === y);
      last.current = { x, y };
    };
    // Before the grid's own listeners, which run where React has its root.
    node.addEventListener('pointerover', look, { capture: true });
    node.addEventListener('pointermove', look, { capture: true });
    return () => {
      node.removeEventListener('pointerover', look, { capture: true });
      node.removeEventListener('pointermove', look, { capture: true });
    };
  }, [element]);
  return () => isResting.current;
}

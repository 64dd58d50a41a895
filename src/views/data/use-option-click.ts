import { type RefObject, useCallback, useEffect, useRef } from 'react';

/**
 * Tells a row that was pointed at from one that was only passed by key. The
 * function that comes back says so of the choice that is being made, once.
 */
export function useOptionClick(pane: RefObject<HTMLElement | null>): () => boolean {
  const isPointed = useRef(false);
  // Not a handler of the list: it comes before the list's own, which then asks.
  useEffect(() => {
    const element = pane.current;
    const listen = ({ target }: MouseEvent) => {
      isPointed.current = target instanceof Element && target.closest('[role="option"]') !== null;
    };
    element?.addEventListener('click', listen);
    return () => element?.removeEventListener('click', listen);
  }, [pane]);
  return useCallback(() => {
    const was = isPointed.current;
    isPointed.current = false;
    return was;
  }, []);
}

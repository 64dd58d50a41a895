import { type ReactNode, type RefObject, useEffect, useEffectEvent, useRef, useState } from 'react';
import { scrollParent } from './use-page-rows.ts';

type WhenNearProps = {
  /** Estimated height of the children in CSS pixels, until they are drawn. */
  readonly height: number;
  readonly className?: string | undefined;
  readonly children: ReactNode;
};

/** Draws children while they are in sight, or at most one height of their scroller away. */
export function WhenNear({ height, className, children }: WhenNearProps) {
  const box = useRef<HTMLDivElement>(null);
  const [isNear, setNear] = useState(false);
  const [left, setLeft] = useState(height);
  useNear(
    box,
    (isNow) => {
      const element = box.current;
      // The height of what is left out stays, so that the scroll position does.
      if (!isNow && element !== null && element.childElementCount > 0)
        setLeft(element.offsetHeight);
      setNear(isNow);
    },
    '40% 0px',
  );
  return (
    <div ref={box} className={className} style={isNear ? undefined : { height: left }}>
      {isNear ? children : null}
    </div>
  );
}

/**
 * Calls `onChange` when an element comes into what its scroller shows, or within `margin` of that,
 * and when it leaves. React hook.
 */
export function useNear(
  box: RefObject<Element | null>,
  onChange: (isNear: boolean) => void,
  margin: string,
): void {
  const tell = useEffectEvent(onChange);
  useEffect(() => {
    const element = box.current;
    if (element === null) return;
    const observer = new IntersectionObserver(
      (entries) => tell(entries.at(-1)?.isIntersecting === true),
      { root: scrollParent(element), rootMargin: margin },
    );
    observer.observe(element);
    return () => observer.disconnect();
  }, [box, margin]);
}

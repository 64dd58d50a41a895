import { type ReactNode, useEffect, useRef, useState } from 'react';
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
  useEffect(() => {
    const element = box.current;
    if (element === null) return;
    const observer = new IntersectionObserver(
      (entries) => {
        const isNow = entries.at(-1)?.isIntersecting === true;
        // The height of what is left out stays, so that the scroll position does.
        if (!isNow && element.childElementCount > 0) setLeft(element.offsetHeight);
        setNear(isNow);
      },
      { root: scrollParent(element), rootMargin: '100% 0px' },
    );
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return (
    <div ref={box} className={className} style={isNear ? undefined : { height: left }}>
      {isNear ? children : null}
    </div>
  );
}

import { useEffect, useState } from 'react';
import { useMediaQuery } from '#ui/ViewWidth.tsx';

/** How long what has changed is marked, in milliseconds. */
const GLOW_MS = 2000;

/** Is the last change still to be marked? For a moment; where motion is not wanted, until the next one. */
export function useGlow(changeCount: number): boolean {
  const isSteady = useMediaQuery('(prefers-reduced-motion: reduce)');
  const [faded, setFaded] = useState(isSteady ? 0 : changeCount);
  useEffect(() => {
    const timer = setTimeout(() => setFaded(changeCount), GLOW_MS);
    return () => clearTimeout(timer);
  }, [changeCount]);
  return changeCount > 0 && (isSteady || faded !== changeCount);
}

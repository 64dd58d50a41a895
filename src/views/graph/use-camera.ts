import { select as pick } from 'd3-selection';
import { type D3ZoomEvent, type ZoomBehavior, zoom, zoomIdentity } from 'd3-zoom';
import { type RefObject, useCallback, useEffect, useRef, useState } from 'react';
import { type Camera, MAX_SCALE, MIN_SCALE } from './camera.ts';

type Behaviour = ZoomBehavior<HTMLDivElement, unknown>;

/**
 * Pan and zoom of an element by d3-zoom. Until a person moves it, the camera
 * follows `first`, which changes with the size of the page.
 */
export function useCamera(element: RefObject<HTMLDivElement | null>, first: Camera) {
  const [moved, setMoved] = useState<Camera | null>(null);
  const behaviour = useRef<Behaviour | null>(null);
  const isTold = useRef(true);

  useEffect(() => {
    const { current } = element;
    if (current === null) return;
    const made: Behaviour = zoom<HTMLDivElement, unknown>()
      .scaleExtent([MIN_SCALE, MAX_SCALE])
      .on('zoom', ({ transform }: D3ZoomEvent<HTMLDivElement, unknown>) => {
        if (isTold.current) setMoved({ x: transform.x, y: transform.y, k: transform.k });
      });
    behaviour.current = made;
    const picked = pick(current).call(made).on('dblclick.zoom', null);
    return () => {
      picked.on('.zoom', null);
    };
  }, [element]);

  const moveTo = useCallback(
    ({ x, y, k }: Camera) => {
      if (element.current === null || behaviour.current === null) return;
      const transform = zoomIdentity.translate(x, y).scale(k);
      pick(element.current).call(behaviour.current.transform, transform);
    },
    [element],
  );

  // A drag begins where d3 believes the camera to be. Where it stands at first is no move.
  useEffect(() => {
    if (moved !== null) return;
    isTold.current = false;
    moveTo(first);
    isTold.current = true;
  }, [first, moved, moveTo]);

  return { camera: moved ?? first, moveTo };
}

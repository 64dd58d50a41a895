import { useEffect, useId, useState } from 'react';
import { type Box, holesNow, selectionNow, toolElement } from './lit-boxes.ts';
import styles from './Spotlight.module.css';

type Light = { readonly tool: Box; readonly holes: readonly Box[] };

const RADIUS = 6;

/**
 * Dims the tool but for what is selected, wherever it is drawn. Looks at each frame:
 * it may scroll, be resized, or arrive late.
 */
export function Spotlight() {
  const maskId = useId();
  const light = useLight();
  if (light === null) return null;
  const { tool, holes } = light;
  const rects = holes.map((hole) => ({
    key: Object.values(hole).join(' '),
    x: hole.left - tool.left,
    y: hole.top - tool.top,
    ...sizeOf(hole),
    rx: RADIUS,
  }));
  const place = { left: tool.left, top: tool.top, ...sizeOf(tool) };
  return (
    <svg className={styles.spotlight} style={place} aria-hidden data-spotlight="">
      <mask id={maskId}>
        <rect width="100%" height="100%" fill="white" />
        {rects.map(({ key, ...rect }) => (
          <rect key={key} {...rect} data-hole="" fill="black" />
        ))}
      </mask>
      <rect className={styles.dark} width="100%" height="100%" mask={`url(#${maskId})`} />
      {rects.map(({ key, ...rect }) => (
        <rect key={key} {...rect} className={styles.rim} />
      ))}
    </svg>
  );
}

function sizeOf({ left, top, right, bottom }: Box): { width: number; height: number } {
  return { width: right - left, height: bottom - top };
}

/** Null while nothing selected is in sight: then all is bright. */
function useLight(): Light | null {
  const [light, setLight] = useState<Light | null>(null);
  useEffect(() => {
    let known = '';
    let frame = 0;
    const look = () => {
      frame = requestAnimationFrame(look);
      const tool = toolElement();
      const holes = tool === null ? [] : holesNow(tool, selectionNow());
      const next = tool === null || holes.length === 0 ? null : { tool: boxOf(tool), holes };
      const text = JSON.stringify(next);
      if (text === known) return;
      known = text;
      setLight(next);
    };
    look();
    return () => cancelAnimationFrame(frame);
  }, []);
  return light;
}

function boxOf(element: Element): Box {
  const { left, top, right, bottom } = element.getBoundingClientRect();
  return { left, top, right, bottom };
}

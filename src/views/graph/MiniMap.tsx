import { type PointerEvent, useEffect, useRef } from 'react';
import { BOX_WIDTH } from '#analysis/graph/measures.ts';
import type { Scene } from '#analysis/graph/scene.ts';
import type { Size } from '#ui/use-element-size.ts';
import { type Camera, centred, fitCamera, windowOf } from './camera.ts';
import styles from './MiniMap.module.css';
import { useColours } from './use-colours.ts';

const MAP: Size = { width: 168, height: 116 };

type MiniMapProps = {
  readonly scene: Scene;
  readonly camera: Camera;
  readonly size: Size;
  readonly selected: number | null;
  readonly onMove: (camera: Camera) => void;
};

/** All boxes and the part that is in sight; a press goes there. For the pointer: keys walk along edges. */
export function MiniMap({ scene, camera, size, selected, onMove }: MiniMapProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const colours = useColours(canvas);
  const { bounds } = scene.picture;
  const map = mapCamera(bounds);

  useEffect(() => {
    const context = canvas.current?.getContext('2d') ?? null;
    if (canvas.current === null || context === null || colours === null) return;
    const { x, y, height } = scene.picture.boxes;
    const at = mapCamera(bounds);
    const ratio = window.devicePixelRatio || 1;
    canvas.current.width = MAP.width * ratio;
    canvas.current.height = MAP.height * ratio;
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.fillStyle = colours.border;
    for (let i = 0; i < x.length; i++) {
      context.fillStyle = i === selected ? colours.lit : i === 0 ? colours.dim : colours.border;
      context.fillRect(
        (x[i] ?? 0) * at.k + at.x,
        (y[i] ?? 0) * at.k + at.y,
        Math.max(2, BOX_WIDTH * at.k),
        Math.max(1, (height[i] ?? 0) * at.k),
      );
    }
  }, [scene, bounds, selected, colours]);

  const goTo = (event: PointerEvent<HTMLCanvasElement>) => {
    if (event.buttons !== 1) return;
    const place = event.currentTarget.getBoundingClientRect();
    const x = (event.clientX - place.left - map.x) / map.k;
    const y = (event.clientY - place.top - map.y) / map.k;
    onMove(centred(camera.k, x, y, size));
  };
  const seen = windowOf(camera, size);
  const [left, top] = [seen.left * map.k + map.x, seen.top * map.k + map.y];
  const place = {
    left,
    top,
    width: (seen.right - seen.left) * map.k,
    height: (seen.bottom - seen.top) * map.k,
  };
  return (
    <div className={styles.map} aria-hidden>
      <canvas ref={canvas} className={styles.canvas} onPointerDown={goTo} onPointerMove={goTo} />
      <div className={styles.seen} style={place} />
    </div>
  );
}

function mapCamera(bounds: Scene['picture']['bounds']): Camera {
  return fitCamera(bounds, MAP, { margin: 6, least: 0, most: 0.2 });
}

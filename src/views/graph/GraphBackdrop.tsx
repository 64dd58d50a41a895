import { useEffect, useRef } from 'react';
import styles from './GraphBackdrop.module.css';
import { type Painting, paintGraph } from './paint-graph.ts';
import { useColours } from './use-colours.ts';

type GraphBackdropProps = Omit<Painting, 'colours'>;

/** The canvas behind the texts: edges, and boxes from afar. What it shows is in the table too. */
export function GraphBackdrop({ scene, camera, size, boxes, selected }: GraphBackdropProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const colours = useColours(canvas);
  useEffect(() => {
    const context = canvas.current?.getContext('2d') ?? null;
    if (canvas.current === null || context === null || colours === null) return;
    const ratio = window.devicePixelRatio || 1;
    const width = Math.round(size.width * ratio);
    const height = Math.round(size.height * ratio);
    if (canvas.current.width !== width) canvas.current.width = width;
    if (canvas.current.height !== height) canvas.current.height = height;
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    paintGraph(context, { scene, camera, size, boxes, selected, colours });
  }, [scene, camera, size, boxes, selected, colours]);
  return <canvas ref={canvas} className={styles.canvas} aria-hidden />;
}

import { Maximize, Minus, Plus } from 'lucide-react';
import { type KeyboardEvent, useId, useMemo, useRef, useState } from 'react';
import { typeTitle } from '#analysis/type-name.ts';
import { visible } from '#bytes/text.ts';
import { type TypeId, typeId } from '#model/ids.ts';
import { typeSelection } from '#model/selection.ts';
import type { TypeTable } from '#model/type-table.ts';
import { select } from '#store/navigation.ts';
import { IconButton } from '#ui/IconButton.tsx';
import { type Camera, firstCamera, fitCamera, showingBox, zoomed } from './camera.ts';
import styles from './GraphCanvas.module.css';
import { GraphDrawing } from './GraphDrawing.tsx';
import { boxAfterKey } from './graph-keys.ts';
import { layoutGraph } from './graph-layout.ts';
import type { TypeGraph } from './graph-model.ts';
import { usePanZoom } from './use-pan-zoom.ts';
import { useSize } from './use-size.ts';

const ZOOM_STEP = 1.3;
const BEFORE_SIZE = { width: 1200, height: 700 };

type GraphCanvasProps = {
  readonly types: TypeTable;
  readonly graph: TypeGraph;
  readonly selected: TypeId;
  /** Draw the graph around this type instead. */
  readonly onStart: (type: TypeId) => void;
};

/** The graph as a drawing that can be moved and zoomed; its boxes are a list for keys and screen readers. */
export function GraphCanvas({ types, graph, selected, onStart }: GraphCanvasProps) {
  const svg = useRef<SVGSVGElement>(null);
  const idPrefix = useId();
  const size = useSize(svg) ?? BEFORE_SIZE;
  // Null until a person moves it: then it follows the size of the page.
  const [moved, setMoved] = useState<Camera | null>(null);
  const layout = useMemo(() => layoutGraph(types, graph), [types, graph]);
  const { boxes, bounds } = layout;
  const [root] = boxes;
  const camera =
    moved ?? (root === undefined ? fitCamera(bounds, size) : firstCamera(bounds, root, size));
  usePanZoom(svg, { camera, onMove: setMoved });

  const idOf = (type: TypeId) => `${idPrefix}${type}`;
  const zoomBy = (factor: number) =>
    setMoved(zoomed(camera, factor, { x: size.width / 2, y: size.height / 2 }));
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const next = boxAfterKey(layout, selected, event.key);
    if (event.key === 'Enter') onStart(selected);
    else if (event.key === '+' || event.key === '=') zoomBy(ZOOM_STEP);
    else if (event.key === '-') zoomBy(1 / ZOOM_STEP);
    else if (next !== null) {
      setMoved(showingBox(camera, next, size));
      select(typeSelection(next.type));
      document.getElementById(idOf(next.type))?.focus({ preventScroll: true });
    } else return;
    event.preventDefault();
  };
  const drawing = useMemo(
    () => <GraphDrawing layout={layout} selected={selected} idPrefix={idPrefix} />,
    [layout, selected, idPrefix],
  );
  return (
    <div className={styles.canvas}>
      <div
        className={styles.boxes}
        role="listbox"
        aria-label={`Types around ${visible(typeTitle(types, graph.root))}`}
        tabIndex={-1}
        onKeyDown={onKeyDown}
        onClick={(event) => {
          const type = typeOfEvent(event);
          if (type !== null) select(typeSelection(type));
        }}
        onDoubleClick={(event) => {
          const type = typeOfEvent(event);
          if (type !== null) onStart(type);
        }}
      >
        <svg
          ref={svg}
          className={styles.svg}
          role="presentation"
          // The ground moves with what stands on it.
          style={{ backgroundPosition: `${camera.x}px ${camera.y}px` }}
        >
          <g transform={`translate(${camera.x} ${camera.y}) scale(${camera.scale})`}>{drawing}</g>
        </svg>
      </div>
      <fieldset className={styles.zoom} aria-label="Zoom">
        <IconButton
          label="Zoom in"
          icon={<Plus size={15} aria-hidden />}
          onClick={() => zoomBy(ZOOM_STEP)}
        />
        <IconButton
          label="Zoom out"
          icon={<Minus size={15} aria-hidden />}
          onClick={() => zoomBy(1 / ZOOM_STEP)}
        />
        <IconButton
          label="Fit"
          icon={<Maximize size={15} aria-hidden />}
          onClick={() => setMoved(fitCamera(bounds, size))}
        />
      </fieldset>
    </div>
  );
}

function typeOfEvent(event: { readonly target: EventTarget }): TypeId | null {
  if (!(event.target instanceof Element)) return null;
  const type = event.target.closest('[data-type]')?.getAttribute('data-type');
  return type === undefined || type === null ? null : typeId(Number(type));
}

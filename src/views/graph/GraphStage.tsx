import { Crosshair, Maximize, Minus, Plus } from 'lucide-react';
import { type KeyboardEvent, type MouseEvent, useEffect, useId, useMemo, useRef } from 'react';
import type { Scene } from '#analysis/graph/scene.ts';
import { typeTitle } from '#analysis/types/type-name.ts';
import { drawnName } from '#bytes/text.ts';
import type { TypeTable } from '#model/type-table.ts';
import { IconButton } from '#ui/Button.tsx';
import { bindingOf } from '#ui/keys.ts';
import { useElementSize } from '#ui/use-element-size.ts';
import { GRAPH_KEYS } from '#views/parts/key-bindings.ts';
import {
  boxesIn,
  firstCamera,
  fitCamera,
  focusCamera,
  isNear,
  showingBox,
  tiled,
  useCamera,
  windowOf,
} from './camera.ts';
import { GraphLayer } from './GraphLayer.tsx';
import styles from './GraphStage.module.css';
import { actOn, boxAfterKey, selectNode, startAt, targetOf, toggleNode } from './graph-actions.ts';
import type { Marks } from './graph-marks.ts';
import { boxLabel } from './graph-text.ts';
import { KindLegend } from './KindLegend.tsx';
import { MiniMap } from './MiniMap.tsx';
import { type Painting, paintGraph } from './paint-graph.ts';
import { useColours } from './use-colours.ts';

const ZOOM_STEP = 1.3;
const BEFORE_SIZE = { width: 1200, height: 700 };

type GraphStageProps = {
  readonly types: TypeTable;
  readonly scene: Scene;
  readonly marks: Marks;
};

/** The graph as a drawing that can be moved and zoomed; for keys and screen readers its boxes are a list. */
export function GraphStage({ types, scene, marks }: GraphStageProps) {
  const stage = useRef<HTMLDivElement>(null);
  const idPrefix = useId();
  const size = useElementSize(stage) ?? BEFORE_SIZE;
  const { bounds, root } = scene.picture;
  const { selected } = marks;
  const first = useMemo(() => {
    const camera = firstCamera(scene.picture.bounds, scene.box(0), size);
    return selected === null ? camera : showingBox(camera, scene.box(selected), size);
  }, [scene, size, selected]);
  const { camera, moveTo } = useCamera(stage, first);

  // Boxes in sight, in tiles: the same list while the camera moves a little.
  const seen = boxesIn(scene, windowOf(camera, size));
  const near = isNear(camera.k, seen.length);
  const { left, top, right, bottom } = tiled(windowOf(camera, size, 128));
  const inTiles = useMemo(
    () => boxesIn(scene, { left, top, right, bottom }),
    [scene, left, top, right, bottom],
  );
  const asText = near ? inTiles : NO_BOXES;
  const layer = useMemo(
    () => <GraphLayer scene={scene} marks={marks} shown={asText} idPrefix={idPrefix} />,
    [scene, marks, asText, idPrefix],
  );

  const active = selected ?? 0;
  const show = (index: number) => moveTo(showingBox(camera, scene.box(index), size));
  const zoomBy = (factor: number) => {
    const k = camera.k * factor;
    const [x, y] = [size.width / 2, size.height / 2];
    moveTo({ k, x: x - (x - camera.x) * factor, y: y - (y - camera.y) * factor });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const action = bindingOf(event, GRAPH_KEYS)?.action;
    if (action === 'start') startAt(scene.box(active).type);
    else if (action === 'fold') toggleNode(types, scene, scene.box(active));
    else if (action === 'larger') zoomBy(ZOOM_STEP);
    else if (action === 'smaller') zoomBy(1 / ZOOM_STEP);
    else if (action === 'move') {
      const next = boxAfterKey(scene, active, event.key);
      if (next === null) return;
      show(next.index);
      selectNode(types, scene, next.type);
    } else return;
    event.preventDefault();
  };
  const pointAt = (event: MouseEvent) => {
    const place = stage.current?.getBoundingClientRect();
    return {
      x: (event.clientX - (place?.left ?? 0) - camera.x) / camera.k,
      y: (event.clientY - (place?.top ?? 0) - camera.y) / camera.k,
    };
  };
  const isDrawn = asText.includes(active);
  return (
    <div className={styles.frame}>
      <div
        ref={stage}
        className={styles.stage}
        role="listbox"
        aria-label={`Types around ${drawnName(typeTitle(types, root))}`}
        aria-activedescendant={`${idPrefix}${active}`}
        tabIndex={0}
        onKeyDown={onKeyDown}
        onClick={(event) => actOn(types, scene, targetOf(event.target, scene, pointAt(event)))}
        onDoubleClick={(event) => {
          const { box } = targetOf(event.target, scene, pointAt(event));
          if (box !== null) startAt(scene.box(box).type);
        }}
      >
        <GraphBackdrop
          scene={scene}
          camera={camera}
          size={size}
          boxes={near ? NO_BOXES : seen}
          selected={selected}
        />
        <svg className={styles.svg} role="presentation">
          <g transform={`translate(${camera.x} ${camera.y}) scale(${camera.k})`}>{layer}</g>
        </svg>
        {isDrawn ? null : (
          <div
            id={`${idPrefix}${active}`}
            role="option"
            tabIndex={-1}
            aria-selected={selected !== null}
            className="visually-hidden"
          >
            {boxLabel(scene.box(active))}
          </div>
        )}
      </div>
      <div className={styles.corner}>
        <KindLegend types={types} scene={scene} />
      </div>
      <div className={styles.tools}>
        <MiniMap scene={scene} camera={camera} size={size} selected={selected} onMove={moveTo} />
        <fieldset className={styles.zoom} aria-label="Zoom">
          <IconButton label="Zoom in" keys={['+']} icon={Plus} onClick={() => zoomBy(ZOOM_STEP)} />
          <IconButton
            label="Zoom out"
            keys={['-']}
            icon={Minus}
            onClick={() => zoomBy(1 / ZOOM_STEP)}
          />
          <IconButton label="Fit" icon={Maximize} onClick={() => moveTo(fitCamera(bounds, size))} />
          <IconButton
            label="Focus the selected type"
            icon={Crosshair}
            onClick={() => moveTo(focusCamera(camera, scene.box(active), size))}
          />
        </fieldset>
      </div>
    </div>
  );
}

const NO_BOXES: readonly number[] = [];

type GraphBackdropProps = Omit<Painting, 'colours'>;

/** The canvas behind the texts: edges, and boxes from afar. What it shows is in the table too. */
function GraphBackdrop({ scene, camera, size, boxes, selected }: GraphBackdropProps) {
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

import { Crosshair, Maximize, Minus, Plus } from 'lucide-react';
import {
  type KeyboardEvent,
  type MouseEvent,
  type PointerEvent,
  type RefObject,
  useEffect,
  useEffectEvent,
  useId,
  useMemo,
  useRef,
  useState,
} from 'react';
import { FAMILIES, type Family, familyOf, parseHidden } from '#analysis/graph/entries.ts';
import { BOX_WIDTH } from '#analysis/graph/measures.ts';
import type { Scene } from '#analysis/graph/scene.ts';
import { typeTitle } from '#analysis/types/type-name.ts';
import { drawnName } from '#bytes/text.ts';
import { BtfKind } from '#formats/btf/kinds.ts';
import { typeId } from '#model/ids.ts';
import { IconButton } from '#ui/Button.tsx';
import { canvasContext } from '#ui/canvas-context.ts';
import { type Size, useElementSize } from '#ui/element-size.tsx';
import { grouped } from '#ui/grouped.ts';
import { bindingOf } from '#ui/keys.tsx';
import { KindBadge } from '#views/parts/KindBadge.tsx';
import {
  boxesAsElements,
  boxesIn,
  type Camera,
  centred,
  firstCamera,
  fitCamera,
  focusCamera,
  isInSight,
  showingBox,
  tiled,
  useCamera,
  windowOf,
} from './camera.ts';
import { GraphLayer } from './GraphLayer.tsx';
import styles from './GraphStage.module.css';
import {
  actOn,
  boxAfterKey,
  selectNode,
  startAt,
  targetOf,
  toggleFamily,
  toggleNode,
} from './graph-actions.ts';
import { type BoxPin, focusOf, type Marks } from './graph-marks.ts';
import { boxLabel } from './graph-text.ts';
import { GRAPH_KEYS } from './keys.ts';
import { type Painting, paintGraph } from './paint-graph.ts';
import { useColours } from './use-colours.ts';

const ZOOM_STEP = 1.3;
const BEFORE_SIZE = { width: 1200, height: 700 };

/** Box under the pointer and its row, by index. Row -1 is the whole box. */
type Pointed = { readonly box: number | null; readonly row: number };
const NOWHERE: Pointed = { box: null, row: -1 };

type GraphStageProps = {
  readonly scene: Scene;
  readonly marks: Marks;
  readonly pins: ReadonlyMap<number, readonly BoxPin[]>;
};

/** Draws the graph, which can be moved and zoomed. For keys and screen readers it is a listbox. */
export function GraphStage({ scene, marks, pins }: GraphStageProps) {
  const stage = useRef<HTMLDivElement>(null);
  const idPrefix = useId();
  const size = useElementSize(stage) ?? BEFORE_SIZE;
  const { selected } = marks;
  const view = useStageCamera(stage, scene, selected, size);
  const { camera, moveTo, zoomBy } = view;
  const { seen, asText } = useBoxesInSight(scene, camera, size);
  const { focus, setPointed } = usePointed(scene);
  const layer = useMemo(
    () => <GraphLayer {...{ scene, marks, focus, pins, idPrefix }} shown={asText} />,
    [scene, marks, asText, focus, pins, idPrefix],
  );
  const active = selected ?? 0;
  const onKeyDown = (event: KeyboardEvent) => {
    const action = bindingOf(event, GRAPH_KEYS)?.action;
    if (action === 'start') startAt(scene.box(active).type);
    else if (action === 'fold') toggleNode(scene, scene.box(active));
    else if (action === 'larger') zoomBy(ZOOM_STEP);
    else if (action === 'smaller') zoomBy(1 / ZOOM_STEP);
    else if (action === 'move') {
      const next = boxAfterKey(scene, active, event.key);
      if (next === null) return;
      moveTo(showingBox(camera, scene.box(next.index), size));
      selectNode(scene, next.type);
    } else return;
    event.preventDefault();
  };
  const targetAt = (event: MouseEvent) => {
    const place = stage.current?.getBoundingClientRect();
    return targetOf(event.target, scene, {
      x: (event.clientX - (place?.left ?? 0) - camera.x) / camera.k,
      y: (event.clientY - (place?.top ?? 0) - camera.y) / camera.k,
    });
  };
  return (
    <div className="shrink tall relative no-overflow">
      <div
        ref={stage}
        className={styles.stage}
        role="listbox"
        aria-label={`Types around ${drawnName(typeTitle(scene.types, scene.picture.root))}`}
        aria-activedescendant={`${idPrefix}${active}`}
        tabIndex={0}
        onKeyDown={onKeyDown}
        onPointerMove={(event) => {
          // A move with a pressed button drags the graph. A touch screen has no hover.
          if (event.buttons !== 0 || event.pointerType === 'touch') return;
          const { box, row } = targetAt(event);
          setPointed((before) =>
            before.box === box && before.row === row ? before : { box, row },
          );
        }}
        onPointerLeave={() => setPointed(NOWHERE)}
        onClick={(event) => actOn(scene, targetAt(event))}
        onDoubleClick={(event) => {
          const { box } = targetAt(event);
          if (box !== null) startAt(scene.box(box).type);
        }}
      >
        <GraphBackdrop
          scene={scene}
          camera={camera}
          size={size}
          boxes={asText.length > 0 ? NO_BOXES : seen}
          selected={selected}
          focus={focus}
        />
        <svg className={styles.svg} role="presentation">
          <g transform={`translate(${camera.x} ${camera.y}) scale(${camera.k})`}>{layer}</g>
        </svg>
        {asText.includes(active) ? null : (
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
        <KindLegend scene={scene} />
      </div>
      <StageTools {...{ scene, size, selected, view }} />
    </div>
  );
}

type StageCamera = ReturnType<typeof useStageCamera>;

/** Returns the camera. It moves to the selected box when another view selects that box. */
function useStageCamera(
  stage: RefObject<HTMLDivElement | null>,
  scene: Scene,
  selected: number | null,
  size: Size,
) {
  const first = useMemo(() => {
    const camera = firstCamera(scene.picture.bounds, scene.box(0), size);
    return selected === null ? camera : showingBox(camera, scene.box(selected), size);
  }, [scene, size, selected]);
  const { camera, moveTo } = useCamera(stage, first);
  const showSelected = useEffectEvent(() => {
    if (selected === null || isInSight(camera, scene.box(selected), size)) return;
    moveTo(showingBox(camera, scene.box(selected), size));
  });
  useEffect(() => {
    if (selected !== null) showSelected();
  }, [selected]);
  const zoomBy = (factor: number) => {
    const k = camera.k * factor;
    const [x, y] = [size.width / 2, size.height / 2];
    moveTo({ k, x: x - (x - camera.x) * factor, y: y - (y - camera.y) * factor });
  };
  return { camera, moveTo, zoomBy };
}

/** Returns the visible boxes, and those to draw as elements: also boxes near the visible part. */
function useBoxesInSight(scene: Scene, camera: Camera, size: Size) {
  const seen = boxesIn(scene, windowOf(camera, size));
  const { left, top, right, bottom } = tiled(windowOf(camera, size, 64));
  const inTiles = useMemo(
    () => boxesIn(scene, { left, top, right, bottom }),
    [scene, left, top, right, bottom],
  );
  return { seen, asText: boxesAsElements(scene, camera.k, seen, inTiles) };
}

/** Returns the box or row under the pointer with its neighbours, and a function that sets it. */
function usePointed(scene: Scene) {
  const [pointed, setPointed] = useState<Pointed>(NOWHERE);
  const focus = useMemo(
    () =>
      pointed.box === null || pointed.box >= scene.boxCount
        ? null
        : focusOf(scene, pointed.box, pointed.row),
    [scene, pointed],
  );
  return { focus, setPointed };
}

type StageToolsProps = {
  readonly scene: Scene;
  readonly size: Size;
  readonly selected: number | null;
  readonly view: StageCamera;
};

function StageTools({ scene, size, selected, view }: StageToolsProps) {
  const { camera, moveTo, zoomBy } = view;
  return (
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
        <IconButton
          label="Fit"
          icon={Maximize}
          onClick={() => moveTo(fitCamera(scene.picture.bounds, size))}
        />
        <IconButton
          label="Focus the selected type"
          icon={Crosshair}
          onClick={() => moveTo(focusCamera(camera, scene.box(selected ?? 0), size))}
        />
      </fieldset>
    </div>
  );
}

const NO_BOXES: readonly number[] = [];

/** Draws edges, and at a small scale boxes, on a canvas. Screen readers use the table instead. */
function GraphBackdrop(props: Omit<Painting, 'colours'>) {
  const { scene, camera, size, boxes, selected, focus } = props;
  const canvas = useRef<HTMLCanvasElement>(null);
  const colours = useColours(canvas);
  useEffect(() => {
    const context = canvasContext(canvas.current, size);
    if (context === null || colours === null) return;
    paintGraph(context, { scene, camera, size, boxes, selected, focus, colours });
  }, [scene, camera, size, boxes, selected, focus, colours]);
  return <canvas ref={canvas} className={styles.canvas} aria-hidden />;
}

const FACES: Readonly<Record<Family, readonly [kind: number, word: string]>> = {
  struct: [BtfKind.STRUCT, 'Structs'],
  union: [BtfKind.UNION, 'Unions'],
  enum: [BtfKind.ENUM, 'Enums'],
  fwd: [BtfKind.FWD, 'Forward'],
  func: [BtfKind.FUNC_PROTO, 'Functions'],
  other: [BtfKind.TYPEDEF, 'Others'],
};

/** Shows how many types of each kind the graph has. A click hides or shows a kind. */
function KindLegend({ scene }: { readonly scene: Scene }) {
  const hidden = parseHidden(scene.picture.request.hide);
  const counts = new Map<Family, number>();
  for (const type of scene.picture.boxes.type) {
    const family = familyOf(scene.types, typeId(type));
    counts.set(family, (counts.get(family) ?? 0) + 1);
  }
  const shown = FAMILIES.filter((family) => hidden.has(family) || counts.has(family));
  return (
    <fieldset className={styles.legend} aria-label="Kinds shown">
      {shown.map((family) => {
        const [kind, word] = FACES[family];
        const count = hidden.has(family) ? 'hidden' : grouped(counts.get(family) ?? 0);
        return (
          <button
            key={family}
            type="button"
            className={styles.kind}
            aria-label={`${word}: ${count}`}
            aria-pressed={!hidden.has(family)}
            onClick={() => toggleFamily(hidden, family)}
          >
            <KindBadge kind={kind} decorative />
            <span className={styles.word}>{word}</span>
            <span className="tiny mono muted">{count}</span>
          </button>
        );
      })}
    </fieldset>
  );
}

const MAP: Size = { width: 168, height: 116 };

type MiniMapProps = {
  readonly scene: Scene;
  readonly camera: Camera;
  readonly size: Size;
  readonly selected: number | null;
  readonly onMove: (camera: Camera) => void;
};

/** Draws a small map of the graph with the visible part. A click on the map moves the graph. */
function MiniMap({ scene, camera, size, selected, onMove }: MiniMapProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const colours = useColours(canvas);
  const { bounds } = scene.picture;
  const map = mapCamera(bounds);

  useEffect(() => {
    const context = canvasContext(canvas.current, MAP);
    if (context === null || colours === null) return;
    const { x, y, height } = scene.picture.boxes;
    const at = mapCamera(bounds);
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
  const place = {
    left: seen.left * map.k + map.x,
    top: seen.top * map.k + map.y,
    width: (seen.right - seen.left) * map.k,
    height: (seen.bottom - seen.top) * map.k,
  };
  return (
    <div className={styles.map} aria-hidden>
      <canvas ref={canvas} className="tall wide" onPointerDown={goTo} onPointerMove={goTo} />
      <div className={styles.seen} style={place} />
    </div>
  );
}

function mapCamera(bounds: Scene['picture']['bounds']): Camera {
  return fitCamera(bounds, MAP, { margin: 6, least: 0, most: 0.2 });
}

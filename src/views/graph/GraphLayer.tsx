import { memo, type SVGProps } from 'react';
import { type BoxFace, boxParts, type Part } from '#analysis/graph/box-parts.ts';
import { BOX_WIDTH, rowY } from '#analysis/graph/measures.ts';
import type { Scene, SceneBox, SceneLink } from '#analysis/graph/scene.ts';
import { edgePath, labelPlace, tipPath } from '#analysis/graph/trace-edge.ts';
import { drawnName } from '#bytes/text.ts';
import { kindStyle } from '#views/parts/KindBadge.tsx';
import { pinBadge, pinLabel } from '#views/parts/PinMark.tsx';
import styles from './GraphLayer.module.css';
import type { BoxPin, Focus, Marks } from './graph-marks.ts';
import { boxLabel, faceOf } from './graph-text.ts';

type GraphLayerProps = {
  readonly scene: Scene;
  readonly marks: Marks;
  /** Indexes of the boxes to draw as elements; empty if the canvas draws all boxes. */
  readonly shown: readonly number[];
  /** Box or row under the pointer, with its neighbours; null if there is none. */
  readonly focus: Focus | null;
  /** Pins of each box. The key is the index of the box. */
  readonly pins: ReadonlyMap<number, readonly BoxPin[]>;
  readonly idPrefix: string;
};

/** Draws boxes, edge labels and marked edges. A canvas below draws the other edges. */
export const GraphLayer = memo(function GraphLayer(props: GraphLayerProps) {
  const { scene, marks, shown, focus, pins, idPrefix } = props;
  const near = focus?.links ?? marks.near;
  const isShown = new Set(shown);
  const labelled = shown.flatMap((box) => scene.linksFrom(box)).map((link) => scene.link(link));
  const isUnlit = (link: number) => !marks.links.has(link);
  const lit = [...marks.links].map(([index, { strength, order }]) => {
    return { scene, link: scene.link(index), mark: strength, order };
  });
  return (
    <>
      {[...near].filter(isUnlit).map((link) => (
        <Edge key={link} scene={scene} link={scene.link(link)} mark="near" />
      ))}
      {lit.map((edge) => (
        <Edge key={edge.link.index} {...edge} />
      ))}
      {labelled.map((link) => (
        <EdgeLabel
          key={link.index}
          scene={scene}
          link={link}
          isDim={focus !== null && !focus.links.has(link.index)}
        />
      ))}
      {shown.map((index) => (
        <GraphNode
          key={index}
          box={scene.box(index)}
          id={`${idPrefix}${index}`}
          isSelected={index === marks.selected}
          isRoot={index === 0}
          isDim={focus !== null && !focus.boxes.has(index)}
          rows={marks.rows}
          pins={pins.get(index)}
        />
      ))}
      {lit.map((edge) =>
        isShown.has(edge.link.from) ? <OrderMark key={edge.link.index} {...edge} /> : null,
      )}
    </>
  );
});

type EdgeProps = {
  readonly scene: Scene;
  readonly link: SceneLink;
  readonly mark: 'plain' | 'near' | 'lit' | 'strong';
  readonly order?: string;
};

export function Edge({ scene, link, mark, order }: EdgeProps) {
  const { starts, points } = scene.picture.links;
  const start = starts[link.index] ?? 0;
  const end = starts[link.index + 1] ?? 0;
  const isApart = link.direction === 'back' || link.direction === 'self';
  return (
    <g
      className={styles.edge}
      data-mark={mark}
      data-apart={isApart}
      data-edge={`${scene.box(link.from).text.name} ${scene.box(link.to).text.name}`}
      data-order={order}
      aria-hidden
    >
      <path className={styles.stroke} d={edgePath(points, start, end)} />
      <path className={styles.tip} d={tipPath(points, end)} />
    </g>
  );
}

type EdgeLabelProps = Pick<EdgeProps, 'scene' | 'link'> & {
  /** Whether a click on the label adds boxes for the types between the ends of the edge. */
  readonly isButton?: boolean;
  readonly isDim?: boolean;
};

/** Draws the label of an edge on a background that hides the line. */
export function EdgeLabel(props: EdgeLabelProps) {
  const { scene, link, isButton = link.chain.length > 0, isDim = false } = props;
  if (link.text === '') return null;
  const { starts, points } = scene.picture.links;
  const { x, y, width, isLeft } = labelPlace(points, starts[link.index] ?? 0, link);
  return (
    <g
      className={styles.label}
      data-passed={isButton ? link.index : undefined}
      data-dim={isDim}
      aria-hidden
    >
      {isButton ? <title>Show passed types as nodes</title> : null}
      <rect x={x} y={y - 8} width={width} height={16} />
      <text x={isLeft ? x + width - 3 : x + 3} y={y + 3.5} textAnchor={isLeft ? 'end' : 'start'}>
        {link.text}
      </text>
    </g>
  );
}

/** Draws the number of an edge: the position of its step in the access string. */
function OrderMark({ scene, link, mark, order }: EdgeProps) {
  const { starts, points } = scene.picture.links;
  const end = starts[link.index + 1] ?? 0;
  const toX = points[end - 2] ?? 0;
  const fromX = points[end - 4] ?? 0;
  const x = toX + (fromX < toX ? -20 : 20);
  const y = points[end - 1] ?? 0;
  return (
    <g className={styles.order} data-mark={mark} aria-hidden>
      <circle cx={x} cy={y} r="8" />
      <text x={x} y={y + 3.5} textAnchor="middle">
        {order}
      </text>
    </g>
  );
}

type GraphNodeProps = {
  readonly box: SceneBox;
  readonly id: string;
  readonly isSelected: boolean;
  readonly isRoot: boolean;
  /** Whether the pointer is over a part of the graph that is not connected with the box. */
  readonly isDim: boolean;
  readonly rows: Marks['rows'];
  readonly pins?: readonly BoxPin[] | undefined;
};

const NO_PINS: readonly BoxPin[] = [];

/** Draws the box of a type: kind, name, size, and a row per member. */
const GraphNode = memo(function GraphNode(props: GraphNodeProps) {
  const { box, id, isSelected, isRoot, isDim, rows, pins = NO_PINS } = props;
  const label = [boxLabel(box), ...pins.map(({ pin }) => pinLabel(pin))].join(', ');
  return (
    <Box
      box={box}
      face={faceOf(box)}
      rows={rows}
      id={id}
      role="option"
      aria-selected={isSelected}
      aria-label={drawnName(label)}
      data-root={isRoot}
      data-dim={isDim}
      data-lit={rows.get(`${box.index}:-1`)}
    >
      {pins.map((boxPin, index) => (
        <NodePin key={pinBadge(boxPin.pin)} {...boxPin} index={index} />
      ))}
    </Box>
  );
});

/** Distance between pins in the header of a box, and half the height of a pin, in pixels. */
const PIN_STEP = 26;
const PIN_HALF = 8;

/** Draws a pin on the header of a box, or before the row of a member. */
function NodePin({ pin, row, index }: BoxPin & { readonly index: number }) {
  const x = row < 0 ? BOX_WIDTH - 20 - PIN_STEP * index : -6;
  const y = row < 0 ? 0 : rowY(0, row);
  return (
    <g className={styles.pin} data-note={pin.isNote} data-lit={pin.isLit ? '' : undefined}>
      <rect x={x - 12} y={y - PIN_HALF} width={24} height={2 * PIN_HALF} rx={PIN_HALF} />
      <text x={x} y={y + 4} textAnchor="middle">
        {pinBadge(pin)}
      </text>
      <title>{pinLabel(pin)}</title>
    </g>
  );
}

type BoxProps = SVGProps<SVGGElement> & {
  readonly box: SceneBox;
  readonly face: BoxFace;
  /** Marks of the rows. Without marks, parts of the box have no titles. */
  readonly rows?: Marks['rows'];
  readonly [data: `data-${string}`]: unknown;
};

/** Draws a box at its position. All other properties go to the `<g>` element of the box. */
export function Box({ box, face, rows, children, ...group }: BoxProps) {
  return (
    <g
      {...group}
      data-type={box.type}
      data-tone={kindStyle(box.text.kind).tone}
      className={styles.node}
      transform={`translate(${box.x} ${box.y})`}
    >
      {boxParts(box.text, face, box.height).map((part) => (
        <PartShape
          key={`${part.role}${part.row}`}
          part={part}
          title={rows === undefined ? null : titleOf(part, box)}
          lit={rows?.get(`${box.index}:${part.row}`)}
        />
      ))}
      {children}
    </g>
  );
}

function titleOf({ role, row }: Part, { text, state }: SceneBox): string | null {
  if (role === 'frame') return `${kindStyle(text.kind).name} ${text.name}`;
  if (role === 'button') return state === 'expanded' ? 'Fold (Space)' : 'Expand (Space)';
  if (role !== 'ground') return null;
  const of = text.rows[row];
  return of === undefined ? 'Show all members' : `${of.name}${of.bits} ${of.type}`;
}

type PartShapeProps = {
  readonly part: Part;
  readonly title: string | null;
  readonly lit: string | undefined;
};

function PartShape({ part, title, lit }: PartShapeProps) {
  const { role, x, y, row } = part;
  const className = styles[role];
  if (part.shape === 'text') {
    return (
      <text className={className} x={x} y={y} textAnchor={part.anchor} data-row={row}>
        {part.text}
      </text>
    );
  }
  return (
    <rect
      className={className}
      x={x}
      y={y}
      width={part.width}
      height={part.height}
      rx={part.radius}
      data-row={row}
      data-action={role === 'button' ? 'toggle' : undefined}
      data-lit={role === 'ground' ? lit : undefined}
    >
      {title === null ? null : <title>{drawnName(title)}</title>}
    </rect>
  );
}

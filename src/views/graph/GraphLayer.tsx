import { memo } from 'react';
import type { Scene, SceneLink } from '#analysis/graph/scene.ts';
import { edgePath, labelPlace, tipPath } from '#analysis/graph/trace-edge.ts';
import styles from './GraphLayer.module.css';
import { GraphNode } from './GraphNode.tsx';
import type { BoxPin, Focus, Marks } from './graph-marks.ts';

type GraphLayerProps = {
  readonly scene: Scene;
  readonly marks: Marks;
  /** Indexes of the boxes drawn as elements; empty if the canvas draws all boxes. */
  readonly shown: readonly number[];
  /** Hovered part; null if there is none. */
  readonly focus: Focus | null;
  /** By index of the box. */
  readonly pins: ReadonlyMap<number, readonly BoxPin[]>;
  readonly idPrefix: string;
};

/** Boxes, edge labels and marked edges; the canvas below draws the other edges. */
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
      <path className={styles.line} d={edgePath(points, start, end)} />
      <path className={styles.tip} d={tipPath(points, end)} />
    </g>
  );
}

type EdgeLabelProps = Pick<EdgeProps, 'scene' | 'link'> & {
  /** Whether a click shows the members that the edge passes. */
  readonly isButton?: boolean;
  readonly isDim?: boolean;
};

/** Label of an edge, on a background that interrupts the line. */
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

/** Position of the edge in the access string. */
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

import { memo, type SVGProps } from 'react';
import { type BoxFace, boxParts, type Part } from '#analysis/graph/box-parts.ts';
import type { SceneBox } from '#analysis/graph/scene.ts';
import { drawnName } from '#bytes/text.ts';
import { kindStyle } from '#views/parts/kind-style.ts';
import styles from './GraphNode.module.css';
import type { Marks } from './graph-marks.ts';
import { boxLabel, faceOf } from './graph-text.ts';

type GraphNodeProps = {
  readonly box: SceneBox;
  readonly id: string;
  readonly isSelected: boolean;
  readonly isRoot: boolean;
  /** Is something else pointed at, which it has nothing to do with? */
  readonly isDim: boolean;
  readonly rows: Marks['rows'];
};

/** A type in the graph: its kind and name, its size, and its members as rows. */
export const GraphNode = memo(function GraphNode(props: GraphNodeProps) {
  const { box, id, isSelected, isRoot, isDim, rows } = props;
  return (
    <Box
      box={box}
      face={faceOf(box)}
      rows={rows}
      id={id}
      role="option"
      aria-selected={isSelected}
      aria-label={drawnName(boxLabel(box))}
      data-root={isRoot}
      data-dim={isDim}
      data-lit={rows.get(`${box.index}:-1`)}
    />
  );
});

type BoxProps = SVGProps<SVGGElement> & {
  readonly box: SceneBox;
  readonly face: BoxFace;
  /** With it the parts have titles, and those that are marked are lit. */
  readonly rows?: Marks['rows'];
  readonly [data: `data-${string}`]: unknown;
};

/** A box at its place; other attributes go to its group. */
export function Box({ box, face, rows, ...group }: BoxProps) {
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

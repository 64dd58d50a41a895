import { memo, type SVGProps } from 'react';
import { type BoxFace, boxParts, type Part } from '#analysis/graph/box-parts.ts';
import { BOX_WIDTH, rowY } from '#analysis/graph/measures.ts';
import type { SceneBox } from '#analysis/graph/scene.ts';
import { drawnName } from '#bytes/text.ts';
import { kindStyle } from '#views/parts/KindBadge.tsx';
import { pinBadge, pinLabel } from '#views/parts/PinMark.tsx';
import styles from './GraphNode.module.css';
import type { BoxPin, Marks } from './graph-marks.ts';
import { boxLabel, faceOf } from './graph-text.ts';

type GraphNodeProps = {
  readonly box: SceneBox;
  readonly id: string;
  readonly isSelected: boolean;
  readonly isRoot: boolean;
  /** Whether an unrelated part is hovered. */
  readonly isDim: boolean;
  readonly rows: Marks['rows'];
  readonly pins?: readonly BoxPin[] | undefined;
};

const NO_PINS: readonly BoxPin[] = [];

/** Box of a type: kind, name, size, and a row per member. */
export const GraphNode = memo(function GraphNode(props: GraphNodeProps) {
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
      {pins.map((one, index) => (
        <NodePin key={pinBadge(one.pin)} {...one} index={index} />
      ))}
    </Box>
  );
});

/** Distance between the pins of a header, and half the height of a pin, in pixels. */
const PIN_STEP = 26;
const PIN_HALF = 8;

/** Pin on the header of a box, or before the row of a member. */
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
  /** Marks by row; without them parts have no titles. */
  readonly rows?: Marks['rows'];
  readonly [data: `data-${string}`]: unknown;
};

/** Box at its place; other attributes go to its group. */
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

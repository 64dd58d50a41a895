import type { MouseEvent, PointerEvent } from 'react';
import { boxParts, type Part } from '#analysis/graph/box-parts.ts';
import type { Scene, SceneBox, SceneLink } from '#analysis/graph/scene.ts';
import { edgePath, labelPlace, tipPath } from '#analysis/graph/trace-edge.ts';
import type { Change, Changes } from '#analysis/workbench/changes.ts';
import { typeId } from '#model/ids.ts';
import { typeSelection } from '#model/selection.ts';
import { select } from '#store/navigation.ts';
import { scrollRegion } from '#ui/scroll-region.ts';
import { kindStyle } from '#views/parts/kind-style.ts';
import { countOf, shortSize } from '#views/parts/number-text.ts';
import styles from './GraphPicture.module.css';
import type { Pointed } from './subject.ts';

const MARGIN = 12;
/** A smaller picture could not be read: it scrolls. */
const LEAST_SCALE = 0.62;

type GraphPictureProps = {
  readonly scene: Scene;
  readonly changes: Changes | null;
  readonly pointed: Pointed | null;
  readonly onPoint: (pointed: Pointed | null) => void;
  /** The selected type; null = none. */
  readonly selected: number | null;
};

/** The graph as it fits into the pane. For the eye and the pointer: the list of records says the same to the keyboard. */
export function GraphPicture({ scene, changes, pointed, onPoint, selected }: GraphPictureProps) {
  const { bounds } = scene.picture;
  const width = bounds.width + 2 * MARGIN;
  const height = bounds.height + 2 * MARGIN;
  const boxes = Array.from({ length: scene.boxCount }, (_, i) => scene.box(i));
  const links = Array.from({ length: scene.linkCount }, (_, i) => scene.link(i));
  const typeUnder = (event: PointerEvent | MouseEvent) => {
    const box = event.target instanceof Element ? event.target.closest('[data-type]') : null;
    const type = Number(box?.getAttribute('data-type') ?? 0);
    return type > 0 ? typeId(type) : null;
  };
  const label = `Graph: ${scene.box(0).text.name} and ${countOf(scene.boxCount - 1, 'other type')}`;
  return (
    <div className={styles.scroller} {...scrollRegion(label)}>
      <svg
        aria-hidden="true"
        className={styles.picture}
        viewBox={`${bounds.x - MARGIN} ${bounds.y - MARGIN} ${width} ${height}`}
        style={{ maxWidth: width, minWidth: LEAST_SCALE * width }}
        onClick={(event) => {
          const type = typeUnder(event);
          if (type !== null) select(typeSelection(type));
        }}
        onPointerOver={(event) => {
          const type = typeUnder(event);
          onPoint(type === null ? null : { kind: 'record', type, item: null });
        }}
        onPointerLeave={() => onPoint(null)}
      >
        {links.map((link) => (
          <Edge key={link.index} scene={scene} link={link} />
        ))}
        {boxes.map((box) => (
          <Box
            key={box.type}
            box={box}
            change={changes?.types.get(box.type)}
            isSelected={box.type === selected}
            isPointed={pointed?.kind === 'record' && pointed.type === box.type}
          />
        ))}
      </svg>
    </div>
  );
}

function Edge({ scene, link }: { readonly scene: Scene; readonly link: SceneLink }) {
  const { starts, points } = scene.picture.links;
  const start = starts[link.index] ?? 0;
  const end = starts[link.index + 1] ?? 0;
  const { x, y, width, isLeft } = labelPlace(points, start, link);
  return (
    <g className={styles.edge} data-apart={link.direction === 'back' || link.direction === 'self'}>
      <path className={styles.line} d={edgePath(points, start, end)} />
      <path className={styles.tip} d={tipPath(points, end)} />
      {link.text === '' ? null : (
        <>
          <rect x={x} y={y - 8} width={width} height={16} />
          <text
            x={isLeft ? x + width - 3 : x + 3}
            y={y + 3.5}
            textAnchor={isLeft ? 'end' : 'start'}
          >
            {link.text}
          </text>
        </>
      )}
    </g>
  );
}

type BoxProps = {
  readonly box: SceneBox;
  readonly change: Change | undefined;
  readonly isSelected: boolean;
  readonly isPointed: boolean;
};

function Box({ box, change, isSelected, isPointed }: BoxProps) {
  const { kind, size } = box.text;
  const { letter, tone } = kindStyle(kind);
  const face = { letter, size: shortSize(size), button: '', linkedRows: box.linkedRows };
  return (
    <g
      className={styles.box}
      transform={`translate(${box.x} ${box.y})`}
      data-type={box.type}
      data-tone={tone}
      data-change={change}
      data-selected={isSelected}
      data-pointed={isPointed}
    >
      {boxParts(box.text, face, box.height).map((part) => (
        <Shape key={`${part.role}${part.row}`} part={part} />
      ))}
    </g>
  );
}

function Shape({ part }: { readonly part: Part }) {
  const { role, x, y } = part;
  return part.shape === 'text' ? (
    <text className={styles[role]} x={x} y={y} textAnchor={part.anchor}>
      {part.text}
    </text>
  ) : (
    <rect
      className={styles[role]}
      x={x}
      y={y}
      width={part.width}
      height={part.height}
      rx={part.radius}
    />
  );
}

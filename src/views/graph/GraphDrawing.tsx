import { memo } from 'react';
import type { TypeId } from '#model/ids.ts';
import { GraphBox } from './GraphBox.tsx';
import styles from './GraphDrawing.module.css';
import type { GraphLayout } from './graph-layout.ts';
import type { Link } from './graph-links.ts';
import { fitText } from './text-fit.ts';

const LABEL_WIDTH = 146;
const LABEL_SIZE = 11;

type GraphDrawingProps = {
  readonly layout: GraphLayout;
  readonly selected: TypeId;
  readonly idPrefix: string;
};

/**
 * Edges first, those of the selected type over the others, then the boxes. Of the
 * root all edges are its own to begin with: to mark them would mark nothing.
 */
export const GraphDrawing = memo(function GraphDrawing(props: GraphDrawingProps) {
  const { layout, selected, idPrefix } = props;
  const isRoot = layout.boxes[0]?.type === selected;
  const isNear = ({ from, to }: Link) => !isRoot && (from === selected || to === selected);
  const links = layout.links.toSorted((a, b) => Number(isNear(a)) - Number(isNear(b)));
  const tip = `${idPrefix}tip`;
  return (
    <>
      <defs>
        <marker
          id={tip}
          viewBox="0 0 8 8"
          refX="7"
          refY="4"
          markerWidth="7"
          markerHeight="7"
          orient="auto"
        >
          <path d="M0 0.5L8 4L0 7.5Z" className={styles.tip} />
        </marker>
      </defs>
      <g aria-hidden>
        {links.map((link) => (
          <path
            key={`${link.from}>${link.to}`}
            className={styles.edge}
            data-near={isNear(link)}
            d={link.path}
            markerEnd={`url(#${tip})`}
          />
        ))}
        {links.map((link) =>
          link.text === '' ? null : (
            <text
              key={`${link.from}>${link.to}`}
              className={styles.label}
              data-near={isNear(link)}
              x={link.textX}
              y={link.textY}
              textAnchor={link.anchor}
            >
              {fitText(link.text, LABEL_WIDTH, LABEL_SIZE)}
            </text>
          ),
        )}
      </g>
      {layout.boxes.map((box) => (
        <GraphBox
          key={box.type}
          box={box}
          id={`${idPrefix}${box.type}`}
          isSelected={box.type === selected}
        />
      ))}
    </>
  );
});

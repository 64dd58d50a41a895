import { memo, type ReactNode } from 'react';
import type { CoreMatrix } from '#analysis/core/matrix/matrix.ts';
import { drawnName } from '#bytes/text.ts';
import type { FileId } from '#store/session.ts';
import { ColumnState } from './ColumnState.tsx';
import styles from './MatrixHeader.module.css';
import type { TargetColumn } from './use-matrix.ts';

type MatrixHeaderProps = {
  readonly object: FileId;
  readonly columns: readonly TargetColumn[];
  readonly matrix: CoreMatrix;
  /** CSS pixels. */
  readonly height: number;
  /** `grid-template-columns` of all lines. */
  readonly template: string;
  /** CSS pixels. */
  readonly minWidth: number;
  readonly corner: ReactNode;
  /** Targets that are drawn: to `endTarget`, exclusive. */
  readonly firstTarget: number;
  readonly endTarget: number;
};

/** The targets, each with how far it is or what it comes to in all. */
export function MatrixHeader(props: MatrixHeaderProps) {
  const { object, columns, matrix, firstTarget, endTarget } = props;
  const { height, template, minWidth, corner } = props;
  return (
    <thead className={styles.header} style={{ height, minWidth }}>
      <tr className={styles.row} style={{ gridTemplateColumns: template }} aria-rowindex={1}>
        <th scope="col" className={styles.corner} aria-colindex={1}>
          {corner}
        </th>
        {columns.slice(firstTarget, endTarget).map((column, i) => {
          const place = firstTarget + i;
          return (
            <TargetHead
              key={column.id}
              {...column}
              object={object}
              index={place + 1}
              counts={matrix.columns[place]?.counts ?? NO_COUNTS}
            />
          );
        })}
      </tr>
    </thead>
  );
}

const NO_COUNTS: readonly number[] = [];

/** Drawn anew only when its own target has news. */
const TargetHead = memo(function TargetHead({
  object,
  index,
  id,
  name,
  shortName,
  outcome,
  counts,
}: TargetColumn & {
  readonly object: FileId;
  /** From 1: column 0 names the lines. */
  readonly index: number;
  readonly counts: readonly number[];
}) {
  return (
    <th
      scope="col"
      className={styles.target}
      style={{ gridColumn: index + 1 }}
      aria-colindex={index + 1}
      title={drawnName(name)}
    >
      <span className={styles.name}>
        <bdi>{drawnName(shortName)}</bdi>
      </span>
      <ColumnState object={object} target={id} name={name} outcome={outcome} counts={counts} />
    </th>
  );
});

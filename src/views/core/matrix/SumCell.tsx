import { memo } from 'react';
import { groupCounts } from '#analysis/core/matrix/groups.ts';
import type { ResolvedColumn } from '#analysis/core/matrix/matrix.ts';
import { gridcellAria } from '#ui/grid-aria.ts';
import styles from './MatrixGrid.module.css';
import { countsText } from './matrix-text.ts';
import { StateBar } from './StateBar.tsx';
import { Waiting } from './Waiting.tsx';

type SumCellProps = {
  readonly id: string;
  /** From 1: column 0 names the line. */
  readonly index: number;
  readonly column: ResolvedColumn;
  /** Of the group. */
  readonly rows: readonly number[];
  readonly isActive: boolean;
};

/** All relocations of a group on one target. Drawn anew only when its own column changes. */
export const SumCell = memo(function SumCell(props: SumCellProps) {
  const { id, index, column, rows, isActive } = props;
  const counts = groupCounts(column, rows);
  return (
    <td
      id={id}
      className={styles.cell}
      style={{ gridColumn: index + 1 }}
      data-column={index}
      data-active={isActive ? '' : undefined}
      {...gridcellAria(index)}
    >
      {column.results === null ? (
        <Waiting />
      ) : (
        <StateBar counts={counts} title={countsText(counts)} />
      )}
    </td>
  );
});

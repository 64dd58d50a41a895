import { ShieldCheck } from 'lucide-react';
import { memo } from 'react';
import type { CoreObjectRecord } from '#analysis/core/core-object.ts';
import { guardAt, type ResolvedColumn, stateAt } from '#analysis/core/matrix/matrix.ts';
import type { CoreState } from '#analysis/core/outcome.ts';
import { drawnName } from '#bytes/text.ts';
import { gridcellAria } from '#ui/grid-aria.ts';
import type { StatusTone } from '#ui/tone.ts';
import { STATE_TONES, StateMark } from '#views/core/parts/StateMark.tsx';
import styles from './MatrixGrid.module.css';
import { cellText } from './matrix-text.ts';
import { Waiting } from './Waiting.tsx';

type MatrixCellProps = {
  readonly id: string;
  /** From 1: column 0 names the line. */
  readonly index: number;
  readonly column: ResolvedColumn;
  readonly records: readonly CoreObjectRecord[];
  readonly row: number;
  readonly isActive: boolean;
};

/** One relocation on one target. Drawn anew only when its own column changes. */
export const MatrixCell = memo(function MatrixCell(props: MatrixCellProps) {
  const { id, index, column, records, row, isActive } = props;
  const state = stateAt(column, row);
  return (
    <td
      id={id}
      className={styles.cell}
      style={{ gridColumn: index + 1 }}
      data-tone={toneOf(state)}
      data-column={index}
      data-active={isActive ? '' : undefined}
      {...gridcellAria(index)}
    >
      {state === null ? (
        <Waiting />
      ) : (
        <StateMark state={state} title={drawnName(cellText(column, records, row))} />
      )}
      {guardAt(column, records, row) === null ? null : (
        <>
          <ShieldCheck size={13} aria-hidden className={styles.guard} />
          <span className="visually-hidden">guarded</span>
        </>
      )}
    </td>
  );
});

/** What is the same is quiet, so that all else stands out. */
function toneOf(state: CoreState | null): StatusTone | undefined {
  return state === null || state === 'same' ? undefined : STATE_TONES[state];
}

import { ChevronRight } from 'lucide-react';
import { memo, useMemo } from 'react';
import { loadCount, type MatrixGroup } from '#analysis/core/matrix/groups.ts';
import type { CoreMatrix } from '#analysis/core/matrix/matrix.ts';
import { drawnName } from '#bytes/text.ts';
import { Name } from '#views/parts/Name.tsx';
import { countOf } from '#views/parts/number-text.ts';
import type { LineProps } from './line-props.ts';
import styles from './MatrixGrid.module.css';
import { cellId } from './matrix-keys.ts';
import { loadMeaning } from './matrix-text.ts';
import { SumCell } from './SumCell.tsx';

type GroupLineProps = LineProps & { readonly group: MatrixGroup; readonly isFolded: boolean };

/** A program, type or field, with the summary of its relocations on each target. */
export const GroupLine = memo(function GroupLine(props: GroupLineProps) {
  const { index, idPrefix, top, height, gridTemplateColumns, matrix, by } = props;
  const { firstTarget, endTarget, activeColumn, group, isFolded } = props;
  return (
    <tr
      data-row={index}
      data-kind="group"
      className={styles.line}
      style={{ top, height, gridTemplateColumns }}
      aria-rowindex={index + 2}
    >
      <th
        scope="row"
        id={cellId(idPrefix, index, 0)}
        data-kind="group"
        className={styles.head}
        data-column={0}
        data-active={activeColumn === 0 ? '' : undefined}
        aria-colindex={1}
        aria-expanded={!isFolded}
        title={[drawnName(group.label), drawnName(group.section)].filter(Boolean).join(', ')}
      >
        <ChevronRight size={14} aria-hidden className={styles.fold} data-open={!isFolded} />
        <span className={styles.label} data-kind="group">
          <Name text={group.label} otherwise="(no function)" />
        </span>
        <span className={styles.section}>
          {group.section === ''
            ? countOf(group.rows.length, 'relocation')
            : drawnName(group.section)}
        </span>
        {by === 'program' ? <Loads matrix={matrix} rows={group.rows} /> : null}
      </th>
      {matrix.columns.slice(firstTarget, endTarget).map((column, i) => {
        const place = firstTarget + i + 1;
        const id = cellId(idPrefix, index, place);
        return (
          <SumCell
            key={id}
            id={id}
            index={place}
            column={column}
            rows={group.rows}
            isActive={activeColumn === place}
          />
        );
      })}
    </tr>
  );
});

type LoadsProps = {
  readonly matrix: CoreMatrix;
  readonly rows: readonly number[];
};

/** `loads on 5 of 8`, with all that it means behind it. */
function Loads({ matrix, rows }: LoadsProps) {
  const count = useMemo(() => loadCount(matrix, rows), [matrix, rows]);
  const { loads, poisoned, answered } = count;
  if (answered === 0) return null;
  const tone = loads < answered ? 'danger' : poisoned > 0 ? 'warning' : 'ok';
  return (
    <span className={styles.loads} data-tone={tone} title={loadMeaning(count)}>
      loads on {loads} of {answered}
      {poisoned === 0 ? null : <span className={styles.poisoned}>, {poisoned} poisoned</span>}
    </span>
  );
}

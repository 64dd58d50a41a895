import { memo } from 'react';
import { coreKindName } from '#analysis/core/core-kinds.ts';
import { fieldLabel } from '#analysis/core/matrix/field-label.ts';
import { drawnName } from '#bytes/text.ts';
import { Name } from '#views/parts/Name.tsx';
import type { LineProps } from './line-props.ts';
import { MatrixCell } from './MatrixCell.tsx';
import styles from './MatrixGrid.module.css';
import { cellId } from './matrix-keys.ts';
import { recordLabel, recordName } from './matrix-text.ts';

/** One relocation: its state on each target. */
export const RecordLine = memo(function RecordLine(props: LineProps & { readonly row: number }) {
  const { index, idPrefix, top, height, gridTemplateColumns, matrix, by } = props;
  const { firstTarget, endTarget, activeColumn, row } = props;
  const record = matrix.records[row];
  if (record === undefined) return null;
  const label = recordLabel(matrix, record, by);
  return (
    <tr
      data-row={index}
      data-kind="record"
      className={styles.line}
      style={{ top, height, gridTemplateColumns }}
      aria-rowindex={index + 2}
    >
      <th
        scope="row"
        id={cellId(idPrefix, index, 0)}
        data-kind="record"
        className={styles.head}
        data-column={0}
        data-active={activeColumn === 0 ? '' : undefined}
        aria-colindex={1}
        title={`${recordName(record)} ${drawnName(fieldLabel(matrix.types, record))}`}
      >
        <span className={styles.number}>#{record.relocIndexInSection}</span>
        <span className={styles.kind} data-kept={by === 'field'}>
          {coreKindName(record.kind)}
        </span>
        {label.head === '' ? null : (
          <span className={styles.root}>
            <Name text={label.head} />
          </span>
        )}
        <span className={styles.label}>
          <Name text={label.tail} />
        </span>
      </th>
      {matrix.columns.slice(firstTarget, endTarget).map((column, i) => {
        const place = firstTarget + i + 1;
        const id = cellId(idPrefix, index, place);
        return (
          <MatrixCell
            key={id}
            id={id}
            index={place}
            column={column}
            records={matrix.records}
            row={row}
            isActive={activeColumn === place}
          />
        );
      })}
    </tr>
  );
});

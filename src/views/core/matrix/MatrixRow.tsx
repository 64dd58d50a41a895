import { ChevronRight, ShieldCheck } from 'lucide-react';
import { memo, useMemo } from 'react';
import { coreKindName } from '#analysis/core/core-kinds.ts';
import type { CoreObjectRecord } from '#analysis/core/core-records.ts';
import { fieldLabel } from '#analysis/core/matrix/field-label.ts';
import { type Grouping, groupCounts, loadCount } from '#analysis/core/matrix/groups.ts';
import {
  type CoreMatrix,
  guardAt,
  type ResolvedColumn,
  stateAt,
} from '#analysis/core/matrix/matrix.ts';
import { drawnName } from '#bytes/text.ts';
import { gridcellAria } from '#ui/grid-aria.ts';
import { STATE_TONES, StateMark } from '#views/core/parts/StateMark.tsx';
import { Name } from '#views/parts/Name.tsx';
import { countOf } from '#views/parts/number-text.ts';
import styles from './MatrixGrid.module.css';
import type { MatrixLine } from './MatrixGrid.tsx';
import { StateBar } from './MatrixHeader.tsx';
import { cellText, loadMeaning, recordLabel, recordName } from './matrix-text.ts';

/** Id of a cell in the page; `idPrefix` is that of the table. */
export function cellId(idPrefix: string, line: number, column: number): string {
  return `${idPrefix}${line}c${column}`;
}

type HeadProps = {
  readonly matrix: CoreMatrix;
  readonly by: Grouping;
};

type MatrixRowProps = HeadProps & {
  readonly line: MatrixLine;
  readonly index: number;
  /** Of the ids of its cells. */
  readonly idPrefix: string;
  /** CSS pixels. */
  readonly top: number;
  readonly height: number;
  readonly gridTemplateColumns: string;
  /** Targets whose cells are drawn: to `endTarget`, exclusive. */
  readonly firstTarget: number;
  readonly endTarget: number;
  /** Column of the active cell, 0 for the line's name; null where it is in another line. */
  readonly activeColumn: number | null;
};

/** A group with the summary of its relocations on each target, or one relocation with its state there. */
export const MatrixRow = memo(function MatrixRow(props: MatrixRowProps) {
  const { line, index, idPrefix, top, height, gridTemplateColumns, matrix, by } = props;
  const { firstTarget, endTarget, activeColumn } = props;
  const { kind } = line;
  const record = kind === 'record' ? matrix.records[line.row] : null;
  if (record === undefined) return null;
  const title =
    record === null
      ? [drawnName(line.group.label), drawnName(line.group.section)].filter(Boolean).join(', ')
      : `${recordName(record)} ${drawnName(fieldLabel(matrix.types, record))}`;
  return (
    <tr
      data-row={index}
      data-kind={kind}
      className={styles.line}
      style={{ top, height, gridTemplateColumns }}
      aria-rowindex={index + 2}
    >
      <th
        scope="row"
        id={cellId(idPrefix, index, 0)}
        data-kind={kind}
        className={styles.head}
        data-column={0}
        data-active={activeColumn === 0 ? '' : undefined}
        aria-colindex={1}
        aria-expanded={kind === 'group' ? !line.isFolded : undefined}
        title={title}
      >
        {kind === 'group' ? (
          <GroupHead line={line} matrix={matrix} by={by} />
        ) : record === null ? null : (
          <RecordHead record={record} matrix={matrix} by={by} />
        )}
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
            of={kind === 'group' ? line.group.rows : line.row}
            isActive={activeColumn === place}
          />
        );
      })}
    </tr>
  );
});

type GroupHeadProps = HeadProps & { readonly line: Extract<MatrixLine, { kind: 'group' }> };

function GroupHead({ line: { group, isFolded }, matrix, by }: GroupHeadProps) {
  const { label, section, rows } = group;
  return (
    <>
      <ChevronRight size={14} aria-hidden className={styles.fold} data-open={!isFolded} />
      <span className={styles.label} data-kind="group">
        <Name text={label} otherwise="(no function)" />
      </span>
      <span className={styles.section}>
        {section === '' ? countOf(rows.length, 'relocation') : drawnName(section)}
      </span>
      {by === 'program' ? <Loads matrix={matrix} rows={rows} /> : null}
    </>
  );
}

type LoadsProps = Pick<HeadProps, 'matrix'> & { readonly rows: readonly number[] };

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

function RecordHead({ record, matrix, by }: HeadProps & { readonly record: CoreObjectRecord }) {
  const { head, tail } = recordLabel(matrix, record, by);
  return (
    <>
      <span className={styles.number}>#{record.relocIndexInSection}</span>
      <span className={styles.kind} data-kept={by === 'field'}>
        {coreKindName(record.kind)}
      </span>
      {head === '' ? null : (
        <span className={styles.root}>
          <Name text={head} />
        </span>
      )}
      <span className={styles.label}>
        <Name text={tail} />
      </span>
    </>
  );
}

type MatrixCellProps = {
  readonly id: string;
  /** From 1: column 0 names the line. */
  readonly index: number;
  readonly column: ResolvedColumn;
  readonly records: readonly CoreObjectRecord[];
  /** The row of one relocation, or those of a group. */
  readonly of: number | readonly number[];
  readonly isActive: boolean;
};

/** One relocation or a group of them on one target. Drawn anew only when its own column changes. */
const MatrixCell = memo(function MatrixCell(props: MatrixCellProps) {
  const { id, index, column, records, of, isActive } = props;
  const state = typeof of === 'number' ? stateAt(column, of) : null;
  const isWaiting = typeof of === 'number' ? state === null : column.results === null;
  const counts = typeof of === 'number' ? [] : groupCounts(column, of);
  return (
    <td
      id={id}
      className={styles.cell}
      style={{ gridColumn: index + 1 }}
      // What is the same is quiet, so that all else stands out.
      data-tone={state === null || state === 'same' ? undefined : STATE_TONES[state]}
      data-column={index}
      data-active={isActive ? '' : undefined}
      {...gridcellAria(index)}
    >
      {isWaiting ? (
        <span className="tiny muted">
          <span aria-hidden>…</span>
          <span className="visually-hidden">not resolved</span>
        </span>
      ) : state === null || typeof of !== 'number' ? (
        <StateBar counts={counts} />
      ) : (
        <StateMark state={state} title={drawnName(cellText(column, records, of))} />
      )}
      {typeof of !== 'number' || guardAt(column, records, of) === null ? null : (
        <>
          <ShieldCheck size={13} aria-hidden className={styles.guard} />
          <span className="visually-hidden">guarded</span>
        </>
      )}
    </td>
  );
});

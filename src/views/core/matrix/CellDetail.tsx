import { ArrowUpRight } from 'lucide-react';
import { fieldLabel } from '#analysis/core/matrix/field-label.ts';
import { type Grouping, groupCounts, loadCount } from '#analysis/core/matrix/groups.ts';
import { type CoreMatrix, guardAt, stateAt } from '#analysis/core/matrix/matrix.ts';
import { drawnName } from '#bytes/text.ts';
import { coreIndex } from '#model/ids.ts';
import { setCoreMode } from '#store/core-view.ts';
import { select } from '#store/navigation.ts';
import { Button } from '#ui/Button.tsx';
import { changeText } from '#views/core/parts/result-text.ts';
import { StateMark } from '#views/core/parts/StateMark.tsx';
import { Name } from '#views/parts/Name.tsx';
import { countOf } from '#views/parts/number-text.ts';
import styles from './CellDetail.module.css';
import type { MatrixLine } from './matrix-lines.ts';
import { countsText, guardText, loadMeaning, recordName } from './matrix-text.ts';
import type { TargetColumn } from './use-matrix.ts';

type CellDetailProps = {
  readonly columns: readonly TargetColumn[];
  readonly matrix: CoreMatrix;
  readonly by: Grouping;
  /** The line that is active; null while none is. */
  readonly line: MatrixLine | null;
  /** Index of the target, -1 on the line's name. */
  readonly column: number;
  readonly onOpen: () => void;
};

/** The active cell in full, for keyboard and touch, which have no tooltip. */
export function CellDetail(props: CellDetailProps) {
  const { line } = props;
  return (
    <section className={styles.detail} aria-label="Active cell">
      {line === null ? (
        <p className="muted">
          Each cell is one relocation on one target. Click a cell, or press Enter on it, to see how
          libbpf resolved it.
        </p>
      ) : line.kind === 'group' ? (
        <GroupDetail {...props} line={line} />
      ) : (
        <RecordDetail {...props} line={line} />
      )}
    </section>
  );
}

function GroupDetail({
  columns,
  matrix,
  by,
  line,
  column,
}: CellDetailProps & { readonly line: Extract<MatrixLine, { kind: 'group' }> }) {
  const { label, section, rows } = line.group;
  const resolved = matrix.columns[column];
  const words =
    resolved === undefined || resolved.results === null
      ? null
      : countsText(groupCounts(resolved, rows));
  return (
    <>
      <p className={styles.what}>
        <span className="mono bold break">
          <Name text={label} otherwise="(no function)" />
        </span>
        <span className="muted">
          {section === '' ? null : `${drawnName(section)}, `}
          {countOf(rows.length, 'relocation')}
        </span>
        <OnTarget column={columns[column]} />
        {words === null ? null : <span>{words}</span>}
      </p>
      {by === 'program' ? (
        <p className={styles.why}>{loadMeaning(loadCount(matrix, rows))}</p>
      ) : null}
    </>
  );
}

function RecordDetail({
  columns,
  matrix,
  line,
  column,
  onOpen,
}: CellDetailProps & { readonly line: Extract<MatrixLine, { kind: 'record' }> }) {
  const { types, records } = matrix;
  const record = records[line.row];
  if (record === undefined) return null;
  const resolved = matrix.columns[column];
  const result = resolved?.results?.[line.row];
  const state = resolved === undefined ? null : stateAt(resolved, line.row);
  const guard = resolved === undefined ? null : guardAt(resolved, records, line.row);
  return (
    <>
      <p className={styles.what}>
        {state === null ? null : <StateMark state={state} />}
        <span className="mono bold break">
          <Name text={fieldLabel(types, record)} />
        </span>
        <span className="muted">{recordName(record)}</span>
        <OnTarget column={columns[column]} />
        {result === undefined ? null : <code>{changeText(result)}</code>}
        <Button size="small" className={styles.open} onClick={onOpen}>
          <ArrowUpRight size={12} aria-hidden />
          Why?
        </Button>
      </p>
      {result === undefined ? null : <p className={styles.why}>{drawnName(result.reason)}</p>}
      {resolved === undefined || guard === null ? null : (
        <p className={styles.guard}>
          {sentence(guardText(resolved, records, line.row) ?? '')} If that check guards this
          instruction, the verifier does not check it.{' '}
          <Button
            size="small"
            onClick={() => {
              select({ kind: 'core', core: coreIndex(guard.index), step: null });
              setCoreMode('records');
            }}
          >
            Show check
          </Button>
        </p>
      )}
    </>
  );
}

function OnTarget({ column }: { readonly column: TargetColumn | undefined }) {
  if (column === undefined) return null;
  return (
    <span className="soft break">
      on <bdi>{drawnName(column.name)}</bdi>
    </span>
  );
}

function sentence(words: string): string {
  return `${words.slice(0, 1).toUpperCase()}${words.slice(1)}.`;
}

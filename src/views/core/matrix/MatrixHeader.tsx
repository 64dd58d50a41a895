import { RotateCw } from 'lucide-react';
import { memo, type ReactNode } from 'react';
import { MATRIX_STATES } from '#analysis/core/matrix/matrix.ts';
import { drawnName } from '#bytes/text.ts';
import { resolveCore } from '#store/core-results.ts';
import { useFreshCandidates } from '#store/core-view.ts';
import type { FileId } from '#store/session.ts';
import { Button } from '#ui/Button.tsx';
import { STATE_TONES, StateMark } from '#views/core/parts/StateMark.tsx';
import styles from './MatrixHeader.module.css';
import { countsText, worstState } from './matrix-text.ts';
import { columnFraction, type ShownMatrix, type TargetColumn } from './use-matrix.ts';

type MatrixHeaderProps = Pick<ShownMatrix, 'object' | 'columns' | 'matrix'> & {
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

/** The targets, each with its progress or summary. */
export function MatrixHeader(props: MatrixHeaderProps) {
  const { object, columns, matrix, firstTarget, endTarget } = props;
  const { height, template, minWidth, corner } = props;
  return (
    <thead className={styles.header} style={{ height, minWidth }}>
      <tr className="grid tall" style={{ gridTemplateColumns: template }} aria-rowindex={1}>
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

type TargetHeadProps = TargetColumn & {
  readonly object: FileId;
  /** From 1: column 0 names the lines. */
  readonly index: number;
  readonly counts: readonly number[];
};

/** Drawn anew only when its own target has news. */
const TargetHead = memo(function TargetHead(props: TargetHeadProps) {
  const { index, name, shortName } = props;
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
      <ColumnState {...props} />
    </th>
  );
});

/** Under the name of a target: its summary, its progress, or its failure. */
function ColumnState({ object, id: target, name, outcome, counts }: TargetHeadProps) {
  const fresh = useFreshCandidates();
  switch (outcome?.step) {
    case undefined:
      return <span className={styles.words}>waiting</span>;
    case 'running':
      return <Running fraction={columnFraction(outcome)} name={name} />;
    case 'failed':
      return (
        <Button
          size="small"
          variant="danger"
          className={styles.retry}
          title={drawnName(outcome.issue.message)}
          aria-label={`Failed on ${drawnName(name)}: try again`}
          onClick={() => void resolveCore({ object, target, fresh })}
          icon={RotateCw}
        >
          Failed, retry
        </Button>
      );
    default:
      return <StateBar counts={counts} />;
  }
}

function Running({ fraction, name }: { readonly fraction: number; readonly name: string }) {
  const percent = Math.round(100 * fraction);
  return (
    <span className="grid gap-hair">
      <span className={styles.words}>{percent} %</span>
      <span
        role="progressbar"
        className={styles.track}
        aria-label={drawnName(name)}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={percent}
      >
        <span className={styles.done} style={{ width: `${percent}%` }} />
      </span>
    </span>
  );
}

/** Many cells summed up: how many are in the worst state, over a bar of all states. */
export function StateBar({ counts }: { readonly counts: readonly number[] }) {
  const worst = worstState(counts);
  if (worst === null) return null;
  const title = countsText(counts);
  const count = counts[MATRIX_STATES.indexOf(worst)] ?? 0;
  return (
    <span className={styles.sum} title={title}>
      <StateMark
        state={worst}
        text={worst === 'same' ? 'all same' : `${count} ${worst}`}
        title={title}
      />
      <span className={styles.bar} aria-hidden>
        {MATRIX_STATES.map((state, i) =>
          (counts[i] ?? 0) === 0 ? null : (
            <span
              key={state}
              className={styles.part}
              data-tone={STATE_TONES[state]}
              style={{ flexGrow: counts[i] }}
            />
          ),
        )}
      </span>
    </span>
  );
}

import { ListFilter } from 'lucide-react';
import { useMemo } from 'react';
import { ROW_CHOICES } from '#analysis/core/matrix/filter.ts';
import { GROUPINGS } from '#analysis/core/matrix/groups.ts';
import { type CoreMatrix, MATRIX_STATES } from '#analysis/core/matrix/matrix.ts';
import { type MatrixSettings, setMatrix } from '#store/core-matrix.ts';
import type { FileId } from '#store/session.ts';
import { SearchBox } from '#ui/SearchBox.tsx';
import { Segmented } from '#ui/Segmented.tsx';
import { Toolbar } from '#ui/Toolbar.tsx';
import { StateFilter } from '#views/core/StateFilter.tsx';
import { ExportMenu } from './ExportMenu.tsx';
import styles from './MatrixToolbar.module.css';
import { TargetChooser } from './TargetChooser.tsx';
import type { TargetChoice, TargetColumn } from './use-matrix.ts';

const GROUPING_LABELS = { program: 'Program', type: 'Root type', field: 'Field' } as const;
const SHOW_LABELS = { all: 'All', changed: 'Not same', unlike: 'Targets differ' } as const;

type MatrixToolbarProps = {
  readonly object: FileId;
  /** Raw text. */
  readonly name: string;
  readonly choices: readonly TargetChoice[];
  readonly columns: readonly TargetColumn[];
  readonly matrix: CoreMatrix;
  readonly settings: MatrixSettings;
  /** The button that opens kernels. */
  readonly open: React.ReactNode;
};

/** Which targets, in which groups, and which rows; and the way out to a file. */
export function MatrixToolbar(props: MatrixToolbarProps) {
  const { object, name, choices, columns, matrix, settings, open } = props;
  const counts = useMemo(() => {
    const sums = MATRIX_STATES.map((state, i) => {
      const sum = matrix.columns.reduce((all, column) => all + (column.counts[i] ?? 0), 0);
      return [state, sum] as const;
    });
    return new Map(sums.filter(([state, sum]) => sum > 0 || settings.states.has(state)));
  }, [matrix, settings.states]);
  return (
    <div>
      <Toolbar
        label="Matrix"
        end={<ExportMenu matrix={matrix} name={name} isDisabled={columns.length === 0} />}
      >
        <TargetChooser object={object} choices={choices} />
        {open}
        <Labelled text="Group by">
          <Segmented
            label="Group by"
            options={GROUPINGS.map((value) => ({ value, label: GROUPING_LABELS[value] }))}
            value={settings.by}
            onChange={(by) => setMatrix(object, { by })}
          />
        </Labelled>
      </Toolbar>
      {columns.length === 0 ? null : (
        <Toolbar label="Rows of the matrix">
          <div className={styles.search}>
            <SearchBox
              label="Filter the matrix"
              hint="/"
              value={settings.text}
              onChange={(text) => setMatrix(object, { text })}
            />
          </div>
          <Labelled text="Rows">
            <Segmented
              label="Rows"
              options={ROW_CHOICES.map((value) => ({ value, label: SHOW_LABELS[value] }))}
              value={settings.show}
              onChange={(show) => setMatrix(object, { show })}
            />
          </Labelled>
          {counts.size === 0 ? null : (
            <div className={styles.states}>
              <ListFilter size={13} aria-hidden className={styles.icon} />
              <StateFilter
                counts={counts}
                chosen={settings.states}
                onChange={(states) => setMatrix(object, { states })}
              />
            </div>
          )}
        </Toolbar>
      )}
    </div>
  );
}

function Labelled({
  text,
  children,
}: {
  readonly text: string;
  readonly children: React.ReactNode;
}) {
  return (
    <div className={styles.labelled}>
      <span className={styles.label} aria-hidden>
        {text}
      </span>
      {children}
    </div>
  );
}

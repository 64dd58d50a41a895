import { Popover } from '@base-ui/react/popover';
import { ListFilter } from 'lucide-react';
import { useMemo } from 'react';
import { ROW_CHOICES } from '#analysis/core/matrix/filter.ts';
import { GROUPINGS } from '#analysis/core/matrix/groups.ts';
import { type CoreMatrix, MATRIX_STATES } from '#analysis/core/matrix/matrix.ts';
import { matrixCsv, matrixJson } from '#print/core-matrix.ts';
import { type MatrixSettings, matrixState } from '#store/core-view.ts';
import type { FileId } from '#store/session.ts';
import { Button } from '#ui/Button.tsx';
import { SearchBox } from '#ui/SearchBox.tsx';
import { Segmented } from '#ui/Segmented.tsx';
import { Toolbar } from '#ui/Toolbar.tsx';
import { StateFilter } from '#views/core/parts/StateFilter.tsx';
import { ExportMenu } from '#views/parts/ExportMenu.tsx';
import { Name } from '#views/parts/Name.tsx';
import { countOf } from '#views/parts/number-text.ts';
import styles from './MatrixToolbar.module.css';
import { setAllTargets, setTarget, type TargetChoice, type TargetColumn } from './use-matrix.ts';

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

/** Choice of targets, groups and rows, and export to a file. */
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
        end={
          <ExportMenu
            name={`${name}.matrix`}
            rows="all rows"
            isDisabled={columns.length === 0}
            texts={{
              csv: () => [...matrixCsv(matrix)].join(''),
              json: () => matrixJson(matrix, name),
            }}
          />
        }
      >
        <TargetChooser object={object} choices={choices} />
        {open}
        <Labelled text="Group by">
          <Segmented
            label="Group by"
            options={GROUPINGS.map((value) => ({ value, label: GROUPING_LABELS[value] }))}
            value={settings.by}
            onChange={(by) => matrixState.set({ by }, object)}
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
              onChange={(text) => matrixState.set({ text }, object)}
            />
          </div>
          <Labelled text="Rows">
            <Segmented
              label="Rows"
              options={ROW_CHOICES.map((value) => ({ value, label: SHOW_LABELS[value] }))}
              value={settings.show}
              onChange={(show) => matrixState.set({ show }, object)}
            />
          </Labelled>
          {counts.size === 0 ? null : (
            <div className={styles.states}>
              <ListFilter size={13} aria-hidden className={styles.icon} />
              <StateFilter
                counts={counts}
                chosen={settings.states}
                onChange={(states) => matrixState.set({ states }, object)}
              />
            </div>
          )}
        </Toolbar>
      )}
    </div>
  );
}

type LabelledProps = {
  readonly text: string;
  readonly children: React.ReactNode;
};

function Labelled({ text, children }: LabelledProps) {
  return (
    <div className={styles.labelled}>
      <span className={styles.label} aria-hidden>
        {text}
      </span>
      {children}
    </div>
  );
}

type TargetChooserProps = {
  readonly object: FileId;
  readonly choices: readonly TargetChoice[];
};

/** Which of the other open files are columns: a box for each. */
function TargetChooser({ object, choices }: TargetChooserProps) {
  const chosen = choices.filter(({ isChosen }) => isChosen).length;
  return (
    <Popover.Root>
      <Popover.Trigger
        render={
          <Button isMenu>
            Targets
            <span className={styles.count}>
              {chosen} of {choices.length}
            </span>
          </Button>
        }
      />
      <Popover.Portal>
        <Popover.Positioner align="start" sideOffset={4} className={styles.positioner}>
          <Popover.Popup className={styles.popup}>
            <Popover.Title className={styles.title}>Targets of the matrix</Popover.Title>
            <div className={styles.list}>
              {choices.map(({ id, name, typeCount, isChosen }) => (
                <label key={id} className={styles.choice}>
                  <input
                    type="checkbox"
                    className={styles.box}
                    checked={isChosen}
                    onChange={(event) => setTarget(object, choices, id, event.target.checked)}
                  />
                  <span className="grow ellipsis">
                    <Name text={name} />
                  </span>
                  <span className="rigid small muted">{countOf(typeCount, 'type')}</span>
                </label>
              ))}
            </div>
            <div className={styles.actions}>
              <Button size="small" onClick={() => setAllTargets(object, choices, true)}>
                All
              </Button>
              <Button size="small" onClick={() => setAllTargets(object, choices, false)}>
                None
              </Button>
            </div>
          </Popover.Popup>
        </Popover.Positioner>
      </Popover.Portal>
    </Popover.Root>
  );
}

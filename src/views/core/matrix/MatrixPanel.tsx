import { Popover } from '@base-ui/react/popover';
import { FolderOpen, ListFilter, Table2 } from 'lucide-react';
import { type ReactNode, useMemo, useRef } from 'react';
import { MATRIX_STATES } from '#analysis/core/matrix/matrix.ts';
import { matrixCsv, matrixJson } from '#print/core-matrix.ts';
import { matrixState } from '#store/core-view.ts';
import type { Active } from '#store/hooks.ts';
import { Button } from '#ui/Button.tsx';
import { Callout } from '#ui/Callout.tsx';
import { EmptyState } from '#ui/EmptyState.tsx';
import { FileInput } from '#ui/FileInput.tsx';
import { SearchBox } from '#ui/SearchBox.tsx';
import { Segmented } from '#ui/Segmented.tsx';
import { Toolbar } from '#ui/Toolbar.tsx';
import { StateFilter } from '#views/core/parts/StateFilter.tsx';
import { type KernelFiles, useKernelFiles } from '#views/core/parts/use-kernel-files.ts';
import { ExportMenu } from '#views/parts/ExportMenu.tsx';
import { Name } from '#views/parts/Name.tsx';
import { countOf } from '#views/parts/number-text.ts';
import styles from './MatrixPanel.module.css';
import { MatrixTable } from './MatrixTable.tsx';
import { type ShownMatrix, setTarget, useMatrix } from './use-matrix.ts';

/** Every CO-RE relocation of the object on every chosen kernel. */
export function MatrixPanel({ active }: { readonly active: Active }) {
  const { id, model, selection } = active;
  const shown = useMatrix(id, model);
  const { choices, columns, matrix } = shown;
  const kernels = useKernelFiles(id);
  if (matrix === null) return null;
  const open = <OpenKernels kernels={kernels} />;
  return (
    <section className="column shrink-y tall surface" aria-labelledby="matrix-title">
      <h2 id="matrix-title" className="visually-hidden">
        CO-RE relocations on all targets
      </h2>
      {choices.length === 0 ? null : (
        <MatrixToolbar {...shown} object={id} name={model.name} matrix={matrix} open={open} />
      )}
      <NotTargets kernels={kernels} />
      {columns.length === 0 ? (
        <NoTarget
          hasChoices={choices.length > 0}
          onAll={() => setTarget(id, choices, null, true)}
          open={open}
        />
      ) : (
        <MatrixTable {...shown} object={id} matrix={matrix} selection={selection} />
      )}
    </section>
  );
}

type NoTargetProps = {
  readonly hasChoices: boolean;
  readonly onAll: () => void;
  readonly open: ReactNode;
};

function NoTarget({ hasChoices, onAll, open }: NoTargetProps) {
  const icon = <Table2 size={28} aria-hidden />;
  return hasChoices ? (
    <EmptyState
      icon={icon}
      title="No target selected"
      text="Select some of the open files with types under Targets."
      actions={<Button onClick={onAll}>Use all open files</Button>}
    />
  ) : (
    <EmptyState
      icon={icon}
      title="No kernel open"
      text="Open the BTF of the kernels that the program should run on, or drop the files on the page. Each becomes a column. Nothing is uploaded."
      actions={open}
    />
  );
}

/** Files that were opened for the matrix and cannot be in it. */
function NotTargets({ kernels: { problems, forget } }: { readonly kernels: KernelFiles }) {
  if (problems.length === 0) return null;
  return (
    <div className={styles.place}>
      <Callout
        severity="warning"
        title={problems.length === 1 ? 'Not a target' : 'Some files can’t be targets'}
        isAlert
        actions={
          <Button size="small" onClick={forget}>
            Dismiss
          </Button>
        }
      >
        <ul className={styles.list}>
          {problems.map((problem) => (
            <li key={problem}>{problem}</li>
          ))}
        </ul>
      </Callout>
    </div>
  );
}

/** Opens any number of kernels, each of which becomes a column. */
function OpenKernels({ kernels }: { readonly kernels: KernelFiles }) {
  const input = useRef<HTMLInputElement>(null);
  const { open, progress } = kernels;
  return (
    <>
      <Button disabled={progress !== null} onClick={() => input.current?.click()} icon={FolderOpen}>
        {progress === null ? 'Open kernels…' : `Opening ${progress.done + 1} of ${progress.total}…`}
      </Button>
      <FileInput
        ref={input}
        label="Kernels for the matrix"
        multiple
        onFiles={(files) => void open(files)}
      />
    </>
  );
}

const GROUPING_LABELS = { program: 'Program', type: 'Root type', field: 'Field' } as const;
const SHOW_LABELS = { all: 'All', changed: 'Not same', unlike: 'Targets differ' } as const;

type MatrixToolbarProps = ShownMatrix & {
  /** Raw text. */
  readonly name: string;
  /** The button that opens kernels. */
  readonly open: ReactNode;
};

/** Choice of targets, groups and rows, and export to a file. */
function MatrixToolbar(props: MatrixToolbarProps) {
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
            options={GROUPING_LABELS}
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
              options={SHOW_LABELS}
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

function Labelled({ text, children }: { readonly text: string; readonly children: ReactNode }) {
  return (
    <div className={styles.labelled}>
      <span className={styles.label} aria-hidden>
        {text}
      </span>
      {children}
    </div>
  );
}

/** Which of the other open files are columns: a box for each. */
function TargetChooser({ object, choices }: Pick<ShownMatrix, 'object' | 'choices'>) {
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
            <div className={styles.matrixToolbarList}>
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
              <Button size="small" onClick={() => setTarget(object, choices, null, true)}>
                All
              </Button>
              <Button size="small" onClick={() => setTarget(object, choices, null, false)}>
                None
              </Button>
            </div>
          </Popover.Popup>
        </Popover.Positioner>
      </Popover.Portal>
    </Popover.Root>
  );
}

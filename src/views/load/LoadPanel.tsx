import { Popover } from '@base-ui/react/popover';
import { FolderOpen, ListFilter, Table2 } from 'lucide-react';
import { type ReactNode, useId, useMemo, useRef } from 'react';
import { MATRIX_STATES } from '#analysis/core/matrix/matrix.ts';
import { visible } from '#bytes/text.ts';
import { matrixCsv, matrixJson } from '#print/core-matrix.ts';
import { type LoadPair, loadCsv, loadFields, loadMarkdown } from '#print/load-text.ts';
import { keyOf } from '#store/address/file-keys.ts';
import { loadState } from '#store/kernels/core-view.ts';
import { factsOf, setFacts } from '#store/kernels/kernel-facts.ts';
import { type Active, useActive } from '#store/session/hooks.ts';
import { type FileId, useSession } from '#store/session/session.ts';
import { Landmark } from '#ui/aria.tsx';
import { Button } from '#ui/Button.tsx';
import { Callout } from '#ui/Callout.tsx';
import { Checkbox, FileInput, Segmented } from '#ui/inputs.tsx';
import { EmptyState, Toolbar } from '#ui/Panel.tsx';
import { FoundList } from '#ui/SearchBox.tsx';
import { StateFilter } from '#views/parts/core/StateMark.tsx';
import {
  FreshSwitch,
  type KernelFiles,
  NotTargets,
  useKernelFiles,
} from '#views/parts/core/TargetFrame.tsx';
import { ExportMenu } from '#views/parts/ExportMenu.tsx';
import { Name } from '#views/parts/Name.tsx';
import { countOf } from '#views/parts/number-text.ts';
import styles from './LoadPanel.module.css';
import { LoadTable } from './LoadTable.tsx';
import { type ShownLoad, setTarget, useLoad, verdictOf } from './use-load.ts';

/** Shows the outcomes of the object's programs and CO-RE relocations on the chosen kernels. */
export function LoadView() {
  const active = useActive();
  return active === null ? null : <LoadPanel key={active.id} active={active} />;
}

export function LoadPanel({ active }: { readonly active: Active }) {
  const titleId = useId();
  const { id, model, selection } = active;
  const shown = useLoad(id, model);
  const { choices, columns, matrix } = shown;
  const kernels = useKernelFiles(id);
  if (matrix === null) return null;
  const open = <OpenKernels kernels={kernels} />;
  return (
    <Landmark className="column shrink-y tall surface" aria-labelledby={titleId}>
      <h2 id={titleId} className="visually-hidden">
        Programs on kernels
      </h2>
      {choices.length === 0 ? null : (
        <LoadToolbar {...shown} object={id} name={model.name} matrix={matrix} open={open} />
      )}
      <NotTargets kernels={kernels} />
      <WantedKernels object={id} open={open} />
      {columns.length === 0 ? (
        <NoTarget
          hasChoices={choices.length > 0}
          onAll={() => setTarget(id, choices, null, true)}
          open={open}
        />
      ) : (
        <LoadTable {...shown} object={id} model={model} matrix={matrix} selection={selection} />
      )}
    </Landmark>
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
      title="No kernel selected"
      text="Select some of the open files with types under Kernels."
      actions={<Button onClick={onAll}>Use all open files</Button>}
    />
  ) : (
    <EmptyState
      icon={icon}
      title="No kernel open"
      text="Open the BTF of the kernels that the program should run on, or drop the files on the page. Each becomes a column that says whether the programs load. Nothing is uploaded."
      actions={open}
    />
  );
}

/** Shows the kernels that the link names and that are not open. */
function WantedKernels({ object, open }: { readonly object: FileId; readonly open: ReactNode }) {
  const { wanted } = loadState.useOf(object);
  const files = useSession((state) => state.files);
  const missing = wanted.filter(
    ({ key, name }) => !files.some((file) => keyOf(file) === key || file.name === name),
  );
  if (missing.length === 0) return null;
  return (
    <div className="rigid line-below pad-row">
      <Callout
        severity="note"
        title={`This link also names ${countOf(missing.length, 'kernel')} that ${missing.length === 1 ? 'is' : 'are'} not open`}
        actions={
          <>
            {open}
            <Button onClick={() => loadState.set({ wanted: [] }, object)}>Dismiss</Button>
          </>
        }
      >
        <ul className={styles.list}>
          {missing.map(({ key, name }) => (
            <li key={key} title={`SHA-256 ${key}`}>
              <Name text={name} otherwise={key} />
            </li>
          ))}
        </ul>
      </Callout>
    </div>
  );
}

/** Shows a button that opens kernels. Each opened kernel becomes a column. */
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
        label="Kernels to load on"
        multiple
        onFiles={(files) => void open(files)}
      />
    </>
  );
}

const GROUPING_LABELS = { program: 'Program', type: 'Root type', field: 'Field' } as const;
const SHOW_LABELS = { all: 'All', changed: 'Not same', unlike: 'Targets differ' } as const;

type LoadToolbarProps = ShownLoad & {
  /** Name of the object, not escaped. */
  readonly name: string;
  readonly open: ReactNode;
};

/** Shows the choice of kernels, groups and rows, and the export to a file. */
function LoadToolbar(props: LoadToolbarProps) {
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
      <Toolbar label="Load" end={<Export name={name} shown={props} />}>
        <TargetChooser object={object} choices={choices} />
        {open}
        {matrix.records.length === 0 ? null : (
          <Labelled text="Group by">
            <Segmented
              label="Group by"
              options={GROUPING_LABELS}
              value={settings.by}
              onChange={(by) => loadState.set({ by }, object)}
            />
          </Labelled>
        )}
        {matrix.records.length === 0 ? null : <FreshSwitch />}
      </Toolbar>
      {columns.length === 0 ? null : (
        <Toolbar label="Rows of the table">
          <div className={styles.search}>
            <FoundList
              label="Filter rows"
              hint="/"
              value={settings.text}
              onChange={(text) => loadState.set({ text }, object)}
            />
          </div>
          <Labelled text="Rows">
            <Segmented
              label="Rows"
              options={SHOW_LABELS}
              value={settings.show}
              onChange={(show) => loadState.set({ show }, object)}
            />
          </Labelled>
          {counts.size === 0 ? null : (
            <div className={styles.states}>
              <ListFilter size={13} aria-hidden className={styles.icon} />
              <StateFilter
                counts={counts}
                chosen={settings.states}
                onChange={(states) => loadState.set({ states }, object)}
              />
            </div>
          )}
        </Toolbar>
      )}
    </div>
  );
}

function Export({ name, shown }: { readonly name: string; readonly shown: ShownLoad }) {
  const { columns, matrix, opened } = shown;
  const pairs = columns.flatMap((column): LoadPair[] => {
    const verdict = verdictOf(column);
    if (verdict === null || opened === null) return [];
    return [{ object: name, kernel: column.name, maps: opened.maps, verdict }];
  });
  const verdicts = {
    name: `${name}.load`,
    rows: 'programs',
    texts: {
      csv: () => [...loadCsv(pairs)].join(''),
      json: () => `${JSON.stringify(pairs.map(loadFields), null, 2)}\n`,
      md: () => `${[...loadMarkdown(pairs)].map(visible).join('\n')}\n`,
    },
  };
  const relocations = {
    name: `${name}.core`,
    rows: 'CO-RE relocations',
    texts: {
      csv: () => [...matrixCsv(matrix)].join(''),
      json: () => matrixJson(matrix, name),
    },
  };
  return (
    <ExportMenu
      sets={[
        ...(pairs.length > 0 ? [verdicts] : []),
        ...(matrix.records.length > 0 ? [relocations] : []),
      ]}
      isDisabled={columns.length === 0}
    />
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

/** Shows a checkbox for each open file. Checked files are columns of the table. */
function TargetChooser({ object, choices }: Pick<ShownLoad, 'object' | 'choices'>) {
  // Draws again when facts about a kernel change, since facts are stored with the files.
  useSession((state) => state.files);
  const kernels = choices.filter(({ isChosen }) => isChosen);
  const chosen = kernels.length;
  const isComplete = chosen > 0 && kernels.every(({ id }) => factsOf(id).isComplete);
  const setComplete = (isOn: boolean) => {
    for (const { id } of kernels) setFacts(id, { isComplete: isOn });
  };
  return (
    <Popover.Root>
      <Popover.Trigger
        render={
          <Button isMenu>
            Kernels
            <span className="muted regular">
              {chosen} of {choices.length}
            </span>
          </Button>
        }
      />
      <Popover.Portal>
        <Popover.Positioner align="start" sideOffset={4} className={styles.positioner}>
          <Popover.Popup className={styles.popup}>
            <Popover.Title className={styles.title}>Kernels to load on</Popover.Title>
            <div className={styles.choices}>
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
            <div className="gap-2 flex line-above pad-row">
              <Checkbox isChecked={isComplete} onChange={setComplete}>
                No other module is loaded, on all of them
              </Checkbox>
            </div>
            <div className="gap-2 flex line-above pad-row">
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

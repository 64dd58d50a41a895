import { Table2 } from 'lucide-react';
import { type ReactNode, useId } from 'react';
import { worstOf } from '#analysis/libbpf/outcome.ts';
import { loadSentence } from '#analysis/load/load-sentence.ts';
import { drawnName, visible } from '#bytes/text.ts';
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
import { Checkbox } from '#ui/inputs.tsx';
import { EmptyState, Toolbar } from '#ui/Panel.tsx';
import { PopoverButton } from '#ui/PopoverButton.tsx';
import { OutcomeIcon } from '#views/parts/core/StateMark.tsx';
import { NotTargets, OpenKernels, useKernelFiles } from '#views/parts/core/TargetFrame.tsx';
import { ExportMenu } from '#views/parts/ExportMenu.tsx';
import { Name } from '#views/parts/Name.tsx';
import { countOf } from '#views/parts/number-text.ts';
import styles from './LoadPanel.module.css';
import { LoadTable } from './LoadTable.tsx';
import { type ShownLoad, setTarget, useLoad, verdictOf } from './use-load.ts';
import { ViewMenu } from './ViewMenu.tsx';

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

type LoadToolbarProps = ShownLoad & {
  /** Name of the object, not escaped. */
  readonly name: string;
  readonly open: ReactNode;
};

/** Shows on which kernels the object loads, the choice of kernels and rows, and the export. */
function LoadToolbar(props: LoadToolbarProps) {
  const { object, name, choices, columns, open } = props;
  return (
    <div>
      {columns.length === 0 ? null : <Sentence columns={columns} />}
      <Toolbar label="Load" end={<Export name={name} shown={props} />}>
        <TargetChooser object={object} choices={choices} />
        {open}
        {columns.length === 0 ? null : <ViewMenu {...props} />}
      </Toolbar>
    </div>
  );
}

/** Shows in one sentence on which kernels the object loads. */
function Sentence({ columns }: Pick<ShownLoad, 'columns'>) {
  const judged = columns.map((column) => ({
    name: column.name,
    verdict: verdictOf(column),
    isFailed: column.load?.step === 'failed',
  }));
  const known = judged.flatMap(({ verdict }) => (verdict === null ? [] : [verdict.outcome]));
  return (
    <div className={styles.summary}>
      <p className={styles.sentence}>
        {known.length === 0 ? null : <OutcomeIcon outcome={worstOf(known)} size={20} />}
        {drawnName(loadSentence(judged))}
      </p>
      <p className={styles.scope}>
        As libbpf 1.8 loads it, up to what the verifier finds for certain. Permissions and limits
        are not checked.
      </p>
    </div>
  );
}

function Export({ name, shown }: { readonly name: string; readonly shown: ShownLoad }) {
  const { columns, matrix, opened, settings } = shown;
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
        ...(settings.withRecords && matrix.records.length > 0 ? [relocations] : []),
      ]}
      isDisabled={columns.length === 0}
    />
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
    <PopoverButton
      text="Kernels"
      note={`${chosen} of ${choices.length}`}
      title="Kernels to load on"
    >
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
    </PopoverButton>
  );
}

import { useMemo, useState } from 'react';
import type { AtlasSummary } from '#analysis/atlas/atlas-names.ts';
import type { NameHistory } from '#analysis/atlas/history.ts';
import {
  historyCells,
  historyColumns,
  historyRows,
  KERNEL_ORDERS,
} from '#analysis/atlas/history-grid.ts';
import { visible } from '#bytes/text.ts';
import { useAnswer } from '#store/session/hooks.ts';
import type { FileId } from '#store/session/session.ts';
import { Landmark } from '#ui/aria.tsx';
import { Button } from '#ui/Button.tsx';
import { Callout } from '#ui/Callout.tsx';
import type { CellPlace } from '#ui/CellGrid.tsx';
import { grouped } from '#ui/grouped.ts';
import { Checkbox, Segmented } from '#ui/inputs.tsx';
import { EmptyState, Toolbar } from '#ui/Panel.tsx';
import { FoundList, useFilter } from '#ui/SearchBox.tsx';
import { DetailHeading } from '#views/parts/DetailSection.tsx';
import { CHANGES, changeOf } from '#views/parts/history/history-cells.ts';
import { countOf } from '#views/parts/number-text.ts';
import { CellDetail } from './CellDetail.tsx';
import { type AnswerTones, HistoryGrid } from './HistoryGrid.tsx';
import type { Entry } from './HistoryView.tsx';
import styles from './NameHistoryPart.module.css';
import { EntryBadge } from './NamesPane.tsx';
import { historyState } from './state.ts';

type NameHistoryPartProps = {
  readonly fileId: FileId;
  readonly atlas: AtlasSummary;
  readonly entry: Entry;
  readonly onBack: () => void;
  readonly onKernels: () => void;
};

/** Shows one name in all kernels. */
export function NameHistoryPart(props: NameHistoryPartProps) {
  const { fileId, entry } = props;
  const answer = useAnswer(fileId, 'atlasHistory', entry);
  if (answer.step === 'failed') {
    return (
      <Callout severity="error" title={visible(answer.issue.message)}>
        {visible(answer.issue.advice ?? '')}
      </Callout>
    );
  }
  if (answer.step === 'waiting') return null;
  if (answer.value === null) {
    return (
      <EmptyState
        title={`No kernel has ${visible(entry.name)}`}
        text="The name is in no kernel of this atlas."
        actions={<Button onClick={props.onKernels}>Show the kernels</Button>}
      />
    );
  }
  return <Parts {...props} history={answer.value} />;
}

/** Shows the forms of a name, or the attach points of a function. */
function Parts(props: HistoryPictureProps) {
  const { fileId, history } = props;
  const { part } = historyState.useOf(fileId);
  return history.kind === 'func' && part === ATTACH ? (
    <AttachPoints {...props} />
  ) : (
    <HistoryPicture {...props} />
  );
}

const ATTACH = 'attach';

function AttachPoints(props: HistoryPictureProps) {
  const { fileId, history } = props;
  const answer = useAnswer(fileId, 'atlasAttach', { name: history.name });
  if (answer.step === 'failed') {
    return <Callout severity="error" title={visible(answer.issue.message)} />;
  }
  if (answer.step === 'waiting') return null;
  return (
    <HistoryPicture
      {...props}
      history={answer.value ?? history}
      answers={answer.value === null ? undefined : ANSWERS}
    />
  );
}

/** Colour of each answer about attaching a kind of program. */
const ANSWERS: AnswerTones = { traceable: 'ok', refused: 'danger', undecided: 'warning' };

const ORDER_WORDS = { arch: 'By architecture', version: 'By version' } as const;

const PART_WORDS = { forms: 'Prototype', [ATTACH]: 'Attach points' } as const;

type HistoryPictureProps = NameHistoryPartProps & {
  readonly history: NameHistory;
  /** Colours of answers, if the items are answers; absent for items of the name itself. */
  readonly answers?: AnswerTones | undefined;
};

function HistoryPicture(props: HistoryPictureProps) {
  const { fileId, atlas, history, answers, onBack, onKernels } = props;
  const { kind, name, forms } = history;
  const { kernels } = atlas;
  const { order: wantedOrder, each, item, kernel: wanted } = historyState.useOf(fileId);
  const order = KERNEL_ORDERS.find((name) => name === wantedOrder) ?? 'arch';
  const isFolded = each === null;
  const { query, box } = useFilter();
  const [isOnlyChanged, setOnlyChanged] = useState(false);
  const columns = useMemo(
    () => historyColumns(kernels, forms, { order, isFolded }),
    [kernels, forms, order, isFolded],
  );
  const allRows = useMemo(() => historyRows(forms), [forms]);
  const cellAt = useMemo(() => historyCells(forms, columns), [forms, columns]);
  const rows = useMemo(() => {
    const isChanged = (row: string) => columns.some((_, at) => changeOf(cellAt(row, at).state));
    return allRows.filter(
      (row) =>
        row.toLowerCase().includes(query.toLowerCase()) && (!isOnlyChanged || isChanged(row)),
    );
  }, [allRows, columns, cellAt, query, isOnlyChanged]);
  const kernel = kernels.findIndex((one) => one.name === wanted);
  const column = columns.findIndex((one) => one.kernels.includes(kernel));
  const line = item === null ? -1 : rows.indexOf(item);
  const active =
    item === null && wanted === null ? null : { line: Math.max(0, line), column: column + 1 };
  const count = forms.reduce((sum, form) => sum + form.kernels.length, 0);
  const choose = ({ line: at, column: to }: CellPlace) => {
    const first = columns[to - 1]?.kernels[0] ?? -1;
    historyState.set({ item: rows[at] ?? null, kernel: kernels[first]?.name ?? null }, fileId);
  };
  return (
    <Landmark className="column tall surface" aria-label={`History of ${visible(name)}`}>
      <div className={styles.heading}>
        <DetailHeading
          title={kind === 'func' ? name : `${kind} ${name}`}
          badge={<EntryBadge kind={kind} />}
          back="Names"
          hasCards={false}
          facts={[
            { term: 'In', value: `${grouped(count)} of ${countOf(kernels.length, 'kernel')}` },
            { term: 'Forms', value: forms.length },
          ]}
          actions={<Button onClick={onKernels}>All kernels</Button>}
          isFocused={false}
          onBack={onBack}
        />
      </div>
      <Toolbar label="Columns" end={<Legend answers={answers} />}>
        {kind === 'func' ? (
          <Segmented
            label="Part"
            options={PART_WORDS}
            value={answers === undefined ? 'forms' : ATTACH}
            onChange={(next) =>
              historyState.set({ part: next === ATTACH ? next : null, item: null }, fileId)
            }
          />
        ) : null}
        <div className={styles.search}>
          <FoundList
            label={answers === undefined ? 'Filter members' : 'Filter kinds of programs'}
            {...box}
            found={rows.length === allRows.length ? '' : `${rows.length} of ${allRows.length}`}
          />
        </div>
        <Checkbox isChecked={isOnlyChanged} onChange={setOnlyChanged}>
          Only what changes
        </Checkbox>
        <Segmented
          label="Order of kernels"
          options={ORDER_WORDS}
          value={order}
          onChange={(next) => historyState.set({ order: next === 'arch' ? null : next }, fileId)}
        />
        <Checkbox
          isChecked={isFolded}
          onChange={(isOn) => historyState.set({ each: isOn ? null : '1' }, fileId)}
        >
          Fold kernels that are alike
        </Checkbox>
      </Toolbar>
      <div className={styles.grid}>
        <HistoryGrid
          kernels={kernels}
          forms={forms}
          rows={rows}
          columns={columns}
          cellAt={cellAt}
          answers={answers}
          active={active}
          onActive={choose}
        />
      </div>
      <CellDetail
        fileId={fileId}
        kernels={kernels}
        history={history}
        columns={columns}
        item={line < 0 ? null : item}
        column={column < 0 ? null : column}
      />
    </Landmark>
  );
}

function Legend({ answers }: { readonly answers: AnswerTones | undefined }) {
  const tones =
    answers === undefined
      ? Object.values(CHANGES)
      : Object.entries(answers).map(([word, tone]) => ({ tone, word }));
  return (
    <ul className={styles.legend} aria-label="Legend">
      {tones.map(({ tone, word }) => (
        <li key={word} className="row gap-1">
          <span className={styles.swatch} data-tone={tone} aria-hidden />
          {word}
        </li>
      ))}
    </ul>
  );
}

import { type ReactNode, useMemo, useState } from 'react';
import { lineAt } from '#analysis/code/source-lines.ts';
import type { LoadData } from '#analysis/libbpf/open.ts';
import { slotPlace } from '#analysis/libbpf/program-parts.ts';
import type { Need, Use } from '#analysis/needs/need.ts';
import { decidingNeeds, type Needs } from '#analysis/needs/needs.ts';
import { drawnName } from '#bytes/text.ts';
import { coreIndex } from '#model/ids.ts';
import type { ObjectModel } from '#model/object-model.ts';
import type { Selection } from '#model/selection.ts';
import {
  kernelsSentence,
  needsSentence,
  needText,
  placeText,
  sinceText,
  sourceText,
} from '#print/needs-text.ts';
import { select } from '#store/address/navigation.ts';
import { openedObject } from '#store/kernels/load-results.ts';
import { type KernelNeeds as OnKernel, useNeedsOnKernels } from '#store/kernels/needs-results.ts';
import { type Active, useAnswer, useAsync } from '#store/session/hooks.ts';
import type { FileId } from '#store/session/session.ts';
import type { ViewName } from '#store/session/views.ts';
import { ProgressBar } from '#ui/bars.tsx';
import { Callout } from '#ui/Callout.tsx';
import { KeyValue, type KeyValueItem } from '#ui/KeyValue.tsx';
import { EmptyState, Panel } from '#ui/Panel.tsx';
import { Split } from '#ui/Split.tsx';
import { column, type RowColumn, rowColumns } from '#ui/table-columns.ts';
import { VirtualTable } from '#ui/VirtualTable.tsx';
import { OutcomeIcon } from '#views/parts/core/StateMark.tsx';
import { DetailSection } from '#views/parts/DetailSection.tsx';
import { Name } from '#views/parts/Name.tsx';
import { countOf } from '#views/parts/number-text.ts';
import { CellLink } from '#views/parts/TypeLink.tsx';
import styles from './KernelNeeds.module.css';

/** Shows the oldest Linux that has all that the object uses, what decides it, and open kernels. */
export function KernelNeeds({ active }: { readonly active: Active }) {
  const { id, model } = active;
  const answer = useAnswer(id, 'needs', null);
  const opened = useAsync<LoadData | null>(model, async (put) => put(await openedObject(id)));
  if (answer.step === 'failed') {
    return (
      <Callout severity="error" title="The needs of the object could not be worked out">
        {drawnName(answer.issue.message)}
      </Callout>
    );
  }
  if (answer.step === 'waiting') {
    return (
      <div className="pad-3">
        <ProgressBar label="Reading the object" fraction={null} />
      </div>
    );
  }
  return answer.value === null ? (
    <EmptyState title="No needs" text="The file is no BPF object: it has no programs or maps." />
  ) : (
    <NeedsOfObject id={id} model={model} needs={answer.value} opened={opened} />
  );
}

type NeedsOfObjectProps = {
  readonly id: FileId;
  readonly model: ObjectModel;
  readonly needs: Needs;
  /** The object as libbpf opens it, with the places of its programs; null until it is there. */
  readonly opened: LoadData | null;
};

export function NeedsOfObject({ id, model, needs, opened }: NeedsOfObjectProps) {
  const rows = useMemo(() => needRows(needs), [needs]);
  const [clicked, setClicked] = useState<string | null>(null);
  const kernels = useNeedsOnKernels(id, needs);
  const columns = useMemo(
    () => rowColumns((index) => rows[index], needColumns(opened)),
    [rows, opened],
  );
  const at = rows.findIndex(
    (row) => row.row === 'need' && (clicked === null || keyOf(row.need) === clicked),
  );
  const shown = rows[at];
  const choose = (index: number) => {
    const row = rows[index];
    if (row?.row === 'need') setClicked(keyOf(row.need));
  };
  return (
    <Split
      label="Resize the list of needs"
      firstSize={64}
      minFirst={240}
      minSecond={220}
      first={
        <div className="stack tall head-and-body surface">
          <div className={styles.answer}>
            <p className={styles.sentence}>{drawnName(needsSentence(needs))}</p>
            {needs.needsBtf ? <p>libbpf needs the BTF of the kernel.</p> : null}
            <p className="small muted pretty">
              By the features that the object uses. Load has the other reasons why a kernel refuses
              it.
            </p>
          </div>
          <VirtualTable
            label="Needs of the object"
            isInOrder
            columns={columns}
            count={rows.length}
            rowHeight={26}
            selectedIndex={at < 0 ? null : at}
            scrollToIndex={clicked === null || at < 0 ? null : at}
            onSelect={choose}
            onActivate={(index) => {
              const row = rows[index];
              const [use] = row?.row === 'need' ? row.need.uses : [];
              const goal = use === undefined ? null : goalOf(opened, use);
              if (goal !== null) goTo(goal);
            }}
            emptyText="Every kernel with BPF has all that the object uses"
          />
        </div>
      }
      second={
        <Panel title="Kernels and uses">
          <Kernels kernels={kernels} onNeed={(need) => setClicked(keyOf(need))} />
          {shown?.row === 'need' ? (
            <NeedDetail model={model} opened={opened} need={shown.need} />
          ) : null}
        </Panel>
      }
    />
  );
}

/** Row of the list: the title of a group, or a need. */
type NeedRow =
  | { readonly row: 'group'; readonly title: string; readonly count: number }
  | { readonly row: 'need'; readonly need: Need };

/** Returns the needs in groups: what decides the version comes first. */
export function needRows(needs: Needs): NeedRow[] {
  const deciding = new Set(decidingNeeds(needs));
  const groups: readonly (readonly [string, readonly Need[]])[] = [
    ['No kernel has', needs.never],
    ['Decides the version', [...deciding]],
    ['Also needed', needs.required.filter((need) => !deciding.has(need))],
    ['Depends on the kernel', needs.undecided],
    ['Optional: behind a guard, or not loaded by default', needs.optional],
  ];
  return groups.flatMap(([title, list]): NeedRow[] =>
    list.length === 0
      ? []
      : [
          { row: 'group', title, count: list.length },
          ...list.map((need): NeedRow => ({ row: 'need', need })),
        ],
  );
}

function keyOf({ kind, by, name }: Need): string {
  return `${kind} ${by} ${name}`;
}

function needColumns(opened: LoadData | null): RowColumn<NeedRow>[] {
  const ofNeed = (draw: (need: Need) => ReactNode) => (row: NeedRow) =>
    row.row === 'need' ? draw(row.need) : null;
  return [
    column('need', 'Need', 200, (row) => <NeedCell row={row} />, { grow: 3 }),
    column(
      'since',
      'Linux',
      96,
      ofNeed(({ since }) => (since === null ? null : sinceText(since))),
    ),
    column(
      'uses',
      'Used by',
      180,
      ofNeed((need) => <FirstUse opened={opened} need={need} />),
      { grow: 3 },
    ),
    column(
      'source',
      'Source',
      120,
      ofNeed(({ since }) => {
        const text = since === null ? '' : drawnName(sourceText(since));
        return <span title={text}>{text}</span>;
      }),
      { grow: 2 },
    ),
  ];
}

function NeedCell({ row }: { readonly row: NeedRow }) {
  if (row.row === 'group') {
    return (
      <span className={styles.group} title={row.title}>
        {row.title} <span className="muted regular">{row.count}</span>
      </span>
    );
  }
  const text = drawnName(needText(row.need));
  return <span title={text}>{text}</span>;
}

type FirstUseProps = { readonly opened: LoadData | null; readonly need: Need };

function FirstUse({ opened, need: { uses } }: FirstUseProps) {
  const [first, ...more] = uses;
  if (first === undefined) return null;
  return (
    <span className="row gap-2">
      <UseLink opened={opened} use={first} />
      {more.length === 0 ? null : <span className="rigid muted">and {more.length} more</span>}
    </span>
  );
}

/** Shows a place that needs something, as a link to the instruction, program or map. */
function UseLink({ opened, use }: { readonly opened: LoadData | null; readonly use: Use }) {
  const text = drawnName(placeText(use));
  const goal = goalOf(opened, use);
  if (goal === null) return <span title={text}>{text}</span>;
  return (
    <CellLink className={styles.link} title={text} onClick={() => goTo(goal)}>
      {text}
    </CellLink>
  );
}

type Goal = { readonly selection: Selection; readonly view: ViewName };

function goTo({ selection, view }: Goal): void {
  select(selection, view);
}

/** Returns what the link of a use selects, and in which view; null for the whole object. */
function goalOf(opened: LoadData | null, { program, map, insn }: Use): Goal | null {
  if (opened === null) return null;
  if (map !== null) {
    const selection = opened.maps.find(({ name }) => name === map)?.selection ?? null;
    return selection === null ? null : { selection, view: 'data' };
  }
  const of = opened.programs.find(({ name }) => name === program);
  const place = of === undefined ? null : slotPlace(of.load.parts, insn ?? 0);
  return place === null ? null : { selection: { kind: 'insn', ...place }, view: 'code' };
}

/** Maximum number of uses and of records that are drawn. */
const MAX_SHOWN = 100;

type UsePlaces = Pick<NeedsOfObjectProps, 'model' | 'opened'>;
type NeedDetailProps = UsePlaces & { readonly need: Need };

/** Shows since when Linux has something, and all places of the object that need it. */
function NeedDetail({ model, opened, need }: NeedDetailProps) {
  const { since, uses, records } = need;
  const items: KeyValueItem[] = [
    {
      term: 'Linux',
      value: since === null ? 'depends on the kernel, not on its version' : sinceText(since),
    },
    ...(since === null ? [] : [{ term: 'Source', value: drawnName(sourceText(since)) }]),
  ];
  return (
    <>
      <DetailSection title={drawnName(needText(need))}>
        <KeyValue items={items} />
      </DetailSection>
      {uses.some((use) => placeText(use) !== '') ? (
        <DetailSection title="First use in each program and map">
          <ul className={styles.kernels}>
            {uses.slice(0, MAX_SHOWN).map((use) => (
              <li key={placeText(use)} className={styles.use}>
                <UseLink opened={opened} use={use} />
                <SourceText model={model} opened={opened} use={use} />
              </li>
            ))}
          </ul>
          <More count={uses.length} noun="use" />
        </DetailSection>
      ) : null}
      {records.length === 0 ? null : (
        <DetailSection title="CO-RE relocations">
          <ul className="wrapping gap-2">
            {records.slice(0, MAX_SHOWN).map((record) => (
              <li key={record}>
                <CellLink
                  className={styles.link}
                  onClick={() =>
                    select({ kind: 'core', core: coreIndex(record), step: null }, 'core')
                  }
                >
                  relo #{model.ext.core.indexInSection[record]}
                </CellLink>
              </li>
            ))}
          </ul>
          <More count={records.length} noun="relocation" />
        </DetailSection>
      )}
    </>
  );
}

function More({ count, noun }: { readonly count: number; readonly noun: string }) {
  return count > MAX_SHOWN ? (
    <p className="soft">and {countOf(count - MAX_SHOWN, `more ${noun}`)}</p>
  ) : null;
}

/** Shows the C line of a use, if `.BTF` has its text. */
function SourceText({ model, opened, use }: UsePlaces & { readonly use: Use }) {
  const goal = use.insn === null ? null : goalOf(opened, use);
  if (goal?.selection.kind !== 'insn') return null;
  const { section, insnOff } = goal.selection;
  const text = lineAt(model, section, insnOff)?.text.trim() ?? '';
  return text === '' ? null : <code className="break">{drawnName(text)}</code>;
}

type KernelsProps = {
  readonly kernels: readonly OnKernel[];
  readonly onNeed: (need: Need) => void;
};

/** Shows which of the open kernels have all that the object needs. */
function Kernels({ kernels, onNeed }: KernelsProps) {
  const answers = kernels.flatMap(({ task }) => (task?.step === 'ready' ? [task.value] : []));
  return (
    <DetailSection title="Open kernels">
      {kernels.length === 0 ? (
        <p className="soft pretty">
          Open the BTF of kernels to see which of them have all that the object needs.
        </p>
      ) : null}
      {answers.length === 0 ? null : <p>{drawnName(kernelsSentence(answers))}</p>}
      <ul className={styles.kernels}>
        {kernels.map(({ id, name, task }) => (
          <li key={id} className={styles.kernel}>
            <KernelLine name={name} task={task} onNeed={onNeed} />
          </li>
        ))}
      </ul>
    </DetailSection>
  );
}

type KernelLineProps = Pick<OnKernel, 'name' | 'task'> & Pick<KernelsProps, 'onNeed'>;

function KernelLine({ name, task, onNeed }: KernelLineProps) {
  if (task?.step !== 'ready') {
    return (
      <>
        <Name text={name} />
        <span className="muted">
          {task?.step === 'failed' ? drawnName(task.issue.message) : 'not read yet'}
        </span>
      </>
    );
  }
  const { lacks, unknown } = task.value;
  const [outcome, words, list] =
    lacks.length > 0
      ? (['fails', 'lacks', lacks] as const)
      : unknown.length > 0
        ? (['may-fail', 'not known:', unknown] as const)
        : (['loads', 'has all', []] as const);
  return (
    <>
      <OutcomeIcon outcome={outcome} size={13} />
      <span className="medium">
        <Name text={name} />
      </span>
      <span>{words}</span>
      {list.slice(0, MAX_SHOWN).map((need) => (
        <CellLink key={keyOf(need)} className={styles.link} onClick={() => onNeed(need)}>
          {drawnName(needText(need))}
        </CellLink>
      ))}
      <More count={list.length} noun="need" />
    </>
  );
}

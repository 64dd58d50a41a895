import { useEffect, useMemo, useState } from 'react';
import { coreObjectOf } from '#analysis/core/core-records.ts';
import { type CoreMatrix, coreMatrix, type MatrixColumn } from '#analysis/core/matrix/matrix.ts';
import type { LoadVerdict } from '#analysis/libbpf/load.ts';
import type { LoadData } from '#analysis/libbpf/open.ts';
import { verdictKey } from '#analysis/load/equal-answers.ts';
import { compareKernels, shortKernelNames } from '#analysis/load/kernel-names.ts';
import { type LoadTable, loadTable } from '#analysis/load/load-table.ts';
import { isBpf, type ObjectModel } from '#model/object-model.ts';
import {
  type CoreTask,
  coreOutcome,
  resolveCore,
  useCoreOutcomes,
} from '#store/kernels/core-results.ts';
import {
  type LoadSettings,
  loadState,
  type TargetChoice,
  targetChoices,
  useFreshCandidates,
} from '#store/kernels/core-view.ts';
import { factsOf } from '#store/kernels/kernel-facts.ts';
import {
  judgePair,
  type LoadTask,
  loadOutcome,
  openedObject,
  useLoadOutcomes,
} from '#store/kernels/load-results.ts';
import { useAsync } from '#store/session/hooks.ts';
import { announce, type FileId, session, useSession } from '#store/session/session.ts';
import { countOf } from '#views/parts/number-text.ts';

export type TargetColumn = {
  readonly id: FileId;
  /** Name of the kernel, not escaped. */
  readonly name: string;
  /** Version of the kernel, or as much of its name as tells it apart; not escaped. */
  readonly shortName: string;
  /** Task that resolves the CO-RE records on the kernel; null until it starts. */
  readonly outcome: CoreTask | null;
  /** Task that simulates the loading on the kernel; null until it starts. */
  readonly load: LoadTask | null;
};

type OpenLoad = {
  readonly choices: readonly TargetChoice[];
  readonly columns: readonly TargetColumn[];
  /** Results of the CO-RE records by column; null for an object without types. */
  readonly matrix: CoreMatrix | null;
  /** The object after libbpf has opened it; null if there is none yet. */
  readonly opened: LoadData | null;
  /** Results of the programs by column; null before libbpf has opened the object. */
  readonly table: LoadTable | null;
  readonly settings: LoadSettings;
};

/** All data that the table shows. */
export type ShownLoad = OpenLoad & { readonly object: FileId; readonly matrix: CoreMatrix };

/** Number of kernels that are resolved at a time. More would slow each other down. */
const AT_ONCE = 4;

/** Returns the columns of the table. Requests missing results unless the user has stopped them. */
export function useLoad(object: FileId, model: ObjectModel): OpenLoad {
  const kept = loadState.useOf(object);
  // Other files than BPF objects have no programs, only CO-RE records.
  const settings = useMemo(
    () => (isBpf(model) ? kept : { ...kept, withRecords: true }),
    [kept, model],
  );
  const fresh = useFreshCandidates();
  const files = useSession((state) => state.files);
  const outcomes = useCoreOutcomes();
  const verdicts = useLoadOutcomes();
  const opened = useAsync<LoadData | null>(model, async (put) => put(await openedObject(object)));
  const local = useMemo(() => localOf(model), [model]);
  const choices = useMemo(
    () => targetChoices(object, files, settings.targets),
    [object, files, settings.targets],
  );
  const columns = useMemo(() => {
    const chosen = choices.filter(({ isChosen }) => isChosen);
    const shortNames = shortKernelNames(chosen.map(({ name }) => name));
    const unordered = chosen.map(({ id, name }, i) => ({
      id,
      name,
      shortName: shortNames[i] ?? name,
      outcome: coreOutcome(outcomes, { object, target: id, fresh }),
      load: loadOutcome(verdicts, { object, kernel: id }),
    }));
    return unordered.toSorted((a, b) => compareKernels(agedOf(a), agedOf(b)));
  }, [object, choices, outcomes, verdicts, fresh]);
  const resolved = useUnchanged(
    columns.map(resultsOf),
    (a, b) => a.name === b.name && a.results === b.results,
  );
  const matrix = useMemo(
    () => (local === null ? null : coreMatrix(local, resolved)),
    [local, resolved],
  );
  const judged = useUnchanged(columns.map(verdictOf), Object.is);
  const table = useMemo(
    () => (opened === null ? null : loadTable(opened, judged)),
    [opened, judged],
  );
  useWork({ object, columns, fresh, settings, opened, local });
  return { choices, columns, matrix, opened, table, settings };
}

function agedOf({ id, name, load }: TargetColumn) {
  const from = load?.step === 'ready' ? load.value.from : null;
  return { name, release: factsOf(id).release, from };
}

/** Neighbouring kernels with equal results, in one column of the table. */
export type ColumnGroup = {
  /** Index of the first kernel in the columns. */
  readonly first: number;
  /** The kernels of the group; at least one. */
  readonly columns: readonly TargetColumn[];
};

/** Returns the columns of the table: neighbours with equal verdicts share one, unless unfolded. */
export function foldColumns(
  columns: readonly TargetColumn[],
  { foldsKernels, withRecords, unfolded }: LoadSettings,
): readonly ColumnGroup[] {
  const runs: { first: number; key: string | null; columns: TargetColumn[] }[] = [];
  for (const [first, column] of columns.entries()) {
    const verdict = verdictOf(column);
    const isFoldable = foldsKernels && !withRecords && verdict !== null;
    const key = isFoldable ? verdictKey(verdict) : null;
    const run = runs.at(-1);
    if (run !== undefined && key !== null && run.key === key) run.columns.push(column);
    else runs.push({ first, key, columns: [column] });
  }
  return runs.flatMap(({ first, columns: own }) => {
    const [start] = own;
    return start !== undefined && unfolded.has(start.id)
      ? own.map((column, at) => ({ first: first + at, columns: [column] }))
      : [{ first, columns: own }];
  });
}

type Local = Parameters<typeof coreMatrix>[0];

/** Returns the object with its CO-RE records; null if it has no types. */
function localOf(model: ObjectModel): Local | null {
  const { types } = model;
  return coreObjectOf(model, () => null) ?? (types === null ? null : { types, records: [] });
}

/** Returns the previous array while its items are the same, so that progress redraws no row. */
function useUnchanged<T>(items: readonly T[], isSame: (a: T, b: T) => boolean): readonly T[] {
  const [previous, setPrevious] = useState(items);
  const isUnchanged =
    previous.length === items.length &&
    items.every((item, i) => {
      const before = previous[i];
      return before !== undefined && isSame(item, before);
    });
  if (!isUnchanged) setPrevious(items);
  return isUnchanged ? previous : items;
}

function resultsOf({ name, outcome }: TargetColumn): MatrixColumn {
  return { name, results: outcome?.step === 'ready' ? outcome.value : null };
}

/** Returns the load result of a column; null if there is none yet. */
export function verdictOf({ load }: Pick<TargetColumn, 'load'>): LoadVerdict | null {
  return load?.step === 'ready' ? load.value.verdict : null;
}

type Work = Pick<OpenLoad, 'columns' | 'settings' | 'opened'> & {
  readonly object: FileId;
  readonly fresh: boolean;
  readonly local: Local | null;
};

function useWork({ object, columns, fresh, settings, opened, local }: Work): void {
  const { stopped } = settings;
  const isOpened = opened !== null;
  const hasRecords = settings.withRecords && local !== null && local.records.length > 0;
  useEffect(() => {
    if (stopped) return;
    // Simulate loading first: it is fast, and it finds the modules in attached files.
    for (const { id, load } of columns) {
      if (isOpened && load === null) void judgePair({ object, kernel: id });
    }
    if (!hasRecords) return;
    const running = columns.filter(({ outcome }) => outcome?.step === 'running').length;
    const waiting = columns.filter(
      ({ outcome, load }) =>
        outcome === null && (!isOpened || (load !== null && load.step !== 'running')),
    );
    for (const { id } of waiting.slice(0, Math.max(0, AT_ONCE - running))) {
      void resolveCore({ object, target: id, fresh });
    }
  }, [object, columns, fresh, stopped, isOpened, hasRecords]);

  const steps = columns.map((column) => taskOf(column, hasRecords)?.step ?? 'running');
  const isDone = steps.length > 0 && !steps.includes('running');
  const ready = steps.filter((step) => step === 'ready').length;
  useEffect(() => {
    if (!isDone) return;
    const all = countOf(columns.length, hasRecords ? 'target' : 'kernel');
    const count = ready === columns.length ? all : `${ready} of ${all}`;
    const status = `${hasRecords ? 'Resolved against' : 'Judged on'} ${count}`;
    announce(status);
    // The status line describes this view: clear it when the view is left.
    return () => {
      if (session.getState().status === status) announce('');
    };
  }, [isDone, ready, columns.length, hasRecords]);
}

/** Returns the task that takes longer: CO-RE if the table has records, else loading. */
export function taskOf(column: TargetColumn, hasRecords: boolean): CoreTask | LoadTask | null {
  return hasRecords ? column.outcome : column.load;
}

/** Returns the progress of one column, from 0 to 1. */
export function columnFraction(outcome: CoreTask | LoadTask | null): number {
  if (outcome === null) return 0;
  if (outcome.step !== 'running') return 1;
  return outcome.total === 0 ? 0 : outcome.done / outcome.total;
}

/** Returns the progress of all columns, from 0 to 1. Without columns it is 1. */
export function doneFraction(outcomes: readonly (CoreTask | LoadTask | null)[]): number {
  if (outcomes.length === 0) return 1;
  return outcomes.reduce((sum, outcome) => sum + columnFraction(outcome), 0) / outcomes.length;
}

/** Adds a kernel to the table or removes it; `null` stands for all kernels. */
export function setTarget(
  object: FileId,
  choices: readonly TargetChoice[],
  target: FileId | null,
  isChosen: boolean,
): void {
  const targets = choices.map(({ id, isChosen: was }) => {
    const isMeant = target === null || id === target;
    return [id, isMeant ? isChosen : was] as const;
  });
  loadState.set({ targets: new Map(targets) }, object);
}

import { useEffect, useMemo, useState } from 'react';
import { coreObjectOf } from '#analysis/core/core-records.ts';
import { type CoreMatrix, coreMatrix, type MatrixColumn } from '#analysis/core/matrix/matrix.ts';
import type { LoadVerdict } from '#analysis/libbpf/load.ts';
import type { LoadData } from '#analysis/libbpf/open.ts';
import { type LoadTable, loadTable } from '#analysis/load/load-table.ts';
import type { ObjectModel } from '#model/object-model.ts';
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
  /** Name of the kernel without the parts that all kernels share; not escaped. */
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
  const settings = loadState.useOf(object);
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
    const shortNames = columnNames(chosen.map(({ name }) => name));
    return chosen.map(({ id, name }, i) => ({
      id,
      name,
      shortName: shortNames[i] ?? name,
      outcome: coreOutcome(outcomes, { object, target: id, fresh }),
      load: loadOutcome(verdicts, { object, kernel: id }),
    }));
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
  const hasRecords = local !== null && local.records.length > 0;
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
    const all = countOf(columns.length, 'target');
    const status = `Resolved against ${ready === columns.length ? all : `${ready} of ${all}`}`;
    announce(status);
    // The status line describes this view: clear it when the view is left.
    return () => {
      if (session.getState().status === status) announce('');
    };
  }, [isDone, ready, columns.length]);
}

/** Returns the task that takes longer: CO-RE if the object has records, else loading. */
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

const ENDING = /\.(?:btf|ko|elf|o)(?:\.[a-z0-9]{1,4})?$/i;
const BREAK = /[-_.\s]/;

/** Shortens names by their extension and their common start, unless two would become equal. */
export function columnNames(names: readonly string[]): string[] {
  const bare = names.map((name) => name.replace(ENDING, '') || name);
  const start = sharedWords(bare);
  const short = bare.map((name) => name.slice(start));
  return new Set(short).size === new Set(names).size ? short : [...names];
}

/** Returns the length of the start that all names share: whole words, and no digit. */
function sharedWords(names: readonly string[]): number {
  const [first, ...others] = names;
  if (first === undefined || others.length === 0) return 0;
  // The kernel version begins at the first digit and is never cut.
  const version = first.search(/\d/);
  const most = Math.min(version < 0 ? Infinity : version, ...names.map(({ length }) => length - 1));
  let shared = 0;
  while (shared < most && others.every((name) => name[shared] === first[shared])) shared++;
  while (shared > 0 && !BREAK.test(first[shared - 1] ?? '')) shared -= 1;
  return shared;
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

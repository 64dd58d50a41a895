/** The matrix of an object as it stands: its columns as they fill, and the work that fills them. */
import { useEffect, useMemo, useState } from 'react';
import { coreObjectOf } from '#analysis/core/core-records.ts';
import { type CoreMatrix, coreMatrix, type MatrixColumn } from '#analysis/core/matrix/matrix.ts';
import type { ObjectModel } from '#model/object-model.ts';
import { type CoreTask, coreOutcome, resolveCore, useCoreOutcomes } from '#store/core-results.ts';
import { type MatrixSettings, matrixState, useFreshCandidates } from '#store/core-view.ts';
import {
  announce,
  type FileId,
  modelOf,
  type OpenFile,
  session,
  useSession,
} from '#store/session.ts';
import { countOf } from '#views/parts/number-text.ts';

export type TargetChoice = {
  readonly id: FileId;
  /** Raw text. */
  readonly name: string;
  readonly typeCount: number;
  readonly isChosen: boolean;
};

export type TargetColumn = {
  readonly id: FileId;
  /** Raw text. */
  readonly name: string;
  /** What the names of the targets do not share. Raw text. */
  readonly shortName: string;
  /** null while it waits for its turn. */
  readonly outcome: CoreTask | null;
};

export type OpenMatrix = {
  readonly choices: readonly TargetChoice[];
  readonly columns: readonly TargetColumn[];
  /** Its columns are those of `columns`. null where the object has no types or records. */
  readonly matrix: CoreMatrix | null;
  readonly settings: MatrixSettings;
};

/** The matrix of an object that has types and records. */
export type ShownMatrix = OpenMatrix & { readonly object: FileId; readonly matrix: CoreMatrix };

/** Targets that are worked on at the same time: more would only slow each other down. */
const AT_ONCE = 4;

const byName = new Intl.Collator('en', { numeric: true });

/** Draws again as columns fill. Asks for what is not there yet, unless that was stopped. */
export function useMatrix(object: FileId, model: ObjectModel): OpenMatrix {
  const settings = matrixState.useOf(object);
  const fresh = useFreshCandidates();
  const files = useSession((state) => state.files);
  const outcomes = useCoreOutcomes();
  const local = useMemo(() => coreObjectOf(model, () => null), [model]);
  const choices = useMemo(
    () => choicesOf(object, files, settings.targets),
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
    }));
  }, [object, choices, outcomes, fresh]);
  const resolved = useSameColumns(columns.map(resultsOf));
  const matrix = useMemo(
    () => (local === null ? null : coreMatrix(local, resolved)),
    [local, resolved],
  );
  useWork(object, columns, fresh, settings.stopped);
  return { choices, columns, matrix, settings };
}

/** Every other open file with types, by name; kernels and blobs are in unless somebody took them out. */
function choicesOf(
  object: FileId,
  files: readonly OpenFile[],
  said: ReadonlyMap<FileId, boolean>,
): TargetChoice[] {
  const choices: TargetChoice[] = [];
  for (const file of files) {
    const model = modelOf(file);
    if (file.id === object || model?.types == null) continue;
    const isKernel = model.ext.core.count === 0;
    choices.push({
      id: file.id,
      name: file.name,
      typeCount: model.types.count,
      isChosen: said.get(file.id) ?? isKernel,
    });
  }
  return choices.sort((a, b) => byName.compare(a.name, b.name) || a.id - b.id);
}

/** The columns before where their results are the same: progress alone draws no row anew. */
function useSameColumns(columns: readonly MatrixColumn[]): readonly MatrixColumn[] {
  const [kept, keep] = useState(columns);
  const isSame =
    kept.length === columns.length &&
    columns.every(({ name, results }, i) => {
      const before = kept[i];
      return before?.name === name && before.results === results;
    });
  if (!isSame) keep(columns);
  return isSame ? kept : columns;
}

function resultsOf({ name, outcome }: TargetColumn): MatrixColumn {
  return { name, results: outcome?.step === 'ready' ? outcome.value : null };
}

function useWork(
  object: FileId,
  columns: readonly TargetColumn[],
  fresh: boolean,
  stopped: boolean,
): void {
  useEffect(() => {
    if (stopped) return;
    const running = columns.filter(({ outcome }) => outcome?.step === 'running').length;
    const waiting = columns.filter(({ outcome }) => outcome === null);
    for (const { id } of waiting.slice(0, Math.max(0, AT_ONCE - running))) {
      void resolveCore({ object, target: id, fresh });
    }
  }, [object, columns, fresh, stopped]);

  const isDone = columns.length > 0 && columns.every(({ outcome }) => outcome?.step === 'ready');
  useEffect(() => {
    if (!isDone) return;
    const status = `Resolved against ${countOf(columns.length, 'target')}`;
    announce(status);
    // The status is about this view, so it goes with it.
    return () => {
      if (session.getState().status === status) announce('');
    };
  }, [isDone, columns.length]);
}

/** How much is done of one column, 0 to 1. */
export function columnFraction(outcome: CoreTask | null): number {
  if (outcome === null) return 0;
  if (outcome.step !== 'running') return 1;
  return outcome.total === 0 ? 0 : outcome.done / outcome.total;
}

/** How much is done of all columns, 0 to 1; 1 where there are none. */
export function doneFraction(outcomes: readonly (CoreTask | null)[]): number {
  if (outcomes.length === 0) return 1;
  return outcomes.reduce((sum, outcome) => sum + columnFraction(outcome), 0) / outcomes.length;
}

const ENDING = /\.(?:btf|ko|elf|o)(?:\.[a-z0-9]{1,4})?$/i;
const BREAK = /[-_.\s]/;

/** Names without their ending and the words that all begin with; whole where they would be empty or alike. */
export function columnNames(names: readonly string[]): string[] {
  const bare = names.map((name) => name.replace(ENDING, '') || name);
  const start = sharedWords(bare);
  const short = bare.map((name) => name.slice(start));
  return new Set(short).size === new Set(names).size ? short : [...names];
}

/** How many characters all names share: whole words before the first digit, with something left of each name. */
function sharedWords(names: readonly string[]): number {
  const [first, ...others] = names;
  if (first === undefined || others.length === 0) return 0;
  // With it a version begins, which is what people look for: it is not torn.
  const version = first.search(/\d/);
  const most = Math.min(version < 0 ? Infinity : version, ...names.map(({ length }) => length - 1));
  let shared = 0;
  while (shared < most && others.every((name) => name[shared] === first[shared])) shared++;
  while (shared > 0 && !BREAK.test(first[shared - 1] ?? '')) shared -= 1;
  return shared;
}

/** Puts one target in or takes it out, or with null all of them; the others stay as they are. */
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
  matrixState.set({ targets: new Map(targets) }, object);
}

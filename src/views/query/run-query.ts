/** Runs queries over all open files in a separate worker, and keeps the last result. */
import { create } from 'zustand';
import type { QueryGoal } from '#analysis/query/goals.ts';
import type { QueryResult } from '#analysis/query/run-query.ts';
import type { ObjectModel } from '#model/object-model.ts';
import { select, showView } from '#store/address/navigation.ts';
import { onClosed, sourceOf } from '#store/session/files.ts';
import { activate } from '#store/session/panes.ts';
import type { RemoteFile } from '#store/session/remote-atlas.ts';
import {
  activeFile,
  announceInView,
  type FileId,
  fileById,
  modelOf,
  type Session,
  session,
} from '#store/session/session.ts';
import { applyViewState, formatViewState } from '#store/session/view-state.ts';
import { viewsOfClass } from '#store/session/views.ts';
import { type FileClient, startFileClient } from '#worker/client.ts';
import type { AskedFile } from '#worker/protocol.ts';

/** A file that is queried: its model, or the bytes of an atlas. */
type Asked = { readonly id: FileId; readonly of: ObjectModel | File | RemoteFile };

export type QueryState =
  | { readonly step: 'none' }
  /** `scanned` is the number of rows read so far. */
  | { readonly step: 'running'; readonly sql: string; readonly scanned: number }
  | {
      readonly step: 'ready';
      readonly sql: string;
      readonly result: QueryResult;
      readonly files: readonly Asked[];
      readonly milliseconds: number;
    }
  /** `why` is the reason in a sentence without a full stop. */
  | { readonly step: 'stopped'; readonly sql: string; readonly why: string };

export const useQuery = create<QueryState>(() => ({ step: 'none' }));

const MAX_SECONDS = 30;

type Running = {
  readonly client: FileClient;
  readonly remote: RemoteFile | null;
  files: readonly Asked[] | null;
};

let worker: Running | null = null;

/** Returns the files to query. A remote atlas is queried alone, so as not to reveal other files. */
export function askedFiles(state: Session): readonly Asked[] {
  const active = activeFile(state);
  const isRemote = active?.servedKey !== undefined;
  const files = isRemote ? [active] : state.files.filter((file) => file.servedKey === undefined);
  return files.flatMap((file) => {
    const of = file.status.step === 'atlas' ? sourceOf(file.id) : modelOf(file);
    return of === null ? [] : [{ id: file.id, of }];
  });
}

function sameFiles(a: readonly Asked[], b: readonly Asked[]): boolean {
  return a.length === b.length && a.every(({ of }, i) => of === b[i]?.of);
}

/** Returns true if the open files have changed since the result was computed. */
export function isOutdated(state: QueryState, now: readonly Asked[]): boolean {
  return state.step === 'ready' && !sameFiles(state.files, now);
}

/** Runs a query over all open files and stops a running one. Resolves when the query ends. */
export async function runQuery(sql: string): Promise<void> {
  if (useQuery.getState().step === 'running') endWorker();
  const files = askedFiles(session.getState());
  const remote = files.map(({ of }) => of).find(isRemoteFile) ?? null;
  if (worker !== null && worker.remote !== remote) endWorker();
  worker ??= { client: startFileClient(() => undefined, remote), remote, files: null };
  const running = worker;
  const isKnown = running.files !== null && sameFiles(running.files, files);
  running.files = files;
  useQuery.setState({ step: 'running', sql, scanned: 0 }, true);
  const started = performance.now();
  const limit = setTimeout(
    () => stopQuery(`The query took more than ${MAX_SECONDS} seconds`),
    1000 * MAX_SECONDS,
  );
  const outcome = await running.client.call(
    'query',
    { sql, files: isKnown ? null : namedFiles(files) },
    {
      onProgress: ({ done }) => {
        if (worker === running) useQuery.setState({ step: 'running', sql, scanned: done }, true);
      },
    },
  );
  clearTimeout(limit);
  if (worker !== running) return;
  if (!outcome.ok) {
    const { code, message } = outcome.issue;
    const isLost = code.startsWith('worker.');
    stopQuery(isLost ? 'The query took too much memory or time' : `The query failed: ${message}`);
    return;
  }
  const milliseconds = performance.now() - started;
  const { value: result } = outcome;
  useQuery.setState({ step: 'ready', sql, result, files, milliseconds }, true);
  announceInView(result.kind === 'rows' ? `Query: ${result.count} rows` : 'The query has an error');
}

function namedFiles(files: readonly Asked[]): AskedFile[] {
  const state = session.getState();
  return files.map(({ id, of }) => {
    const name = fileById(state, id)?.name ?? of.name;
    if (of instanceof File) return { name, atlas: of };
    return isRemoteFile(of) ? { name, atlas: { remoteSize: of.size } } : { name, model: of };
  });
}

function isRemoteFile(of: Asked['of']): of is RemoteFile {
  return 'read' in of;
}

/** Stops the running query and its worker. */
export function stopQuery(why = 'The query was stopped'): void {
  const state = useQuery.getState();
  endWorker();
  if (state.step === 'running') {
    useQuery.setState({ step: 'stopped', sql: state.sql, why }, true);
    announceInView(why);
  }
}

function endWorker(): void {
  const ended = worker;
  worker = null;
  ended?.client.close();
}

onClosed((closed) => {
  // End the worker unless a query is running, because the worker has a copy of each file.
  if (useQuery.getState().step !== 'running') endWorker();
  const isLast = session.getState().files.every(({ id }) => id === closed);
  if (isLast) {
    endWorker();
    useQuery.setState({ step: 'none' }, true);
  }
});

/** Shows the place that a cell refers to, if its file is open. An atlas opens in its first view. */
export function goToGoal(files: readonly Asked[], goal: QueryGoal): void {
  const id = files[goal.file]?.id ?? null;
  const file = fileById(session.getState(), id);
  if (id === null || file === null) return;
  activate(id);
  if ('entry' in goal) {
    const { kind, name, item, kernel } = goal.entry;
    const [view] = viewsOfClass('atlas');
    if (view === undefined) return;
    const params = new Map(formatViewState(file, view)).set('entry', `${kind}:${name}`);
    for (const [key, value] of Object.entries({ item, kernel })) {
      if (value === null) params.delete(key);
      else params.set(key, value);
    }
    applyViewState(id, view, params);
    showView(view);
    return;
  }
  const { kind } = goal.selection;
  select(
    goal.selection,
    kind === 'relocation' ? 'relocations' : kind === 'core' ? 'core' : 'types',
  );
}

import { beforeEach, expect, it } from 'vitest';
import { closeFile, openFile } from '#store/session/files.ts';
import { activate } from '#store/session/panes.ts';
import { activeFile, type FileId, fileById, session } from '#store/session/session.ts';
import { openFilesInPage } from '#testing/in-page-worker.ts';
import { sampleBytes } from '#testing/samples.ts';
import { atlasBytes } from '#testing/small-atlas.ts';
import { askedFiles, goToGoal, isOutdated, runQuery, stopQuery, useQuery } from './run-query.ts';

const open = (name: string) =>
  openFile(new File([sampleBytes(name)], name), { remember: false, isSilent: true });

beforeEach(openFilesInPage);

/** Returns the rows of the result as texts. */
function values(): string[][] {
  const state = useQuery.getState();
  if (state.step !== 'ready' || state.result.kind !== 'rows') throw new Error(state.step);
  const { columns, count } = state.result;
  return Array.from({ length: count }, (_, row) => columns.map((one) => `${one.values[row]}`));
}

function closed(...ids: readonly FileId[]): void {
  for (const id of ids) closeFile(id);
}

it('asks the files that are open when it runs, and says when others are', async () => {
  const kernel = await open('kernel.btf');
  const sql = "SELECT file FROM types WHERE name = 'task_struct' AND kind = 'struct'";
  await runQuery(sql);
  expect(values()).toEqual([['kernel.btf']]);
  const now = () => isOutdated(useQuery.getState(), askedFiles(session.getState()));
  expect(now()).toBe(false);
  // The files are not sent again, because the worker already has them.
  await runQuery(sql);
  expect(values()).toEqual([['kernel.btf']]);
  const object = await open('exec_trace.bpf.o');
  expect(now()).toBe(true);
  await runQuery(sql);
  expect(values().length).toBeGreaterThan(1);
  expect(now()).toBe(false);
  closed(object);
  expect(now()).toBe(true);
  await runQuery(sql);
  expect(values()).toEqual([['kernel.btf']]);
  closed(kernel);
  expect(useQuery.getState()).toEqual({ step: 'none' });
});

it('asks an atlas in place of its kernels, and one on the server alone', async () => {
  const kernel = await open('kernel.btf');
  const bytes = await atlasBytes({ '6.1': sampleBytes('kernel.btf') });
  const atlas = await openFile(new File([new Uint8Array(bytes)], 'k.btfatlas'), { isSilent: true });
  const sql = "SELECT file, kernel FROM types WHERE name = 'task_struct' AND kind = 'struct'";
  await runQuery(sql);
  expect(values()).toEqual([
    ['kernel.btf', 'kernel'],
    ['k.btfatlas', '6.1'],
  ]);
  const reads: [number, number][] = [];
  const remote = {
    name: 'r.btfatlas',
    key: 'at:r.btfatlas',
    size: bytes.length,
    read: (start: number, end: number) => {
      reads.push([start, end]);
      return Promise.resolve(bytes.slice(start, end));
    },
  };
  const served = await openFile(remote, { isSilent: true });
  expect(fileById(session.getState(), served)).toMatchObject({
    servedKey: 'at:r.btfatlas',
    status: { step: 'atlas' },
    sha256: null,
  });
  await runQuery(sql);
  expect(values()).toEqual([['r.btfatlas', '6.1']]);
  expect(reads.length).toBeGreaterThan(2);
  activate(kernel);
  await runQuery(sql);
  expect(values().map(([file]) => file)).toEqual(['kernel.btf', 'k.btfatlas']);
  closed(served, atlas, kernel);
});

it('goes to what a cell names, in its file, while that is open', async () => {
  const kernel = await open('kernel.btf');
  const object = await open('exec_trace.bpf.o');
  const files = askedFiles(session.getState());
  goToGoal(files, { file: 0, selection: { kind: 'type', type: 3 as never, memberPath: [1] } });
  expect(activeFile(session.getState())).toMatchObject({
    id: kernel,
    view: 'types',
    selection: { kind: 'type', type: 3, memberPath: [1] },
  });
  goToGoal(files, { file: 1, selection: { kind: 'relocation', reloc: 0 as never } });
  expect(activeFile(session.getState())).toMatchObject({ id: object, view: 'relocations' });
  closed(kernel);
  goToGoal(files, { file: 0, selection: { kind: 'type', type: 3 as never, memberPath: [] } });
  expect(activeFile(session.getState())?.id).toBe(object);
  closed(object);
});

it('is stopped, and another query takes the place of one that runs', async () => {
  const id = await open('kernel.btf');
  const endless = 'SELECT a.id FROM types a JOIN types b ON TRUE ORDER BY a.id';
  const first = runQuery(endless);
  expect(useQuery.getState()).toMatchObject({ step: 'running', sql: endless });
  stopQuery();
  await first;
  expect(useQuery.getState()).toMatchObject({ step: 'stopped', why: 'The query was stopped' });
  const second = runQuery(endless);
  await runQuery('SELECT id FROM types LIMIT 1');
  await second;
  expect(values()).toEqual([['1']]);
  closed(id);
});

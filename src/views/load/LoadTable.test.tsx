// @vitest-environment happy-dom

import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { CoreMatrix } from '#analysis/core/matrix/matrix.ts';
import { NO_SELECTION } from '#model/selection.ts';
import * as coreResults from '#store/kernels/core-results.ts';
import { coreTargetId, loadState, setCoreTarget } from '#store/kernels/core-view.ts';
import { activeFile, modelOf, session, useSession } from '#store/session/session.ts';
import { BYTE_OFF, FIELD_EXISTS, matrixOf } from '#testing/matrix-cases.ts';
import { find, fire, focus, mount, press, unmountAll } from '#testing/mount.tsx';
import { sampleModel } from '#testing/samples.ts';
import { openInSession, selectionInSession } from '#testing/session.ts';
import { UiProvider } from '#ui/UiProvider.tsx';
import { LoadTable } from './LoadTable.tsx';
import type { TargetColumn } from './use-load.ts';

const work = { asked: vi.fn(), cancelled: vi.fn() };

// The test environment has no worker.
beforeEach(() => {
  vi.spyOn(coreResults, 'resolveCore').mockImplementation(work.asked);
  vi.spyOn(coreResults, 'cancelCore').mockImplementation(work.cancelled);
});

const OBJECT = 1;

afterEach(async () => {
  await unmountAll();
  loadState.set({ folded: new Map(), stopped: false }, OBJECT);
  setCoreTarget(OBJECT, null);
  work.asked.mockReset();
  work.cancelled.mockReset();
});

const matrix = matrixOf([
  { kind: FIELD_EXISTS, accessStr: '0:1', value: 1n },
  { kind: BYTE_OFF, accessStr: '0:1', value: 4n },
]);

const ready = matrix.columns.map(
  ({ name, results }, i): TargetColumn => ({
    id: 10 + i,
    name,
    shortName: name,
    outcome: { step: 'ready', value: results ?? [] },
    load: null,
  }),
);
const waiting: TargetColumn = {
  id: 20,
  name: 'late',
  shortName: 'late',
  outcome: null,
  load: null,
};
const failed: TargetColumn = {
  ...waiting,
  outcome: {
    step: 'failed',
    issue: { severity: 'error', code: 'x', message: 'the worker ended', span: null, region: '' },
  },
};

function Table({ columns, given = matrix }: { columns: TargetColumn[]; given?: CoreMatrix }) {
  const settings = loadState.useOf(OBJECT);
  const model = modelOf(useSession(activeFile));
  if (model === null) return null;
  return (
    <LoadTable
      object={OBJECT}
      model={model}
      columns={columns}
      matrix={given}
      opened={null}
      table={null}
      settings={{ ...settings, withRecords: true }}
      selection={NO_SELECTION}
    />
  );
}

async function show(columns: TargetColumn[] = ready, given?: CoreMatrix, isUnfolded = true) {
  openInSession(await sampleModel('exec_trace.bpf.o'), 'load');
  // Also open the kernel of the second column.
  session.setState(({ files }) => ({
    files: [...files, ...files.map((file) => ({ ...file, id: 11 }))],
  }));
  const host = await mount(
    <UiProvider>
      <Table columns={columns} {...(given === undefined ? {} : { given })} />
    </UiProvider>,
  );
  const grid = find(host, '[role=grid]');
  if (isUnfolded) await click(find(grid, '[aria-label="Unfold all"]'));
  return { host, grid };
}

const cell = (grid: HTMLElement, line: number, column: number) =>
  find(grid, `[data-row="${line}"] [data-column="${column}"]`);
const click = (element: HTMLElement) =>
  fire(element, new MouseEvent('click', { bubbles: true, cancelable: true }));
const oneLess = (last: TargetColumn) => ({
  columns: [...ready.slice(0, 2), last],
  given: {
    ...matrix,
    columns: [
      ...matrix.columns.slice(0, 2),
      {
        name: 'late',
        results: null,
        states: new Uint8Array(0),
        guards: new Int32Array(0),
        counts: [0, 0, 0, 0, 0],
      },
    ],
  },
});

it('has the state of each cell as text, and marks guarded accesses', async () => {
  const { grid } = await show();
  const texts = [1, 2].map((line) =>
    [1, 2, 3].map((column) => cell(grid, line, column).textContent),
  );
  expect(texts).toEqual([
    ['same', 'absent', 'absent'],
    ['same', 'poisonedguarded', 'poisonedguarded'],
  ]);
  expect(find(grid, '[data-row="0"] [data-column="2"]').textContent).toContain('1 poisoned');
});

it('says under the table what the cell is that is clicked, and opens its record by a double click', async () => {
  const { host, grid } = await show();
  await click(cell(grid, 2, 2));
  const detail = find(host, '[aria-label="Active cell"]');
  expect(detail.textContent).toContain('poisonedstruct s.brelo #1 byte_offon less4 → invalid');
  expect(selectionInSession()).toEqual(NO_SELECTION);
  await fire(cell(grid, 2, 2), new MouseEvent('dblclick', { bubbles: true }));
  expect(selectionInSession()).toEqual({ kind: 'core', core: 1, step: null });
  expect(coreTargetId(OBJECT)).toBe(11);
  expect(activeFile(session.getState())?.view).toBe('core');
  expect(activeFile(session.getState())?.id).toBe(OBJECT);
});

it("is walked by keys: the cell's text is under the table, Enter opens it", async () => {
  const { host, grid } = await show();
  await focus(grid);
  for (const key of ['ArrowDown', 'ArrowDown', 'ArrowDown', 'ArrowRight', 'ArrowRight']) {
    await press(grid, key);
  }
  expect(grid.getAttribute('aria-activedescendant')).toBe(cell(grid, 2, 2).id);
  const detail = find(host, '[aria-label="Active cell"]').textContent;
  expect(detail).toContain('struct s.b');
  expect(detail).toContain('on less');
  expect(detail).toContain('Guarded by relo #0 (field_exists), which is 0.');
  await press(grid, 'Enter');
  expect(coreTargetId(OBJECT)).toBe(11);
});

it('folds a group by Enter or a click on its name, and all of them by the button', async () => {
  const { host, grid } = await show();
  await focus(grid);
  await press(grid, 'ArrowDown');
  expect(find(host, '[aria-label="Active cell"]').textContent).toContain('2 relocations');
  await press(grid, 'Enter');
  expect(grid.querySelectorAll('[data-kind="record"]').length).toBe(0);
  expect(find(grid, '[data-row="0"] th').getAttribute('aria-expanded')).toBe('false');
  await click(find(grid, '[aria-label="Unfold all"]'));
  expect(grid.querySelectorAll('tr[data-kind="record"]').length).toBe(2);
  await click(cell(grid, 0, 1));
  expect(grid.querySelectorAll('tr[data-kind="record"]').length).toBe(2);
  await click(cell(grid, 0, 0));
  expect(grid.querySelectorAll('tr[data-kind="record"]').length).toBe(0);
});

it('shows its progress, and stops when cancelled', async () => {
  const { columns, given } = oneLess(waiting);
  const { host, grid } = await show(columns, given);
  expect(cell(grid, 1, 3).textContent).toContain('not resolved');
  expect(find(grid, '[role=progressbar]').getAttribute('aria-valuetext')).toBe('2 of 3 targets');
  const cancel = [...grid.querySelectorAll('button')].find((b) => b.textContent === 'Cancel');
  await click(cancel ?? host);
  expect(work.cancelled).toHaveBeenCalledWith(OBJECT);
  expect(grid.textContent).toContain('Stopped after 2 of 3 targets');
});

it('resolves a failed target again', async () => {
  const { columns, given } = oneLess(failed);
  const { grid } = await show(columns, given);
  const retry = find(grid, '[aria-label="Failed on late: try again"]');
  expect(retry.title).toBe('the worker ended');
  await click(retry);
  expect(work.asked).toHaveBeenCalledWith(
    expect.objectContaining({ object: OBJECT, target: 20, fresh: false }),
  );
  expect(grid.querySelector('[role=progressbar]')).toBeNull();
});

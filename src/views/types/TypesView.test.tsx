// @vitest-environment happy-dom
import { act } from 'react';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { typeId } from '#model/ids.ts';
import { NO_SELECTION, type Selection, typeSelection } from '#model/selection.ts';
import { activeFile, session } from '#store/session/session.ts';
import { btfBlob } from '#testing/btf-blob.ts';
import { enumeration, int, struct, type TypeRecord } from '#testing/btf-types.ts';
import { find, fire, mount, observeNoSizes, press, unmountAll } from '#testing/mount.tsx';
import { openModel } from '#testing/open-model.ts';
import { UiProvider } from '#ui/UiProvider.tsx';
import { TypesView } from './TypesView.tsx';

/** Ids: [1] int, [2] inner {x, y}, [3] outer {a, hole, in, <script>}, [4] enum. */
const TYPES: readonly TypeRecord[] = [
  int('int', 4),
  struct('inner', 8, [
    { name: 'x', type: 1, bitOffset: 0 },
    { name: 'y', type: 1, bitOffset: 32 },
  ]),
  struct('outer', 24, [
    { name: 'a', type: 1, bitOffset: 0 },
    { name: 'in', type: 2, bitOffset: 64 },
    { name: '<b>\u202e', type: 1, bitOffset: 128 },
  ]),
  enumeration('e', [['A', -1]], { signed: true }),
];

async function open(selection: Selection, split = false) {
  const model = await openModel('types.btf', btfBlob({ types: TYPES }).bytes);
  session.setState({
    panes: [{ fileId: 1, view: 'types' }],
    currentPane: 0,
    files: [
      {
        id: 1,
        name: 'types.btf',
        size: model.size,
        sample: null,
        sha256: null,
        status: { step: 'ready', model: split ? { ...model, types: null } : model },
        findings: null,
        view: 'types',
        selection,
      },
    ],
  });
  return mount(
    <UiProvider>
      <TypesView />
    </UiProvider>,
  );
}

const selection = () => activeFile(session.getState())?.selection;

const members = (host: HTMLElement) =>
  [...find(host, '[role="grid"][aria-label="Members"]').querySelectorAll('tbody tr')].map((row) =>
    [...row.querySelectorAll('td')].map((cell) => cell.textContent).join(' | '),
  );

const button = (host: HTMLElement, name: string) => {
  const found = [...host.querySelectorAll('button')].find(
    (b) => b.getAttribute('aria-label') === name || b.textContent === name,
  );
  if (found === undefined) throw new Error(`no button ${name}`);
  return found;
};

const click = (element: Element) => fire(element, new MouseEvent('click', { bubbles: true }));

beforeEach(() => {
  observeNoSizes();
});
afterEach(unmountAll);

it('has an empty state without a selection', async () => {
  const host = await open(NO_SELECTION);
  expect(host.textContent).toContain('This file has 2 structs.');
  // The list beside it begins with the largest structs: they are not listed twice.
  expect(host.querySelector('li button')).toBeNull();
});

it('gives the reason why there are no types', async () => {
  const host = await open(NO_SELECTION, true);
  expect(host.textContent).toContain('No readable BTF');
});

it('shows members with their places and the holes between them', async () => {
  const host = await open(typeSelection(typeId(3)));
  expect(members(host)).toEqual([
    'a | Iint | 0x0 | 0 | 0 | 4',
    '4-byte hole |  | 0x4 | 4 | 32 | 4',
    'in | Sstruct inner | 0x8 | 8 | 64 | 8',
    '<b>\\u{202e} | Iint | 0x10 | 16 | 128 | 4',
    '4 bytes of padding |  | 0x14 | 20 | 160 | 4',
  ]);
});

it('expands a member in place, and the parents of the selected one', async () => {
  const host = await open(typeSelection(typeId(3)));
  await click(button(host, 'Members of in'));
  expect(members(host)).toHaveLength(7);
  expect(members(host)[4]).toBe('y | Iint | 0xc | 12 | 96 | 4');
  await click(button(host, 'Members of in'));
  expect(members(host)).toHaveLength(5);
  await act(async () => {
    session.setState((state) => ({
      files: state.files.map((file) => ({ ...file, selection: typeSelection(typeId(3), [1, 0]) })),
    }));
  });
  expect(members(host)).toHaveLength(7);
  expect(find(host, 'tr[aria-selected="true"]').textContent).toContain('x');
});

it('selects the member around a selected one that is folded away', async () => {
  const host = await open(typeSelection(typeId(3), [1, 1]));
  await click(button(host, 'Members of in'));
  expect(selection()).toEqual(typeSelection(typeId(3), [1]));
  expect(members(host)).toHaveLength(5);
});

it('passes over holes by key and folds by Enter', async () => {
  const host = await open(typeSelection(typeId(3), [0]));
  const grid = find(host, '[role="grid"][aria-label="Members"]');
  await press(grid, 'ArrowDown');
  expect(selection()).toEqual(typeSelection(typeId(3), [1]));
  await press(grid, 'Enter');
  expect(members(host)).toHaveLength(7);
  await press(grid, 'ArrowUp');
  expect(selection()).toEqual(typeSelection(typeId(3), [0]));
});

it('follows a link in a row without selecting the row', async () => {
  const host = await open(typeSelection(typeId(3)));
  await click(button(find(host, '[role="grid"][aria-label="Members"]'), 'Sstruct inner'));
  expect(selection()).toEqual(typeSelection(typeId(2)));
});

it('goes to the bytes of the selection', async () => {
  const host = await open(typeSelection(typeId(3), [1]));
  await click(button(host, 'Show bytes'));
  expect(activeFile(session.getState())).toMatchObject({
    view: 'bytes',
    selection: typeSelection(typeId(3), [1]),
  });
});

it('shows values of enumerators in both notations', async () => {
  const host = await open(typeSelection(typeId(4)));
  const row = find(host, '[role="grid"][aria-label="Enumerators"] tbody tr');
  expect([...row.querySelectorAll('td')].map((cell) => cell.textContent)).toEqual([
    'A',
    '-1',
    '0xffffffff',
  ]);
});

it('reports a type that does not exist', async () => {
  const host = await open(typeSelection(typeId(99)));
  expect(find(host, 'article').textContent).toContain('There is no type 99');
});

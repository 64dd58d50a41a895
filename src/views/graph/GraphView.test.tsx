// @vitest-environment happy-dom
import { act } from 'react';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { typeId } from '#model/ids.ts';
import { NOTHING, typeSelection } from '#model/selection.ts';
import { activeFile, session } from '#store/session.ts';
import { btfBlob } from '#testing/btf-blob.ts';
import { int, ptr, struct } from '#testing/btf-types.ts';
import { openModel } from '#testing/open-model.ts';
import { find, fire, mount, press, unmountAll } from '#ui/mount-for-tests.tsx';
import { UiProvider } from '#ui/UiProvider.tsx';
import { GraphView } from './GraphView.tsx';

/** [1] int, [2] leaf, [3] leaf *, [4] root {leaf *, mid}, [5] mid {leaf}. */
async function open() {
  const model = await openModel(
    'graph.btf',
    btfBlob({
      types: [
        int('int', 4),
        struct('leaf', 4, [{ name: 'value', type: 1, bitOffset: 0 }]),
        ptr(2),
        struct('root', 16, [
          { name: 'leaf', type: 3, bitOffset: 0 },
          { name: 'mid', type: 5, bitOffset: 64 },
        ]),
        struct('mid', 8, [{ name: 'deep', type: 3, bitOffset: 0 }]),
      ],
    }).bytes,
  );
  session.setState({
    activeId: 1,
    files: [
      {
        id: 1,
        name: 'graph.btf',
        size: model.size,
        sample: null,
        sha256: null,
        status: { step: 'ready', model },
        findings: null,
        view: 'graph',
        selection: NOTHING,
      },
    ],
  });
  return mount(
    <UiProvider>
      <GraphView />
    </UiProvider>,
  );
}

const choose = (type: number) =>
  act(async () => {
    session.setState((state) => ({
      files: state.files.map((file) => ({ ...file, selection: typeSelection(typeId(type)) })),
    }));
  });

const selected = () => {
  const selection = activeFile(session.getState())?.selection;
  return selection?.kind === 'type' ? selection.type : null;
};

const options = (host: HTMLElement) =>
  [...host.querySelectorAll('[role="option"]')].map((box) => box.getAttribute('aria-label'));

const option = (host: HTMLElement, name: string) => {
  const box = host.querySelector(`[role="option"][aria-label^="STRUCT ${name}"]`);
  if (box === null) throw new Error(`no box ${name}`);
  return box;
};

const click = (element: Element) => fire(element, new MouseEvent('click', { bubbles: true }));

beforeEach(() => {
  class NoSize {
    observe() {}
    disconnect() {}
  }
  Reflect.set(globalThis, 'ResizeObserver', NoSize);
});
afterEach(unmountAll);

it('offers types to begin with while none is selected', async () => {
  const host = await open();
  await click(find(host, 'li button'));
  expect(selected()).toBe(4);
  expect(options(host)).toEqual([
    'STRUCT root, 16 bytes',
    'STRUCT leaf, 4 bytes',
    'STRUCT mid, 8 bytes',
  ]);
});

it('selects a box that is clicked and keeps the graph as it is', async () => {
  const host = await open();
  await choose(4);
  await click(option(host, 'mid'));
  expect(selected()).toBe(5);
  expect(options(host)[0]).toBe('STRUCT root, 16 bytes');
  expect(host.querySelectorAll('[aria-selected="true"]')).toHaveLength(1);
  expect(option(host, 'mid').getAttribute('tabindex')).toBe('0');
});

it('moves along edges by keys and starts anew with Enter', async () => {
  const host = await open();
  await choose(4);
  await press(option(host, 'root'), 'ArrowRight');
  expect([2, 5]).toContain(selected());
  await press(option(host, 'leaf'), 'Home');
  expect(selected()).toBe(4);
  await choose(5);
  await press(option(host, 'mid'), 'Enter');
  expect(options(host)).toEqual(['STRUCT mid, 8 bytes', 'STRUCT leaf, 4 bytes']);
});

it('takes a type that is not in the graph as its new root', async () => {
  const host = await open();
  await choose(2);
  expect(options(host)).toEqual(['STRUCT leaf, 4 bytes']);
  expect(host.textContent).toContain('it refers to no other struct, union, enum or function');
  await choose(4);
  expect(options(host)[0]).toBe('STRUCT root, 16 bytes');
});

it('says the same as a table', async () => {
  const host = await open();
  await choose(4);
  const button = [...host.querySelectorAll('button')].find(
    (b) => b.textContent === 'Show as table',
  );
  if (button === undefined) throw new Error('no such button');
  await click(button);
  expect(button.getAttribute('aria-pressed')).toBe('true');
  const grid = find(host, '[role="grid"]');
  const rows = [...grid.querySelectorAll('tbody tr')].map((row) =>
    [...row.querySelectorAll('td')].map((cell) => cell.textContent).join(' | '),
  );
  expect(rows).toEqual([
    'Sroot | the root | 0 | 16',
    'Sleaf | root.leaf *, mid.deep * | 1 | 4',
    'Smid | root.mid | 1 | 8',
  ]);
});

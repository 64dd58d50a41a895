// @vitest-environment happy-dom

import { act } from 'react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { groupedReferrers } from '#analysis/graph/referrers.ts';
import { type GraphRequest, layoutGraph } from '#analysis/graph/scene.ts';
import { typeId } from '#model/ids.ts';
import { typeSelection } from '#model/selection.ts';
import { select } from '#store/address/navigation.ts';
import * as files from '#store/session/files.ts';
import { activeFile, session } from '#store/session/session.ts';
import { find, fire, mount, observeNoSizes, press, unmountAll } from '#testing/mount.tsx';
import { openInSession, selectionInSession } from '#testing/session.ts';
import { smallModel, smallTypes } from '#testing/small-graph.ts';
import { UiProvider } from '#ui/UiProvider.tsx';
import { GraphView } from './GraphView.tsx';
import { graphState } from './state.ts';

/** The test has no worker: this client computes the answers itself. */
const client = {
  call: async (method: string, params: GraphRequest & { type: number; limit: number }) => {
    const types = await smallTypes();
    const value =
      method === 'graph'
        ? layoutGraph(types, params)
        : groupedReferrers(types, typeId(params.type), params.limit);
    return { ok: true, value };
  },
};

beforeEach(() => {
  vi.spyOn(files, 'clientOf').mockReturnValue(
    client as unknown as ReturnType<typeof files.clientOf>,
  );
  observeNoSizes();
});
afterEach(unmountAll);

async function open(type: number | null = 4): Promise<HTMLElement> {
  openInSession(await smallModel(), 'graph');
  if (type !== null) select(typeSelection(typeId(type)));
  const host = await mount(
    <UiProvider>
      <GraphView />
    </UiProvider>,
  );
  await settle();
  return host;
}

/** Waits until the answers of the client have been shown. */
const settle = () => act(async () => new Promise((resolve) => setTimeout(resolve, 20)));

const listbox = (host: HTMLElement) => find(host, '[role="listbox"]');
const options = (host: HTMLElement) =>
  [...host.querySelectorAll('[role="option"]')].map((box) => box.getAttribute('aria-label'));
const shape = (host: HTMLElement, selector: string): Element => {
  const found = host.querySelector(selector);
  if (found === null) throw new Error(`nothing matches ${selector}`);
  return found;
};
const box = (host: HTMLElement, type: number) => shape(host, `[data-type="${type}"]`);
const selected = () => {
  const selection = selectionInSession();
  return selection.kind === 'type' ? selection.type : null;
};
const param = (key: 'depth' | 'open' | 'hide' | 'path') =>
  graphState.of(activeFile(session.getState()))[key];

async function click(element: Element): Promise<void> {
  await fire(element, new MouseEvent('click', { bubbles: true }));
  await settle();
}

const buttonOf = (host: HTMLElement, name: string) => {
  const found = [...host.querySelectorAll('button')].find(
    (button) => (button.getAttribute('aria-label') ?? button.textContent) === name,
  );
  if (found === undefined) throw new Error(`no button ${name}`);
  return found;
};

it('offers types to begin with while none is selected', async () => {
  const host = await open(null);
  await click(find(host, 'li button'));
  expect(selected()).toBe(4);
  expect(options(host)[0]).toBe('STRUCT root, 24 bytes, expanded');
});

it('draws the selected type and its references, to a readable depth', async () => {
  const host = await open();
  expect(options(host)).toEqual([
    'STRUCT root, 24 bytes, expanded',
    'STRUCT leaf, 4 bytes',
    'STRUCT mid, 8 bytes, expanded',
  ]);
  expect(host.textContent).toContain('3 types, 4 edges');
});

it('selects a box that is clicked, or its member, and keeps the graph', async () => {
  const host = await open();
  await click(box(host, 5));
  expect(selected()).toBe(5);
  expect(options(host)[0]).toContain('root');
  expect(param('open')).toBe('@struct:root');
  await click(shape(host, '[data-type="5"] [data-row="0"]'));
  expect(selectionInSession()).toEqual(typeSelection(typeId(5), [0]));
  expect(host.querySelector('[data-type="5"] [data-lit="strong"]')).not.toBeNull();
  expect(host.querySelector('[data-edge="mid leaf"]')?.getAttribute('data-mark')).toBe('strong');
});

it('folds and expands by the button and by Space', async () => {
  const host = await open();
  await click(shape(host, '[data-type="5"] [data-action="toggle"]'));
  expect(param('open')).toBe('@struct:root,-struct:mid');
  expect(options(host)).toContain('STRUCT mid, 8 bytes, folded, leads to 0 more');
  await click(box(host, 5));
  await press(listbox(host), ' ');
  await settle();
  expect(options(host)).toContain('STRUCT mid, 8 bytes, expanded');
});

it('walks along edges by keys and begins anew with Enter', async () => {
  const host = await open();
  await press(listbox(host), 'ArrowRight');
  await settle();
  expect([2, 5]).toContain(selected());
  await press(listbox(host), 'ArrowLeft');
  await settle();
  expect(selected()).toBe(4);
  await press(listbox(host), 'End');
  await settle();
  const last = selected();
  await press(listbox(host), 'Enter');
  await settle();
  expect(param('open')).toBeNull();
  expect(box(host, last ?? 0).getAttribute('data-root')).toBe('true');
});

it('takes a type that is not in the graph as its new root', async () => {
  const host = await open(2);
  expect(options(host)).toEqual(['STRUCT leaf, 4 bytes']);
  expect(host.textContent).toContain('refers to no other shown type');
  await act(async () => select(typeSelection(typeId(4))));
  await settle();
  expect(options(host)[0]).toContain('root');
});

it('hides a kind and shows it again', async () => {
  const host = await open();
  await click(buttonOf(host, 'Structs: 3'));
  expect(param('hide')).toBe('struct,func');
  expect(options(host)).toHaveLength(1);
  await click(buttonOf(host, 'Structs: hidden'));
  expect(param('hide')).toBeNull();
});

it('counts referrers and puts one into the graph', async () => {
  const host = await open(2);
  await click(buttonOf(host, 'Referrers'));
  const panel = find(host, 'aside');
  expect(panel.textContent).toContain('Hold a pointer to it 2');
  await click(find(panel, 'li button'));
  expect(param('open')).toBe('@struct:leaf,<struct:root');
  expect(options(host)).toHaveLength(2);
  await click(find(panel, 'li button'));
  expect(options(host)).toHaveLength(1);
});

it('has the same content as a table', async () => {
  const host = await open();
  await click(buttonOf(host, 'Show as table'));
  const rows = [...find(host, '[role="grid"]').querySelectorAll('tbody tr')].map((row) =>
    [...row.querySelectorAll('td')].map((cell) => cell.textContent).join(' | '),
  );
  expect(rows).toEqual([
    'Sroot | 0 | 24 | the root | leaf, mid, root',
    'Sleaf | 1 | 4 | root.leaf *, mid.deep * | ',
    'Smid | 1 | 8 | root.mid | leaf',
  ]);
});

it('switches to paths and back', async () => {
  const host = await open();
  await click(find(host, 'input[value="paths"]'));
  expect(param('path')).toBe('');
  expect(host.querySelector('[role="listbox"]')).toBeNull();
  await click(find(host, 'input[value="explore"]'));
  expect(options(host)).toHaveLength(3);
});

// @vitest-environment happy-dom

import { act } from 'react';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { typeId } from '#model/ids.ts';
import { typeSelection } from '#model/selection.ts';
import type { TypeTable } from '#model/type-table.ts';
import { select } from '#store/address/navigation.ts';
import type { TaskState } from '#store/session/tasks.ts';
import { btfBlob } from '#testing/btf-blob.ts';
import { int, struct, type TypeRecord } from '#testing/btf-types.ts';
import { find, fire, mount, observeNoSizes, press, typeInto, unmountAll } from '#testing/mount.tsx';
import { openModel } from '#testing/open-model.ts';
import { openInSession, selectionInSession } from '#testing/session.ts';
import { textOf } from '#testing/whole-text.ts';
import { UiProvider } from '#ui/UiProvider.tsx';
import { TEXT_FORMATS, textState } from './state.ts';
import { TextView } from './TextView.tsx';
import { textKey, type WholeText, wholeTexts } from './whole-text.ts';

const MEMBERS = Array.from({ length: 60 }, (_, i) => ({
  name: `m${i}`,
  type: 1,
  bitOffset: 32 * i,
}));

const TYPES: readonly TypeRecord[] = [
  int('int', 4),
  struct('pair', 8, MEMBERS.slice(0, 2)),
  struct('many', 240, MEMBERS),
  struct('last', 4, MEMBERS.slice(0, 1)),
];

/** Opens a file and gives it texts, because the test has no worker that prints them. */
async function open(types: readonly TypeRecord[] = TYPES): Promise<TypeTable> {
  const model = await openModel('types.btf', btfBlob({ types }).bytes);
  openInSession(model, 'text');
  const table = model.types;
  if (table === null) throw new Error('no types');
  textState.set({ format: 'c' });
  for (const format of TEXT_FORMATS) {
    const value = textOf(table, format, { unsorted: true });
    wholeTexts.put(textKey(1, format), { step: 'ready', value });
  }
  return table;
}

beforeEach(() => {
  observeNoSizes();
  return open();
});
afterEach(unmountAll);

const show = () =>
  mount(
    <UiProvider>
      <TextView />
    </UiProvider>,
  );

const lines = (host: HTMLElement) => [...host.querySelectorAll<HTMLElement>('[role=option]')];

const line = (host: HTMLElement, text: string) => {
  const found = lines(host).find((each) => each.lastElementChild?.textContent === text);
  if (found === undefined) throw new Error(`no line ${text}`);
  return found;
};

const selectedLines = (host: HTMLElement) =>
  lines(host)
    .filter((each) => each.getAttribute('aria-selected') === 'true')
    .map((each) => each.lastElementChild?.textContent);

const click = (element: Element) => fire(element, new MouseEvent('click', { bubbles: true }));

async function type(host: HTMLElement, text: string): Promise<void> {
  await typeInto(find(host, 'input[type=search]'), text);
  // The search continues in slices. Wait for the next one.
  await act(() => new Promise((resolve) => setTimeout(resolve, 20)));
}

it('shows the header with its command, and only lines in sight', async () => {
  const host = await show();
  expect(line(host, '#ifndef __VMLINUX_H__').getAttribute('aria-posinset')).toBe('1');
  expect(host.textContent).toContain('bpftool btf dump file types.btf format c');
  expect(lines(host).length).toBeLessThan(60);
});

it('selects the type of a line, by the pointer and by keys', async () => {
  const host = await show();
  await click(line(host, '\tint m1;'));
  expect(selectionInSession()).toEqual(typeSelection(typeId(2)));
  expect(selectedLines(host)).toEqual(['struct pair {', '\tint m0;', '\tint m1;', '};']);
  const list = find(host, '[role=listbox]');
  await press(list, 'ArrowDown');
  await press(list, 'ArrowDown');
  await press(list, 'ArrowDown');
  await press(list, 'Enter');
  expect(selectionInSession()).toEqual(typeSelection(typeId(3)));
});

it('keeps the selection on a click between types', async () => {
  const host = await show();
  await click(line(host, '#ifndef __VMLINUX_H__'));
  expect(selectionInSession()).toEqual({ kind: 'none' });
});

it('brings the type that is selected elsewhere into sight, in each form', async () => {
  const host = await show();
  await act(async () => select(typeSelection(typeId(4))));
  expect(selectedLines(host)[0]).toBe('struct last {');
  await act(async () => textState.set({ format: 'raw' }));
  expect(selectedLines(host)[0]).toBe("[4] STRUCT 'last' size=4 vlen=1");
  expect(host.textContent).toContain('format raw');
  await act(async () => textState.set({ format: 'json' }));
  expect(selectedLines(host)[0]).toMatch(/^\{"id":4,/);
  expect(host.textContent).toContain('bpftool prints one line');
});

it('reports a type without lines of its own', async () => {
  const host = await show();
  await act(async () => select(typeSelection(typeId(1))));
  expect(find(host, 'footer').textContent).toContain('has no lines of its own');
});

it('finds, counts, and goes from match to match', async () => {
  const host = await show();
  await type(host, 'STRUCT ');
  expect(host.textContent).toContain('1 of 3');
  const input = find(host, 'input[type=search]');
  await press(input, 'Enter');
  expect(host.textContent).toContain('2 of 3');
  const marked = [...host.querySelectorAll('mark[data-shown]')];
  expect(marked.map(({ textContent }) => textContent).join('')).toBe('struct ');
  await press(input, 'Enter', { shiftKey: true });
  await press(input, 'Enter', { shiftKey: true });
  expect(host.textContent).toContain('3 of 3');
  await click(find(host, 'button[aria-label="Match case"]'));
  await type(host, 'STRUCT');
  expect(host.textContent).toContain('None');
});

it('takes Ctrl+F, and leaves a second one to the browser', async () => {
  const host = await show();
  const first = await press(document.body, 'f', { ctrlKey: true });
  expect(first.defaultPrevented).toBe(true);
  expect(document.activeElement).toBe(find(host, 'input[type=search]'));
  const second = await press(find(host, 'input[type=search]'), 'f', { ctrlKey: true });
  expect(second.defaultPrevented).toBe(false);
});

it('shows the text of another version and order, and their command', async () => {
  const text = (first: string) => ({
    step: 'ready' as const,
    value: {
      bytes: new TextEncoder().encode(first),
      lineStarts: Uint32Array.of(0),
      isCut: false,
    },
  });
  await act(async () => {
    wholeTexts.put(textKey(1, 'c'), text('newest'));
    wholeTexts.put(textKey(1, 'c', { unsorted: true }), text('in order of ids'));
    wholeTexts.put(textKey(1, 'c', { bpftool: '7.1' }), text('older'));
    wholeTexts.put(textKey(1, 'raw'), text('records'));
    wholeTexts.put(textKey(1, 'pahole'), text('layouts'));
    wholeTexts.put(textKey(1, 'pahole', { pahole: '1.24' }), text('older layouts'));
  });
  const host = await show();
  expect(host.textContent).toContain('newest');
  await act(async () => textState.set({ order: 'unsorted' }));
  expect(host.textContent).toContain('in order of ids');
  expect(host.textContent).toContain('format c unsorted');
  await act(async () => textState.set({ bpftool: '7.1' }));
  expect(host.textContent).toContain('older');
  expect(host.textContent).not.toContain('Unsorted');
  await act(async () => textState.set({ format: 'pahole' }));
  expect(host.textContent).toContain('layouts');
  expect(host.textContent).not.toContain('older layouts');
  await act(async () => find(host, '[aria-label="Version of pahole"] input[value="1.24"]').click());
  expect(host.textContent).toContain('older layouts');
  await act(async () => textState.set({ format: 'raw' }));
  expect(host.querySelector('[aria-label^="Version of"]')).toBeNull();
  await act(async () => textState.set({ bpftool: '7.8', pahole: '1.31', order: 'sorted' }));
});

it('tells how far it is, and that it was cancelled', async () => {
  const put = (outcome: { step: 'running'; done: number; total: number } | { step: 'stopped' }) =>
    act(async () => wholeTexts.put(textKey(1, 'c'), outcome));
  await put({ step: 'running', done: 50, total: 200 });
  const host = await show();
  expect(find(host, '[role=progressbar]').getAttribute('aria-valuenow')).toBe('25');
  await put({ step: 'stopped' });
  expect(host.textContent).toContain('Cancelled');
});

it('shows the first lines while the rest is written', async () => {
  const lines = (count: number): WholeText => {
    const bytes = new TextEncoder().encode('struct s {};\n'.repeat(count));
    const lineStarts = Uint32Array.from({ length: count }, (_, i) => 13 * i);
    return { bytes, lineStarts, isCut: false };
  };
  const put = (outcome: TaskState<WholeText>) =>
    act(async () => wholeTexts.put(textKey(1, 'c'), outcome));
  await put({ step: 'running', done: 50, total: 200, beginning: lines(2) });
  const host = await show();
  expect(host.querySelectorAll('[data-row]')).toHaveLength(2);
  expect(find(host, '[role=progressbar]').getAttribute('aria-valuenow')).toBe('25');
  await put({ step: 'ready', value: lines(5) });
  expect(host.querySelectorAll('[data-row]')).toHaveLength(5);
  expect(host.querySelector('[role=progressbar]')).toBeNull();
});

it('shows a name that would mislead as escapes, and cuts a very long one', async () => {
  await open([struct('a\u202eb', 0, []), struct('x'.repeat(5000), 0, [])]);
  const host = await show();
  expect(host.textContent).toContain('struct a\\u{202e}b {};');
  expect(host.textContent).toMatch(/more bytes/);
  expect(host.textContent).not.toContain('x'.repeat(2000));
});

it('has an empty state without types', async () => {
  const model = await openModel('types.btf', btfBlob({ types: TYPES }).bytes);
  openInSession({ ...model, types: null }, 'text');
  const host = await show();
  expect(host.textContent).toContain('No types');
});

it('counts in another form too, but goes to the selected type there', async () => {
  const host = await show();
  await type(host, 'int m');
  await act(async () => select(typeSelection(typeId(4))));
  await act(async () => textState.set({ format: 'raw' }));
  await type(host, 'type_id');
  await act(async () => textState.set({ format: 'c' }));
  await act(() => new Promise((resolve) => setTimeout(resolve, 20)));
  expect(host.querySelector('mark[data-shown]')).toBeNull();
  expect(selectedLines(host)[0]).toBe('struct last {');
});

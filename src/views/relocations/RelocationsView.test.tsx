// @vitest-environment happy-dom

import { act } from 'react';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { relocIndex, sectionIndex } from '#model/ids.ts';
import { select } from '#store/address/navigation.ts';
import { session } from '#store/session/session.ts';
import { find, fire, mount, press, unmountAll } from '#testing/mount.tsx';
import { sampleModel } from '#testing/samples.ts';
import { openInSession, selectionInSession } from '#testing/session.ts';
import { UiProvider } from '#ui/UiProvider.tsx';
import { RelocationsView } from './RelocationsView.tsx';

async function openSample(name: string): Promise<void> {
  openInSession(await sampleModel(name), 'relocations');
}

beforeEach(() => openSample('doc_call.bpf.o'));
afterEach(unmountAll);

const file = () => session.getState().files[0];
const selection = selectionInSession;

function show() {
  return mount(
    <UiProvider>
      <RelocationsView />
    </UiProvider>,
  );
}

const click = (element: HTMLElement) =>
  fire(element, new MouseEvent('click', { bubbles: true, cancelable: true }));

/** Returns the rows of the table as texts. A bar separates the cells. */
function rows(host: HTMLElement): string[] {
  return [...host.querySelectorAll('[role=grid] tbody tr')].map((row) =>
    [...row.children].map((each) => each.textContent).join('|'),
  );
}

it('begins with the program: the call and the load of the document, worked out', async () => {
  const host = await show();
  expect(rows(host)).toEqual([
    '0x10|0x40000000a|2|R_BPF_64_32|gfunc|0x0|0x0|-1',
    '0x30|0x20000000a|6|R_BPF_64_32|sec1 + 0x18 → lfunc|0x0|0x18|2',
    '0x40|0x600000001|8|R_BPF_64_64|global|0x0|0x0|0x0',
  ]);
  expect(host.textContent).toContain('A is implicit: it is at the place that is patched.');
});

it('selects the entry of a row and explains it', async () => {
  const host = await show();
  await click(find(host, '[role=grid] [data-row="1"]'));
  expect(selection()).toEqual({ kind: 'relocation', reloc: 1 });
  const card = find(host, 'article');
  for (const text of [
    '(0x0 + 0x18) / 8 - 1 = 2',
    '(2 + 1) × 8',
    '00000002',
    '0000000a',
    '.text + 0x34',
  ])
    expect(card.textContent).toContain(text);
});

it('goes to the bytes by Enter', async () => {
  const host = await show();
  const grid = find(host, '[role=grid]');
  await press(grid, 'ArrowDown');
  await press(grid, 'ArrowDown');
  await press(grid, 'Enter');
  expect(file()).toMatchObject({ view: 'bytes', selection: { kind: 'relocation', reloc: 1 } });
});

it('lists the family of an entry that is selected elsewhere', async () => {
  const host = await show();
  expect(rows(host)).toHaveLength(3);
  await act(async () => select({ kind: 'relocation', reloc: relocIndex(3) }));
  expect(rows(host)).toHaveLength(17);
  expect(find(host, '[role=grid] [aria-selected=true]').textContent).toContain('global');
});

it('keeps the scope that was chosen although the selection lies outside of it', async () => {
  const host = await show();
  await click(find(host, '[role=grid] [data-row="0"]'));
  await click(find(host, '[role=listbox] [data-row="3"]'));
  expect(rows(host)).toHaveLength(17);
  expect(selection()).toEqual({ kind: 'relocation', reloc: 0 });
});

it('lists what patches a section that is selected elsewhere', async () => {
  await act(async () => select({ kind: 'section', section: sectionIndex(8) }));
  const host = await show();
  expect(rows(host)).toHaveLength(17);
});

it('separates CO-RE relocations and links to them', async () => {
  await openSample('exec_trace.bpf.o');
  const host = await show();
  expect(host.textContent).toContain('CO-RE relocations are not ELF relocations');
  const button = [...host.querySelectorAll('button')].find((b) => b.textContent === 'Show CO-RE');
  await click(button ?? host);
  expect(file()?.view).toBe('core');
});

it('gives the reason why a raw BTF blob has none', async () => {
  await openSample('kinds.btf');
  const host = await show();
  expect(host.querySelector('[role=grid]')).toBeNull();
  expect(host.textContent).toContain('A BTF blob has only types and strings');
});

// @vitest-environment happy-dom

import { act } from 'react';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { sectionIndex } from '#model/ids.ts';
import { select } from '#store/address/navigation.ts';
import { session } from '#store/session/session.ts';
import { find, fire, mount, press, typeInto, unmountAll } from '#testing/mount.tsx';
import { sampleModel } from '#testing/samples.ts';
import { openInSession, selectionInSession } from '#testing/session.ts';
import { UiProvider } from '#ui/UiProvider.tsx';
import { BytesView } from './BytesView.tsx';

async function openSample(name: string): Promise<void> {
  openInSession(await sampleModel(name), 'bytes');
}

beforeEach(() => openSample('doc_call.bpf.o'));
afterEach(unmountAll);

const file = () => session.getState().files[0];
const selection = selectionInSession;

function show() {
  return mount(
    <UiProvider>
      <BytesView />
    </UiProvider>,
  );
}

const cell = (host: HTMLElement, offset: number) => find(host, `td[data-offset="${offset}"]`);

async function click(element: HTMLElement): Promise<void> {
  for (const type of ['mousedown', 'mouseup', 'click']) {
    await fire(element, new MouseEvent(type, { bubbles: true, cancelable: true }));
  }
}

async function pickRegion(host: HTMLElement, row: number): Promise<void> {
  await click(find(host, `[role=listbox] [data-row="${row}"]`));
}

it('selects a section when its region is picked, and shows its bytes', async () => {
  const host = await show();
  await pickRegion(host, 2);
  expect(selection()).toEqual({ kind: 'section', section: 2 });
  expect(cell(host, 0x54).getAttribute('aria-label')).toBe('0x0054: not loaded, R_BPF_64_32 gfunc');
  expect(host.querySelector('td[data-offset="0"]')).toBeNull();
});

it('stays with the whole file once that is picked', async () => {
  await act(async () => select({ kind: 'section', section: sectionIndex(2) }));
  const host = await show();
  await pickRegion(host, 0);
  await click(cell(host, 0x41));
  expect(selection()).toEqual({ kind: 'bytes', start: 0x41, end: 0x42 });
  expect(find(host, '[role=listbox] [data-row="0"]').getAttribute('aria-selected')).toBe('true');
});

it('takes a click on a site for its relocation, and one next to it for the byte', async () => {
  const host = await show();
  await click(cell(host, 0x56));
  expect(selection()).toEqual({ kind: 'relocation', reloc: 0 });
  expect(file()?.view).toBe('bytes');
  expect(host.textContent).toContain('Go to relocation');
  await click(cell(host, 0x53));
  expect(selection()).toEqual({ kind: 'bytes', start: 0x53, end: 0x54 });
});

it('goes to Relocations by Enter on a site, to Code on an instruction without one', async () => {
  const host = await show();
  const grid = find(host, '[role=grid]');
  await click(cell(host, 0x56));
  await press(grid, 'Enter');
  expect(file()?.view).toBe('relocations');
  await click(cell(host, 0x61));
  await press(grid, 'Enter');
  expect(file()).toMatchObject({
    view: 'code',
    selection: { kind: 'insn', section: 2, insnOff: 0x20 },
  });
});

it('moves the cursor byte by byte through a site', async () => {
  const host = await show();
  const grid = find(host, '[role=grid]');
  await click(cell(host, 0x53));
  const seen: unknown[] = [];
  for (let i = 0; i < 5; i++) {
    await press(grid, 'ArrowRight');
    seen.push(selection().kind);
  }
  expect(seen).toEqual([...Array(4).fill('relocation'), 'bytes']);
  expect(selection()).toEqual({ kind: 'bytes', start: 0x58, end: 0x59 });
});

it('stretches a range by Shift, over sites too', async () => {
  const host = await show();
  await pickRegion(host, 2);
  const grid = find(host, '[role=grid]');
  await click(cell(host, 0x52));
  for (let i = 0; i < 3; i++) await press(grid, 'ArrowRight', { shiftKey: true });
  expect(selection()).toEqual({ kind: 'bytes', start: 0x52, end: 0x56 });
});

it('goes to the next and the previous relocation by n and p, and announces the place', async () => {
  const host = await show();
  await pickRegion(host, 2);
  const steps: unknown[] = [];
  for (const key of ['n', 'n', 'n', 'n', 'p']) {
    await press(document.body, key);
    const now = selection();
    steps.push(now.kind === 'relocation' ? now.reloc : now.kind);
  }
  expect(steps).toEqual([0, 1, 2, 2, 1]);
  expect(session.getState().status).toBe('R_BPF_64_32 sec1 + 0x18 → lfunc');
  await press(find(host, 'input[aria-label="Go to offset"]'), 'n');
  expect(selection()).toEqual({ kind: 'relocation', reloc: 1 });
});

it('goes to an offset, counted as the view counts', async () => {
  const host = await show();
  await pickRegion(host, 2);
  await click(find(host, 'input[type=radio][value=section]'));
  await typeInto(find(host, 'input[aria-label="Go to offset"]'), '0x10');
  await fire(find(host, 'form'), new Event('submit', { bubbles: true, cancelable: true }));
  expect(selection()).toEqual({ kind: 'bytes', start: 0x50, end: 0x51 });
});

it('leaves announcements to the status region of the page', async () => {
  const host = await show();
  const own = [...host.querySelectorAll('[role=status]')].filter(
    (element) => element.closest('[role=grid]') === null && element.textContent !== '',
  );
  expect(own).toEqual([]);
});

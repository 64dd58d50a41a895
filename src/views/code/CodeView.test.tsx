// @vitest-environment happy-dom

import { act } from 'react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { spanOf } from '#bytes/span.ts';
import { relocIndex } from '#model/ids.ts';
import { select } from '#store/address/navigation.ts';
import * as bytesCache from '#store/session/bytes-cache.ts';
import { session } from '#store/session/session.ts';
import { find, fire, mount, press, unmountAll } from '#testing/mount.tsx';
import { openObject } from '#testing/open-model.ts';
import { sampleBytes } from '#testing/samples.ts';
import { openInSession, selectionInSession } from '#testing/session.ts';
import { UiProvider } from '#ui/UiProvider.tsx';
import { CodeView } from './CodeView.tsx';

beforeEach(async () => {
  const name = 'doc_call.bpf.o';
  const bytes = sampleBytes(name);
  // happy-dom has no worker: read bytes from the file instead.
  vi.spyOn(bytesCache, 'bytesNow').mockImplementation((_, start, end) =>
    bytes.subarray(start, end),
  );
  vi.spyOn(bytesCache, 'readBytes').mockImplementation(async (_, start, end) =>
    bytes.subarray(start, end),
  );
  const { model } = await openObject(name, bytes);
  openInSession(model, 'code');
});
afterEach(unmountAll);

const opened = () => session.getState().files[0];
const selection = selectionInSession;

function show() {
  return mount(
    <UiProvider>
      <CodeView />
    </UiProvider>,
  );
}

const grid = (host: HTMLElement) => find(host, '[role=grid][aria-label="Instructions"]');
const lit = (host: HTMLElement) =>
  host.querySelector('[role=grid] [aria-selected=true]')?.textContent ?? null;
const click = (element: HTMLElement) =>
  fire(element, new MouseEvent('click', { bubbles: true, cancelable: true }));

it('goes to a function that is picked, and shows its section', async () => {
  const host = await show();
  await click(find(host, '[role=listbox][aria-label="Functions"] [data-row="1"]'));
  expect(selection()).toMatchObject({ kind: 'insn', insnOff: 0 });
  expect(find(host, 'section:has([role=grid]) h2').textContent).toBe('.text');
  expect(lit(host)).toContain('r6 = r2');
});

it('highlights a relocation from elsewhere under its instruction, and describes it', async () => {
  const host = await show();
  await act(async () => select({ kind: 'relocation', reloc: relocIndex(1) }));
  expect(lit(host)).toContain('R_BPF_64_32  sec1 + 0x18 → lfunc');
  expect(host.textContent).toContain('(0x0 + 0x18) / 8 - 1 = 2');
  await press(grid(host), 'Enter');
  expect(opened()?.view).toBe('relocations');
});

it('moves with the arrow keys over instructions and their relocations', async () => {
  const host = await show();
  await act(async () => select({ kind: 'relocation', reloc: relocIndex(0) }));
  await press(grid(host), 'ArrowDown');
  expect(selection()).toMatchObject({ kind: 'insn', insnOff: 0x18 });
  await press(grid(host), 'ArrowUp');
  expect(selection()).toEqual({ kind: 'relocation', reloc: 0 });
});

it('shows the bytes of the instruction that is selected', async () => {
  const host = await show();
  await click(find(host, '[role=listbox][aria-label="Functions"] [data-row="1"]'));
  const button = [...host.querySelectorAll('button')].find((b) => b.textContent === 'Show bytes');
  if (button === undefined) throw new Error('there is a button');
  await click(button);
  const status = opened()?.status;
  const start = status?.step === 'ready' ? (status.model.sections.fileOffset[2] ?? 0) : 0;
  expect(selection()).toEqual({ kind: 'bytes', ...spanOf(start, 8) });
  expect(opened()?.view).toBe('bytes');
});

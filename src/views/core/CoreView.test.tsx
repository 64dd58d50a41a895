// @vitest-environment happy-dom

import { act } from 'react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { coreIndex } from '#model/ids.ts';
import type { Selection } from '#model/selection.ts';
import { select } from '#store/address/navigation.ts';
import * as bytesCache from '#store/session/bytes-cache.ts';
import { session } from '#store/session/session.ts';
import { find, fire, focus, mount, press, unmountAll } from '#testing/mount.tsx';
import { openObject } from '#testing/open-model.ts';
import { sampleBytes } from '#testing/samples.ts';
import { openInSession, selectionInSession } from '#testing/session.ts';
import { UiProvider } from '#ui/UiProvider.tsx';
import { CoreView } from './CoreView.tsx';

const file = { bytes: new Uint8Array(0) };

beforeEach(async () => {
  // happy-dom has no worker: read bytes from the file instead.
  vi.spyOn(bytesCache, 'bytesNow').mockImplementation((_, start, end) =>
    file.bytes.subarray(start, end),
  );
  const name = 'exec_trace.bpf.o';
  file.bytes = sampleBytes(name);
  const { model } = await openObject(name, file.bytes);
  openInSession(model, 'core');
});
afterEach(unmountAll);

const opened = () => session.getState().files[0];
const selection = selectionInSession;

function show() {
  return mount(
    <UiProvider>
      <CoreView />
    </UiProvider>,
  );
}

/** Selection of a record with access string `0:0:0` of struct cred: `p->uid.val`. */
const UID: Selection = { kind: 'core', core: coreIndex(2), step: null };

const chips = (host: HTMLElement) => [
  ...host.querySelectorAll<HTMLElement>('[role=toolbar][aria-label="Access string"] button'),
];
const button = (host: HTMLElement, name: string) => {
  const found = [...host.querySelectorAll('button')].find((each) => each.textContent === name);
  if (found === undefined) throw new Error(`no button ${name}`);
  return found;
};
const click = (element: HTMLElement) =>
  fire(element, new MouseEvent('click', { bubbles: true, cancelable: true }));

it('lists every record and selects the one that is clicked', async () => {
  const host = await show();
  const grid = find(host, '[role=grid][aria-label="CO-RE relocations"]');
  expect(grid.getAttribute('aria-rowcount')).toBe('35');
  await click(find(grid, '[data-row="2"]'));
  expect(selection()).toEqual(UID);
  expect(host.textContent).toContain('<byte_off> [31] struct cred.uid.val (0:0:0 @ offset 0)');
});

it('walks the access string by the arrow keys, in the one selection', async () => {
  const host = await show();
  await act(async () => select(UID));
  expect(chips(host).map((chip) => chip.textContent)).toEqual(['0 *p', '0 uid', '0 val']);
  const pressed = () =>
    chips(host).findIndex((chip) => chip.getAttribute('aria-pressed') === 'true');
  expect(pressed()).toBe(2);
  const last = chips(host)[2];
  if (last === undefined) throw new Error('there are three');
  await focus(last);
  await press(last, 'ArrowLeft');
  expect(selection()).toEqual({ ...UID, step: 1 });
  expect(pressed()).toBe(1);
  expect(host.textContent).toContain('Member 0 of struct cred, counted from 0: uid, kuid_t');
  await press(document.activeElement ?? last, 'Home');
  expect(selection()).toEqual({ ...UID, step: 0 });
  expect(chips(host).map((chip) => chip.tabIndex)).toEqual([0, -1, -1]);
});

it('shows the step whose index is pointed at', async () => {
  const host = await show();
  await act(async () => select(UID));
  const first = chips(host)[0];
  if (first === undefined) throw new Error('there are three');
  await fire(first, new MouseEvent('mouseover', { bubbles: true }));
  expect(selection()).toEqual({ ...UID, step: 0 });
});

it('compares the instruction with the local types, and links to it', async () => {
  const host = await show();
  await act(async () => select(UID));
  expect(host.textContent).toContain('It holds 0, the value computed from the local types.');
  await click(button(host, 'Show instruction'));
  expect([opened()?.view, selection()]).toEqual(['code', UID]);
});

it('links to the member of the type', async () => {
  const host = await show();
  await act(async () => select(UID));
  await click(button(host, 'Show type'));
  expect(opened()?.view).toBe('types');
  expect(selection()).toEqual({ kind: 'type', type: 31, memberPath: [0, 0] });
});

it('filters by kind', async () => {
  const host = await show();
  await click(button(host, 'Kinds'));
  const chip = [...document.querySelectorAll('button')].find((each) =>
    each.textContent?.startsWith('lshift_u64'),
  );
  if (chip === undefined) throw new Error('the sample has shifts');
  await click(chip);
  const rows = [...host.querySelectorAll('[role=grid] tbody tr')];
  expect(rows.map((row) => row.children[3]?.textContent)).toEqual(['lshift_u64', 'lshift_u64']);
});

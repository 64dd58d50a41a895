// @vitest-environment happy-dom
import { act } from 'react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { HistoryItem, NameHistory } from '#analysis/atlas/history.ts';
import * as files from '#store/session/files.ts';
import { activeFile, session } from '#store/session/session.ts';
import { fire, mount, observeNoSizes, unmountAll } from '#testing/mount.tsx';
import { openInSession } from '#testing/session.ts';
import { smallModel } from '#testing/small-graph.ts';
import { UiProvider } from '#ui/UiProvider.tsx';
import { NameHistoryPart } from './NameHistoryPart.tsx';

const item = (name: string, text: string): HistoryItem => ({
  name,
  text,
  bitOffset: null,
  bits: 0,
});
const history = (...items: readonly HistoryItem[]): NameHistory => ({
  kind: 'func',
  name: 'panic',
  forms: [{ title: 'void panic(...)', size: null, items, kernels: [0], modules: {} }],
});
const ANSWERS: Readonly<Record<string, NameHistory>> = {
  atlasHistory: history(item('returns', 'void')),
  atlasAttach: history(
    item('fentry', 'refused: panic has variable arguments.'),
    item(
      'kprobe',
      'undecided: It needs an address of panic in /proc/kallsyms, which is not known.',
    ),
  ),
};

beforeEach(() => {
  const client = {
    call: (method: string) => Promise.resolve({ ok: true, value: ANSWERS[method] }),
  };
  vi.spyOn(files, 'clientOf').mockReturnValue(
    client as unknown as ReturnType<typeof files.clientOf>,
  );
  observeNoSizes();
});
afterEach(unmountAll);

const KERNEL = {
  name: '6.18',
  version: '6.18',
  arch: 'amd64',
  flavour: '',
  endian: 'little',
  pointerSize: 8,
  typeCount: 1,
  size: 1,
  hasTypes: false,
} as const;

it('shows the attach points of a function as answers by kernel', async () => {
  openInSession(await smallModel(), 'history');
  const fileId = activeFile(session.getState())?.id ?? 0;
  const host = await mount(
    <UiProvider>
      <NameHistoryPart
        fileId={fileId}
        atlas={{ kernels: [KERNEL] }}
        entry={{ kind: 'func', name: 'panic' }}
        onBack={() => {}}
        onKernels={() => {}}
      />
    </UiProvider>,
  );
  await act(async () => {});
  expect(host.textContent).toContain('Offset in bytes');
  const [button] = [...host.querySelectorAll('input, button')].filter((one) =>
    (one.closest('label') ?? one).textContent?.includes('Attach points'),
  );
  if (button === undefined) throw new Error('no button');
  await fire(button, new MouseEvent('click', { bubbles: true }));
  await act(async () => {});
  expect(host.textContent).toContain('Kind of program');
  const legend = host.querySelector('[aria-label="Legend"]')?.textContent;
  expect(legend).toBe('traceablerefusedundecided');
});

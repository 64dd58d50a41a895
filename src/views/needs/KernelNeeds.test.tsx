// @vitest-environment happy-dom

import { afterEach, expect, it, vi } from 'vitest';
import { loadObject } from '#analysis/libbpf/open.ts';
import type { Need } from '#analysis/needs/need.ts';
import { needsOf } from '#analysis/needs/needs.ts';
import * as needsResults from '#store/kernels/needs-results.ts';
import { activeFile, session } from '#store/session/session.ts';
import { find, fire, mount, unmountAll } from '#testing/mount.tsx';
import { sampleObject } from '#testing/samples.ts';
import { openInSession, selectionInSession } from '#testing/session.ts';
import { UiProvider } from '#ui/UiProvider.tsx';
import { NeedsOfObject, needRows } from './KernelNeeds.tsx';

afterEach(async () => {
  await unmountAll();
  vi.restoreAllMocks();
});

async function show(name: string, kernels: readonly needsResults.KernelNeeds[] = []) {
  // The test environment has no worker.
  vi.spyOn(needsResults, 'useNeedsOnKernels').mockReturnValue(kernels);
  const { model, source } = await sampleObject(name);
  const opened = await loadObject(model, source);
  openInSession(model, 'needs');
  return mount(
    <UiProvider>
      <NeedsOfObject id={1} model={model} needs={needsOf(opened)} opened={opened} />
    </UiProvider>,
  );
}

const button = (host: HTMLElement, text: RegExp) => {
  const found = [...host.querySelectorAll('button')].find((one) => text.test(one.textContent));
  if (found === undefined) throw new Error(`no button ${text.source}`);
  return found;
};

it('shows the oldest Linux, and first what decides it', async () => {
  const host = await show('cpu_v4.bpf.o');
  expect(host.textContent).toContain('Needs Linux 6.9 or later: may_goto (');
  const grid = find(host, '[role=grid][aria-label="Needs of the object"]');
  expect(find(grid, '[data-row="0"]').textContent).toBe('Decides the version 1');
  expect(find(grid, '[data-row="1"]').textContent).toContain('may_goto6.9insn 1 of bounded');
  expect(host.textContent).toContain('Open the BTF of kernels to see which of them have all');
});

it('links from a need to its instruction, record and map', async () => {
  const host = await show('exec_trace.bpf.o');
  const rows = [...host.querySelectorAll('[data-row]')];
  const member = rows.find((row) => row.textContent?.startsWith('member task_struct.tgid'));
  if (member === undefined) throw new Error('the member has a row');
  await fire(member, new MouseEvent('click', { bubbles: true }));
  expect(host.textContent).toContain('depends on the kernel, not on its version');
  const click = (link: HTMLElement) => fire(link, new MouseEvent('click', { bubbles: true }));
  await click(find(member, '[title^="insn 4 of on_exec"]'));
  expect(activeFile(session.getState())?.view).toBe('code');
  expect(selectionInSession()).toMatchObject({ kind: 'insn', insnOff: 32 });
  await click(button(host, /^relo #/));
  expect(selectionInSession()).toMatchObject({ kind: 'core' });
  await click(button(host, /^map /));
  expect(activeFile(session.getState())?.view).toBe('data');
});

it('tells which open kernels have all, and selects what one lacks', async () => {
  const need: Need = {
    kind: 'instruction',
    name: 'byte swap',
    by: '',
    since: { version: '6.6', lacking: '6.5', commit: null },
    uses: [],
    records: [],
  };
  const on = (name: string, lacks: readonly Need[], unknown: readonly Need[]) => ({
    id: name.length,
    name,
    task: { step: 'ready' as const, value: { kernel: name, lacks, unknown } },
  });
  const host = await show('cpu_v4.bpf.o', [
    on('6.1', [need], []),
    on('6.6.0', [], [need]),
    on('6.12.0', [], []),
  ]);
  expect(host.textContent).toContain('1 of 3 kernels has all it needs; of 1 it is not known.');
  expect(host.textContent).toContain('6.1lacksbyte swap');
  expect(host.textContent).toContain('6.6.0not known:byte swap');
  await fire(button(host, /^byte swap$/), new MouseEvent('click', { bubbles: true }));
  expect(find(host, '[aria-selected=true]').textContent).toContain('byte swap6.6');
});

it('has no rows for an object that every kernel with BPF can load', () => {
  const nothing = { required: [], never: [], undecided: [], optional: [] };
  expect(needRows({ version: null, lacking: null, needsBtf: false, ...nothing })).toEqual([]);
});

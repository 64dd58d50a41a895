// @vitest-environment happy-dom

import { afterEach, expect, it } from 'vitest';
import { coreIndex } from '#model/ids.ts';
import { useActive } from '#store/session/hooks.ts';
import { activeFile, session } from '#store/session/session.ts';
import { find, fire, mount, unmountAll } from '#testing/mount.tsx';
import { openModel } from '#testing/open-model.ts';
import { sampleBytes } from '#testing/samples.ts';
import { openInSession, selectionInSession } from '#testing/session.ts';
import { UiProvider } from '#ui/UiProvider.tsx';
import { NeedsPanel } from './NeedsPanel.tsx';

afterEach(unmountAll);

function Shown() {
  const active = useActive();
  return active === null ? null : <NeedsPanel active={active} />;
}

async function show(name: string) {
  openInSession(await openModel(name, sampleBytes(name)), 'needs');
  return mount(
    <UiProvider>
      <Shown />
    </UiProvider>,
  );
}

it('lists the requirements by type, and writes the header', async () => {
  const host = await show('exec_trace.bpf.o');
  const grid = find(host, '[role=grid][aria-label="Required fields and types"]');
  expect(find(grid, '[data-row="0"]').textContent).toContain('struct task_struct');
  expect(find(host, 'pre').textContent).toContain('struct task_struct {');
  expect(host.textContent).toContain('Select a kernel as the target above');
  // The header contains only the needed types, unlike vmlinux.h.
  expect(host.textContent).toContain('C header of the CO-RE types');
  expect(host.textContent).not.toContain('vmlinux.h');
});

it('links from a field to the first relocation that needs it', async () => {
  const host = await show('exec_trace.bpf.o');
  const link = [...host.querySelectorAll('button')].find((b) => b.textContent === 'uid.val');
  if (link === undefined) throw new Error('the field is a link');
  await fire(link, new MouseEvent('click', { bubbles: true }));
  expect(selectionInSession()).toEqual({ kind: 'core', core: coreIndex(2), step: null });
  expect(activeFile(session.getState())?.view).toBe('core');
});

it('has an empty state without requirements', async () => {
  const host = await show('xdp_counter.bpf.o');
  expect(host.textContent).toContain('No kernel types required');
});

// @vitest-environment happy-dom
import { act } from 'react';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { coreIndex } from '#model/ids.ts';
import { useActive } from '#store/session/hooks.ts';
import { activeFile, session } from '#store/session/session.ts';
import { find, fire, mount, unmountAll } from '#testing/mount.tsx';
import { openModel } from '#testing/open-model.ts';
import { sampleBytes } from '#testing/samples.ts';
import { openInSession, selectionInSession } from '#testing/session.ts';
import { UiProvider } from '#ui/UiProvider.tsx';
import { LogPanel } from './LogPanel.tsx';

const SPEC =
  "libbpf: prog 'on_exec': relo #2: <byte_off> [31] struct cred.uid.val (0:0:0 @ offset 0)";

beforeEach(async () => {
  const name = 'exec_trace.bpf.o';
  openInSession(await openModel(name, sampleBytes(name)), 'log');
});
afterEach(unmountAll);

function Shown() {
  const active = useActive();
  return active === null ? null : <LogPanel active={active} />;
}

async function show() {
  return await mount(
    <UiProvider>
      <Shown />
    </UiProvider>,
  );
}

/** Types a text into the field with the native setter, because React replaces the element's. */
async function write(host: HTMLElement, text: string): Promise<void> {
  const box = find(host, 'textarea');
  const setter = Object.getOwnPropertyDescriptor(HTMLTextAreaElement.prototype, 'value')?.set;
  await act(async () => {
    setter?.call(box, text);
    box.dispatchEvent(new Event('input', { bubbles: true }));
  });
}

const rows = (host: HTMLElement) =>
  [...host.querySelectorAll('[aria-label="Lines of the log"] tbody tr')].map((row) =>
    [...row.querySelectorAll('td')].map((cell) => cell.textContent),
  );

it('offers actions as long as there is no log', async () => {
  const host = await show();
  expect(host.textContent).toContain('Explain a loader log');
  expect(host.querySelector('[role=grid]')).toBeNull();
});

it('distinguishes known from unknown lines', async () => {
  const host = await show();
  await write(
    host,
    `hello \u202e\n${SPEC}\nlibbpf: prog 'on_exec': relo #2: no matching targets found`,
  );
  expect(rows(host).map(([line, from]) => [line, from])).toEqual([
    ['1', 'unknown'],
    ['2', 'libbpf'],
    ['3', 'libbpf'],
  ]);
  expect(rows(host)[0]?.[2]).toBe('hello \\u{202e}');
  expect(host.textContent).toContain('3 lines · 2 known · 1 failure');
});

it('explains the spec above the failure, and links to its relocation', async () => {
  const host = await show();
  await write(host, `${SPEC}\nlibbpf: prog 'on_exec': relo #2: no matching targets found`);
  expect(host.textContent).toContain('byte_off of uid.val in struct cred.');
  const button = [...host.querySelectorAll('button')].find(
    (each) => each.textContent === 'Inspect relocation',
  );
  if (button === undefined) throw new Error('the relocation is a link');
  await fire(button, new MouseEvent('click', { bubbles: true }));
  expect(selectionInSession()).toEqual({ kind: 'core', core: coreIndex(2), step: null });
  expect(activeFile(session.getState())?.view).toBe('core');
});

it('keeps the log while another view is looked at', async () => {
  const host = await show();
  await write(host, SPEC);
  await unmountAll();
  const again = await show();
  expect(rows(again)).toHaveLength(1);
  const box = find(again, 'textarea');
  expect(box instanceof HTMLTextAreaElement && box.value).toBe(SPEC);
});

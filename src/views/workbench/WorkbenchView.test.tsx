// @vitest-environment happy-dom
import { act } from 'react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { closeFile } from '#store/session/files.ts';
import { activeFileNow, session } from '#store/session/session.ts';
import { openFilesInPage } from '#testing/in-page-worker.ts';
import { find, fire, mount, observeNoSizes, unmountAll } from '#testing/mount.tsx';
import { UiProvider } from '#ui/UiProvider.tsx';
import { openWorkbench } from './edit-workbench.ts';
import { WorkbenchView } from './WorkbenchView.tsx';

/** Waits until `check` passes, for longer than a busy machine needs. */
const until = (check: () => unknown) => vi.waitFor(check, { timeout: 15_000 });
vi.setConfig({ testTimeout: 60_000 });

beforeEach(() => {
  openFilesInPage();
  // Remove the text that the previous test has stored.
  localStorage.clear();
  observeNoSizes();
});

afterEach(async () => {
  await unmountAll();
  for (const { id } of session.getState().files) closeFile(id);
});

async function open() {
  await openWorkbench();
  return mount(
    <UiProvider>
      <WorkbenchView />
    </UiProvider>,
  );
}

const field = (host: HTMLElement) => {
  const found = host.querySelector('textarea');
  if (found === null) throw new Error('no editor');
  return found;
};

async function type(host: HTMLElement, text: string): Promise<void> {
  const set = Object.getOwnPropertyDescriptor(HTMLTextAreaElement.prototype, 'value')?.set;
  await act(async () => {
    set?.call(field(host), text);
    field(host).dispatchEvent(new Event('input', { bubbles: true }));
  });
}

const rows = (host: HTMLElement, label: string) =>
  [...host.querySelectorAll(`[aria-label="${label}"] [role="option"]`)].map(
    (row) => row.textContent,
  );

it('shows records, strings, bytes, layout and graph of the typed text', async () => {
  const host = await open();
  await type(host, 'struct pair { u8 one; u32 two; };');
  await until(() => expect(rows(host, 'Records')[0]).toContain("[1] STRUCT 'pair' size=8 vlen=2"));
  expect(rows(host, 'Strings by name_off').join()).toContain('pair');
  expect(find(host, '[aria-label="Layout to scale"]').textContent).toContain('3-byte hole');
  expect(find(host, '[aria-label^="Graph: pair"]').textContent).toContain('two');
  expect(find(host, '[aria-label="Bytes of the BTF"]').textContent).toContain('9feb0100');
});

it('marks new parts', async () => {
  const host = await open();
  await type(host, 'struct pair { u8 one; };');
  await until(() => expect(rows(host, 'Records')[0]).toContain('vlen=1'));
  await type(host, 'struct pair { u8 one; u32 two; };');
  await until(() => {
    const marked = [...host.querySelectorAll('[aria-label="Records"] [data-change]')];
    expect(marked.map((row) => row.getAttribute('data-change')).slice(0, 2)).toEqual([
      'changed',
      'new',
    ]);
  });
});

it('reports the problem and its place, and links to it', async () => {
  const host = await open();
  await type(host, 'struct s {\n\tfoo a;\n};');
  await until(() => expect(host.textContent).toContain('1 problem'));
  const problem = find(host, '#workbench-problems button');
  expect(problem.textContent).toBe('line 2, column 2foo is not a known type');
  expect(field(host).getAttribute('aria-invalid')).toBe('true');
  await fire(problem, new MouseEvent('click', { bubbles: true }));
  expect([field(host).selectionStart, field(host).selectionEnd]).toEqual([12, 15]);
  // The list still shows the records of the last text that compiled.
  expect(rows(host, 'Records').join()).toContain("STRUCT 'event'");
});

it('selects the record that is clicked, and lights its name', async () => {
  const host = await open();
  const row = [...host.querySelectorAll('[aria-label="Records"] [role="option"]')].find((one) =>
    one.textContent?.includes("'tgid'"),
  );
  if (row === undefined) throw new Error('no line of tgid');
  await fire(row, new MouseEvent('click', { bubbles: true }));
  expect(activeFileNow()?.selection).toMatchObject({ memberPath: [3] });
  expect(
    find(host, '[aria-label="Strings by name_off"] [aria-selected="true"]').textContent,
  ).toContain('tgid');
  expect(find(host, '[data-selected="true"][data-box]').textContent).toContain('tgid');
});

it('has an empty state without declarations', async () => {
  const host = await open();
  await type(host, '');
  await until(() => expect(host.textContent).toContain('No declarations yet'));
});

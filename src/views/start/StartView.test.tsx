// @vitest-environment happy-dom

import { act } from 'react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Issue } from '#bytes/issue.ts';
import type { ArchiveMember } from '#model/object-model.ts';
import { NO_SELECTION } from '#model/selection.ts';
import { extendPage } from '#store/address/page-extension.ts';
import * as remembered from '#store/kept/kept-files.ts';
import * as files from '#store/session/files.ts';
import * as samples from '#store/session/samples.ts';
import type { FileStatus, OpenFile } from '#store/session/session.ts';
import { find, fire, mount, typeInto, unmountAll, whenThere } from '#testing/mount.tsx';
import { keptDeclarations } from '#views/workbench/workbench-state.ts';
import { StartSection } from './StartSection.tsx';
import { StartView } from './StartView.tsx';
import { ArchiveView, OpeningView, RefusedView, WantedView } from './StatePage.tsx';

const store = {
  openMember: vi.fn(),
  cancelOpening: vi.fn(),
  closeFile: vi.fn(),
  openFile: vi.fn(),
  openSample: vi.fn(),
  forget: vi.fn(),
  forgetAll: vi.fn(),
  recall: vi.fn(),
  kept: [] as { sha256: string; name: string; size: number; openedAt: number }[],
};

const SAMPLES = [
  {
    file: 'a.bpf.o',
    title: 'First',
    about: 'One.',
    endian: 'little',
    kernels: [],
    size: 10,
    types: 1,
  },
  {
    file: 'a.be.bpf.o',
    title: 'First (big-endian)',
    about: 'One.',
    endian: 'big',
    kernels: [],
    size: 10,
  },
] as Partial<samples.Sample>[] as samples.Sample[];

beforeEach(() => {
  vi.spyOn(files, 'openMember').mockImplementation(store.openMember);
  vi.spyOn(files, 'cancelOpening').mockImplementation(store.cancelOpening);
  vi.spyOn(files, 'closeFile').mockImplementation(store.closeFile);
  vi.spyOn(files, 'openFile').mockImplementation(store.openFile);
  vi.spyOn(samples, 'loadSamples').mockResolvedValue(SAMPLES);
  vi.spyOn(samples, 'sampleFile').mockRejectedValue(new Error('there is no server'));
  vi.spyOn(samples, 'openSample').mockImplementation(store.openSample);
  vi.spyOn(remembered, 'listRemembered').mockImplementation(async () => [...store.kept]);
  vi.spyOn(remembered, 'recall').mockImplementation(store.recall);
  vi.spyOn(remembered, 'forget').mockImplementation(store.forget);
  vi.spyOn(remembered, 'forgetAll').mockImplementation(store.forgetAll);
  store.kept = [];
  vi.clearAllMocks();
});
afterEach(unmountAll);

const click = (element: Element) => fire(element, new MouseEvent('click', { bubbles: true }));

function named(host: Element, name: string): HTMLElement {
  const found = [...host.querySelectorAll<HTMLElement>('button')].find(
    (button) => (button.getAttribute('aria-label') ?? button.textContent) === name,
  );
  if (found === undefined) throw new Error(`no button is named ${name}`);
  return found;
}

/** Unfolds the examples, whose code is loaded when the page is drawn. */
async function openExamples(host: Element): Promise<void> {
  await vi.waitFor(
    async () => {
      await act(async () => undefined);
      named(host, 'All examples1 file with source');
    },
    { timeout: 30_000 },
  );
  await click(named(host, 'All examples1 file with source'));
}

function file(status: FileStatus): OpenFile {
  return {
    id: 7,
    name: 'prog\u202e.o',
    size: 2048,
    sample: null,
    sha256: null,
    status,
    findings: null,
    view: 'overview',
    selection: NO_SELECTION,
  };
}

function AddedAction() {
  return <button type="button">Continue</button>;
}

function Added() {
  return <StartSection title="Added">{null}</StartSection>;
}

describe('StartView', () => {
  it('opens a file and an example', async () => {
    const onOpen = vi.fn();
    const host = await mount(<StartView onOpen={onOpen} />);
    await click(named(host, 'Open file'));
    expect(onOpen).toHaveBeenCalledOnce();
    await openExamples(host);
    await click(named(host, 'Open example First'));
    expect(store.openSample).toHaveBeenCalledWith('a.bpf.o');
  });

  it('shows the examples of the other byte order', async () => {
    const host = await mount(<StartView onOpen={() => {}} />);
    await openExamples(host);
    await click(find(host, 'input[value=big]'));
    await click(named(host, 'Open example First (big-endian)'));
    expect(store.openSample).toHaveBeenCalledWith('a.be.bpf.o');
  });

  it('opens and forgets files of earlier visits', async () => {
    store.kept = [{ sha256: 'ab', name: 'old.o', size: 1, openedAt: 0 }];
    store.recall.mockResolvedValue('the file');
    const host = await mount(<StartView onOpen={() => {}} />);
    await click(named(host, 'Open old.o'));
    expect(store.openFile).toHaveBeenCalledWith('the file');
    store.forget.mockImplementation(() => {
      store.kept = [];
      return Promise.resolve();
    });
    await click(named(host, 'Remove old.o'));
    await vi.waitFor(() => expect(host.textContent).not.toContain('old.o'));
  });

  it('lists the kept workbench text; Remove all forgets it with the files', async () => {
    keptDeclarations.write({ text: 'struct secret { int a; };', endian: 'little' });
    store.kept = [{ sha256: 'ab', name: 'old.o', size: 1, openedAt: 0 }];
    store.forgetAll.mockImplementation(async () => {
      store.kept = [];
    });
    const host = await mount(<StartView onOpen={() => {}} />);
    await vi.waitFor(() => named(host, 'Open old.o'));
    named(host, 'Open Workbench text');
    await click(named(host, 'Remove all'));
    await vi.waitFor(() => expect(host.textContent).not.toContain('Recent files'));
    expect(keptDeclarations.read()).toBeNull();
    expect(JSON.stringify({ ...localStorage })).not.toContain('secret');
  });

  it('removes the kept workbench text alone', async () => {
    keptDeclarations.write({ text: 'struct secret { int a; };', endian: 'little' });
    const host = await mount(<StartView onOpen={() => {}} />);
    await click(named(host, 'Remove Workbench text'));
    await vi.waitFor(() => expect(host.textContent).not.toContain('Recent files'));
    expect(keptDeclarations.read()).toBeNull();
  });

  it('has the action of a module on the first screen, before the questions', async () => {
    extendPage({ StartAction: AddedAction });
    const host = await mount(<StartView onOpen={() => {}} />);
    const names = [...host.querySelectorAll('button')].map(({ textContent }) => textContent);
    expect(names.slice(0, 2)).toEqual(['Continue', 'Open file']);
  });

  it('has a heading of the first level, and the others below it, also those that a module adds', async () => {
    extendPage({ StartSection: Added });
    const host = await mount(<StartView onOpen={() => {}} />);
    await openExamples(host);
    const headings = () => [...host.querySelectorAll('h1,h2,h3,h4')];
    await vi.waitFor(
      async () => {
        await act(async () => undefined);
        expect(host.textContent).toContain('One struct over six kernels');
      },
      { timeout: 30_000 },
    );
    expect(headings().map(({ tagName }) => tagName)).toEqual(['H1', 'H2', 'H2', 'H2', 'H2']);
  });
});

describe('OpeningView', () => {
  it('shows its progress and can be cancelled', async () => {
    const host = await mount(
      <OpeningView file={file({ step: 'opening', what: 'reading types', done: 1, total: 4 })} />,
    );
    const bar = find(host, '[role=progressbar]');
    expect(bar.getAttribute('aria-valuenow')).toBe('25');
    expect(host.textContent).toContain('Reading types…');
    expect(host.textContent).toContain('prog\\u{202e}.o');
    await click(named(host, 'Cancel'));
    expect(store.cancelOpening).toHaveBeenCalledWith(7);
  });

  it('shows the first lines of a text that is being read', async () => {
    const status = { step: 'opening', what: 'reading lines', done: 1, total: 4 } as const;
    const host = await mount(<OpeningView file={file({ ...status, lines: 'one\ntwo' })} />);
    expect(find(host, 'pre').textContent).toBe('one\ntwo');
  });

  it('does not make up a number', async () => {
    const host = await mount(
      <OpeningView file={file({ step: 'opening', what: 'reading', done: 0, total: 0 })} />,
    );
    expect(find(host, '[role=progressbar]').getAttribute('aria-valuenow')).toBeNull();
  });
});

describe('RefusedView', () => {
  const issue: Issue = {
    severity: 'error',
    code: 'btf.header-too-short',
    message: 'The header is too short',
    span: { start: 4, end: 8 },
    region: '.BTF',
    expected: '24 or more',
    found: '4',
    advice: 'Build it again.',
  };

  it('states what failed, where, what was expected and what to do', async () => {
    const host = await mount(
      <RefusedView file={file({ step: 'failed', issue })} onOpen={() => {}} />,
    );
    const said = ['The header is too short', '0x4 to 0x8', '24 or more', 'Build it again.', '.BTF'];
    for (const part of said) expect(host.textContent).toContain(part);
    await click(named(host, 'Close this one'));
    expect(store.closeFile).toHaveBeenCalledWith(7);
  });

  it('takes a cancelled file for no failure', async () => {
    const cancelled: Issue = { ...issue, code: 'request.cancelled', message: 'cancelled' };
    const host = await mount(
      <RefusedView file={file({ step: 'failed', issue: cancelled })} onOpen={() => {}} />,
    );
    expect(find(host, 'h1').textContent).toMatch(/^Opening .* was cancelled$/);
    expect(host.textContent).not.toContain('could not be opened');
  });
});

describe('ArchiveView', () => {
  const members: ArchiveMember[] = [
    { name: 'a.o', kind: 'BPF object', fileOffset: 68, size: 100, packing: null },
    { name: 'b.o', kind: 'other', fileOffset: 228, size: 1000, packing: null },
  ];

  it('opens the member that is clicked', async () => {
    const host = await mount(<ArchiveView file={file({ step: 'archive', members, issues: [] })} />);
    expect((await whenThere(host, '[role=grid]')).getAttribute('aria-label')).toBe(
      'Archive members',
    );
    await click(find(host, '[data-row="1"] td'));
    expect(store.openMember).toHaveBeenCalledExactlyOnceWith(7, members[1]);
  });

  it('has a filter for many members', async () => {
    const many = Array.from({ length: 20 }, (_, i): ArchiveMember => {
      const name = `lib/Module${i}.ko`;
      return { name, kind: 'kernel module', fileOffset: i, size: 1, packing: null };
    });
    const few = file({ step: 'archive', members, issues: [] });
    const without = await mount(<ArchiveView file={few} />);
    expect(without.querySelector('input')).toBeNull();
    const host = await mount(
      <ArchiveView file={file({ step: 'archive', members: many, issues: [] })} />,
    );
    await whenThere(host, '[role=grid]');
    await typeInto(find(host, 'input'), 'module1');
    expect(host.textContent).toContain('11 of 20');
    await click(find(host, '[data-row="1"] td'));
    expect(store.openMember).toHaveBeenLastCalledWith(7, many[10]);
  });

  it('shows the faults of the archive', async () => {
    const issues: Issue[] = Array.from({ length: 6 }, (_, i) => ({
      severity: 'warning',
      code: 'ar.x',
      message: `fault ${i}`,
      span: { start: i, end: i + 1 },
      region: '',
    }));
    const host = await mount(<ArchiveView file={file({ step: 'archive', members, issues })} />);
    expect(host.textContent).toContain('fault 3');
    expect(host.textContent).toContain('and 2 more');
  });

  it('has an empty state without members', async () => {
    const host = await mount(
      <ArchiveView file={file({ step: 'archive', members: [], issues: [] })} />,
    );
    expect(host.textContent).toContain('Empty archive');
  });
});

describe('WantedView', () => {
  const sha256 = 'ab'.repeat(32);

  it('asks the user for the file of a link', async () => {
    const onOpen = vi.fn();
    const host = await mount(
      <WantedView wanted={{ file: sha256, name: 'prog.o', problem: 'not open' }} onOpen={onOpen} />,
    );
    expect(find(host, 'h1').textContent).toBe('This link needs prog.o');
    expect(host.textContent).toContain(sha256);
    await click(named(host, 'Open file'));
    expect(onOpen).toHaveBeenCalledOnce();
  });

  it('gives the reason why a link cannot be opened', async () => {
    const problem = 'No example is named x';
    const host = await mount(
      <WantedView wanted={{ file: 'sample:x', name: '', problem }} onOpen={() => {}} />,
    );
    expect(host.textContent).toContain(`${problem}.`);
    expect(host.textContent).not.toContain('SHA-256');
  });
});

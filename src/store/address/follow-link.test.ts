import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { typesLink } from '#analysis/links/carried-link.ts';
import { findTypeKey } from '#analysis/types/type-key.ts';
import type { ObjectModel } from '#model/object-model.ts';
import { NO_SELECTION } from '#model/selection.ts';
import { nameOf, type TypeTable } from '#model/type-table.ts';
import { loadState, targetChoices } from '#store/kernels/core-view.ts';
import { closeFile, openFile } from '#store/session/files.ts';
import { activate } from '#store/session/panes.ts';
import {
  activeFileNow,
  activeId,
  type FileId,
  type OpenFile,
  patchFile,
  session,
} from '#store/session/session.ts';
import { applyViewState, formatViewState } from '#store/session/view-state.ts';
import type { ViewName } from '#store/session/views.ts';
import { ecoffObject } from '#testing/ecoff-object.ts';
import { PDATA_EXPRESSION } from '#testing/ecoff-samples.ts';
import { openFilesInPage } from '#testing/in-page-worker.ts';
import { runs } from '#testing/runs.ts';
import { sampleBytes, samplePath } from '#testing/samples.ts';
import { parseAddress } from './address.ts';
import { keyOfId, openByKey } from './file-keys.ts';
import { followAddress, followIn, resumeLink } from './follow-link.ts';
import { linkWithType, referenceLink } from './make-link.ts';
import { currentAddress, goToStart, select } from './navigation.ts';
import { askConsent, openSource, useConsent } from './source-link.ts';

const fetched: string[] = [];
/** Folder that the page names as the folder of its own server; null for none. */
let named: string | null = null;

beforeEach(() => {
  openFilesInPage();
  stop = session.subscribe(resumeLink);
  fetched.length = 0;
  named = null;
  vi.stubGlobal('document', {
    baseURI: 'https://tools.example/',
    getElementById: () => null,
    querySelector: () => (named === null ? null : { content: named }),
  });
  vi.stubGlobal('fetch', async (input: string | URL) => {
    const path = `${input}`.replace(/^.*samples\//, '');
    fetched.push(path);
    return new Response(readFileSync(samplePath(path)));
  });
});

let stop = () => {};

afterEach(() => {
  stop();
  for (const { id } of session.getState().files) closeFile(id);
  session.setState({ wanted: null, panes: [] });
  useConsent.getState().answer(false);
  vi.unstubAllGlobals();
});

const active = (): OpenFile => {
  const file = activeFileNow();
  if (file === null) throw new Error('no file is looked at');
  return file;
};

it('a file that two ask for at a time is opened once', async () => {
  const [one, other] = await Promise.all([
    openByKey('sample:kinds.btf', ''),
    openByKey('sample:kinds.btf', '', { activate: false }),
  ]);
  expect(one.file?.id).toBe(other.file?.id);
  expect(session.getState().files).toHaveLength(1);
  closeFile(session.getState().files[0]?.id ?? -1);
  expect((await openByKey('sample:kinds.btf', '')).file).not.toBeNull();
  expect(session.getState().files).toHaveLength(1);
});

it('a second link to a file that is still being opened selects its type', async () => {
  const first = followAddress('#/overview?file=sample:kinds.btf');
  await new Promise<void>((resolve) => {
    const unsubscribe = session.subscribe(({ files }) => {
      if (files.length === 0) return;
      unsubscribe();
      resolve();
    });
  });
  expect(active().status.step).toBe('opening');
  await Promise.all([first, followAddress('#/types?file=sample:kinds.btf&type=struct:integers')]);
  expect(active().view).toBe('types');
  expect(selectedName()).toBe('integers');
});

const modelOf = ({ status }: OpenFile): ObjectModel => {
  if (status.step !== 'ready') throw new Error(`the file is ${status.step}`);
  return status.model;
};

const typesIn = (file: OpenFile): TypeTable => {
  const { types } = modelOf(file);
  if (types === null) throw new Error('no types');
  return types;
};

const selectedName = () => {
  const { selection } = active();
  return selection.kind === 'type' ? nameOf(typesIn(active()), selection.type) : selection.kind;
};

const open = (name: string) => openFile(new File([sampleBytes(name)], name));
const hashOf = async (file: OpenFile) => {
  await vi.waitFor(() =>
    expect(session.getState().files.find((f) => f.id === file.id)?.sha256).toMatch(
      /^[0-9a-f]{64}$/,
    ),
  );
};
const notice = () => active().notice ?? null;

/** Selects the struct with this name. */
function selectStruct(name: string): void {
  const id = findTypeKey(typesIn(active()), { kind: 'struct', name, ordinal: 0 });
  if (id === null) throw new Error(`no struct ${name}`);
  select({ kind: 'type', type: id, memberPath: [] });
}

describe('a person who goes elsewhere while a link opens', () => {
  /** Delays the reading of the file with this name until the test calls the returned function. */
  const holdBack = (name: string) => {
    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    const { fetch } = globalThis;
    vi.stubGlobal('fetch', async (input: string | URL) => {
      if (`${input}`.endsWith(name)) await released;
      return await fetch(input);
    });
    return () => release();
  };

  it('to the start page, before the bytes are here, stays there; the file opens behind it', async () => {
    const release = holdBack('kinds.btf');
    const followed = followAddress('#/types?file=sample:kinds.btf');
    goToStart();
    release();
    await followed;
    expect(session.getState()).toMatchObject({ panes: [], wanted: null });
    expect(session.getState().files).toHaveLength(1);
  });

  it('and whose link cannot be followed is not asked for its file any more', async () => {
    const followed = followAddress('#/types?file=sample:none.btf');
    goToStart();
    await followed;
    expect(session.getState()).toMatchObject({ panes: [], wanted: null });
  });

  it.each([
    ['the start page', goToStart, () => null],
    ['another file', activate, (other: FileId) => other],
  ])('to %s, before the target is here, stays there', async (_, go, stays) => {
    const other = await open('kinds.btf');
    const release = holdBack('kernel.btf');
    const followed = followAddress('#/core?file=sample:exec_trace.bpf.o&target=sample:kernel.btf');
    await vi.waitFor(() =>
      expect(active()).toMatchObject({ sample: 'exec_trace.bpf.o', status: { step: 'ready' } }),
    );
    go(other);
    release();
    await followed;
    expect(activeId(session.getState())).toBe(stays(other));
  });
});

describe('a link to an example', () => {
  it('opens it, goes to the view and selects', async () => {
    await followAddress('#/bytes?file=sample:exec_trace.bpf.o&type=struct:task_struct');
    expect(active()).toMatchObject({ view: 'bytes', sample: 'exec_trace.bpf.o' });
    expect(selectedName()).toBe('task_struct');
    expect(notice()).toBeNull();
  });

  it('that is invalid is reported and fetches only the list', async () => {
    await followAddress('#/bytes?file=sample:../../secret');
    expect(session.getState().wanted?.problem).toBe('No example is named ../../secret');
    expect(fetched.filter((path) => path !== 'index.json')).toEqual([]);
  });

  it('with a missing type is reported, and shows the view', async () => {
    await followAddress('#/types?file=sample:kinds.bpf.o&type=struct:nobody');
    expect(active().view).toBe('types');
    expect(notice()?.sentences).toEqual(['This file has no type struct:nobody']);
  });

  it('on a base opens the base too', async () => {
    await followAddress('#/types?file=sample:module.btf&base=sample:kernel.btf');
    const address = currentAddress(session.getState());
    expect(address).toBe('#/types?file=sample:module.btf&base=sample:kernel.btf');
    expect(active().base?.chosen?.name).toBe('kernel.btf');
    expect(notice()).toBeNull();
  });

  it('on a base that cannot be fetched is reported', async () => {
    await followAddress(`#/types?file=sample:module.btf&base=${'a'.repeat(64)}`);
    expect(active().sample).toBe('module.btf');
    expect(notice()?.sentences[0]).toMatch(/^The base of this link is not open/);
  });
});

describe('a link to a file', () => {
  it('is finished when that file is opened', async () => {
    await open('kinds.bpf.o');
    selectStruct('integers');
    const file = active();
    await hashOf(file);
    const link = referenceLink(active()) ?? '';
    closeFile(file.id);

    await followAddress(link);
    expect(session.getState().wanted?.problem).toMatch(/^This link needs kinds.bpf.o with SHA-256/);
    await open('kinds.bpf.o');
    await vi.waitFor(() => expect(selectedName()).toBe('integers'));
    expect(session.getState().wanted).toBeNull();
  });

  it('is finished once the hash of that file, which was open, is known', async () => {
    await open('kinds.bpf.o');
    selectStruct('integers');
    const { id } = active();
    await hashOf(active());
    const link = referenceLink(active()) ?? '';
    const { sha256 } = active();
    patchFile(id, { sha256: null, selection: NO_SELECTION });
    await followAddress(link);
    expect(session.getState().wanted?.problem).toMatch(/^This link needs kinds.bpf.o with SHA-256/);
    patchFile(id, { sha256 });
    await vi.waitFor(() => expect(selectedName()).toBe('integers'));
    expect(session.getState().wanted).toBeNull();
  });

  it('opened on another build finds the type again and reports the differences', async () => {
    const link = `#/types?file=${'a'.repeat(64)}&name=vmlinux&type=struct:task_struct&h=0000000`;
    await followAddress(link);
    await open('exec_trace.bpf.o');
    await vi.waitFor(() => expect(selectedName()).toBe('task_struct'));
    expect(notice()).toEqual({
      expected: 'a'.repeat(64),
      sentences: [expect.stringMatching(/^Same name, different layout/)],
    });
  });

  it('with the right layout gives no report', async () => {
    await open('exec_trace.bpf.o');
    selectStruct('task_struct');
    await hashOf(active());
    const link = referenceLink(active()) ?? '';
    expect(link).toMatch(/&h=[0-9a-z]{7}$/);
    await followAddress(link.replace(/file=[0-9a-f]+/, `file=${'a'.repeat(64)}`));
    await open('exec_trace.bpf.o');
    await vi.waitFor(() => expect(notice()).toEqual({ expected: 'a'.repeat(64), sentences: [] }));
  });

  it('is given up when the person goes elsewhere', async () => {
    await open('kinds.bpf.o');
    const { id } = active();
    await followAddress(`#/graph?file=${'b'.repeat(64)}&type=struct:nobody`);
    activate(id);
    session.setState({ wanted: null });
    await open('layout.bpf.o');
    expect(active().view).not.toBe('graph');
    expect(notice()).toBeNull();
  });
});

describe('a link that carries types', () => {
  const link = async () => {
    await open('exec_trace.bpf.o');
    selectStruct('task_struct');
    const types = typesIn(active());
    const id = findTypeKey(types, { kind: 'struct', name: 'task_struct', ordinal: 0 });
    const carried = id && (await typesLink(types, id, 0, new AbortController().signal));
    if (!carried || id === null) throw new Error('no link');
    const address = linkWithType(active(), id, carried.key);
    closeFile(active().id);
    return address;
  };

  it('opens them, names their source, and keeps the address', async () => {
    const address = await link();
    await followAddress(address);
    expect(selectedName()).toBe('task_struct');
    expect(active().name).toBe('task_struct.btf');
    expect(active().origin).toMatchObject({
      name: 'exec_trace.bpf.o',
      carries: { kind: 'types' },
    });
    expect(currentAddress(session.getState())).toBe(address);
  });

  it('followed again goes to the file that is open', async () => {
    const address = await link();
    await followAddress(address);
    await followAddress(address);
    expect(session.getState().files).toHaveLength(1);
  });

  it('names its file also after that was closed: it may be the base of another', async () => {
    await followAddress(await link());
    const { id } = active();
    const key = keyOfId(id);
    expect(key).toMatch(/^btf1:/);
    closeFile(id);
    expect(keyOfId(id)).toBe(key);
  });

  it('that was cut is reported', async () => {
    const address = await link();
    await followAddress(address.replace(/(btf1:.{30})[^&]*/, '$1'));
    expect(session.getState().wanted?.problem).toMatch(/cut or changed/);
    expect(session.getState().files).toEqual([]);
  });
});

const shownParams = (view: ViewName) => formatViewState(active(), view);

describe('what views keep', () => {
  it('is in the address, and comes back from it', async () => {
    await followAddress('#/text?file=sample:kinds.bpf.o&as=json');
    expect(shownParams('text').get('as')).toBe('json');
    expect(currentAddress(session.getState())).toBe('#/text?file=sample:kinds.bpf.o&as=json');
    applyViewState(active().id, 'text', new Map());
    expect(currentAddress(session.getState())).toBe('#/text?file=sample:kinds.bpf.o');
  });

  it.each(['bpftool=7.1', 'pahole=1.24'])('names an older version of a tool: %s', async (key) => {
    const address = `#/text?file=sample:kinds.bpf.o&as=pahole&${key}`;
    await followAddress(address);
    const [tool = '', version] = key.split('=');
    expect(shownParams('text')).toEqual(
      new Map([
        ['as', 'pahole'],
        [tool, version],
      ]),
    );
    expect(currentAddress(session.getState())).toBe(address);
    applyViewState(active().id, 'text', new Map([['as', 'pahole']]));
    expect(currentAddress(session.getState())).not.toContain(key);
    applyViewState(active().id, 'text', new Map());
  });

  it('of Load names the kernels, of CO-RE the target; former addresses still open', async () => {
    const at = '#/core?file=sample:exec_trace.bpf.o&target=sample:kernel.btf';
    const load = '#/load?file=sample:exec_trace.bpf.o&kernels=sample:kernel.btf~kernel.btf';
    for (const mode of ['matrix', 'load']) {
      await followAddress(`${at}&mode=${mode}`);
      expect(active()).toMatchObject({ sample: 'exec_trace.bpf.o', view: 'load' });
      expect(currentAddress(session.getState())).toBe(load);
    }
    for (const view of ['log', 'playground', 'needs'] as const) {
      await followAddress(`${at}&mode=${view}`);
      expect(currentAddress(session.getState())).toBe(at.replace('core', view));
    }
    await followAddress(at);
    expect(currentAddress(session.getState())).toBe(at);
  });

  it('opens the kernels that it names, leaves out others, and keeps in mind those that are missing', async () => {
    await followAddress('#/core?file=sample:exec_trace.bpf.o&target=sample:kernel.btf');
    const hash = 'ab'.repeat(32);
    const named = `kernels=sample:kinds.btf~kinds.btf,${hash}~vmlinux%2C%7E6.1.btf`;
    await followAddress(`#/core?file=sample:exec_trace.bpf.o&target=none&${named}&mode=load`);
    const { targets, wanted } = loadState.of(active());
    expect(wanted).toEqual([{ key: hash, name: 'vmlinux,~6.1.btf' }]);
    const chosen = targetChoices(active().id, session.getState().files, targets);
    expect(chosen.filter(({ isChosen }) => isChosen).map(({ name }) => name)).toEqual([
      'kinds.btf',
    ]);
    expect(currentAddress(session.getState())).toMatch(/^#\/load\?.*&kernels=/);
    expect(currentAddress(session.getState())).toContain(`&${named}`);
  });
});

describe('src=', () => {
  const base = 'https://tools.example/btfscope/';
  const answer = (yes: boolean) => useConsent.getState().answer(yes);

  it('asks for confirmation, then fetches from the own server', async () => {
    const opening = openSource('samples/kinds.bpf.o', base);
    expect(useConsent.getState().request).toEqual({
      kind: 'source',
      origin: 'https://tools.example',
      address: 'https://tools.example/btfscope/samples/kinds.bpf.o',
    });
    expect(fetched).toEqual([]);
    answer(true);
    expect((await opening).file?.name).toBe('kinds.bpf.o');
    expect(fetched).toEqual(['kinds.bpf.o']);
  });

  it('fetches without a question what the server named in the page, and nothing else', async () => {
    named = 'samples/';
    expect((await openSource('samples/kinds.bpf.o', base)).file?.name).toBe('kinds.bpf.o');
    expect(useConsent.getState().request).toBeNull();
    const other = openSource('samples/../kinds.bpf.o', base);
    expect(useConsent.getState().request).not.toBeNull();
    answer(false);
    expect((await other).file).toBeNull();
  });

  it('fetches no file when the user declines', async () => {
    const opening = openSource('samples/kinds.bpf.o', base);
    answer(false);
    expect((await opening).problem).toMatch(/^Not opened, as you chose/);
    expect(fetched).toEqual([]);
  });

  it.each([
    ['https://evil.example/x.o', /requests files only from its own server/],
    ['//evil.example/x.o', /requests files only from its own server/],
    ['javascript:alert(1)', /not a file address/],
    ['data:text/plain,hi', /not a file address/],
    ['blob:https://tools.example/1', /not a file address/],
    ['http://', /not a file address/],
  ])('refuses %s without asking', async (src, why) => {
    expect((await openSource(src, base)).problem).toMatch(why);
    expect(useConsent.getState().request).toBeNull();
    expect(fetched).toEqual([]);
  });

  it('shows one question at a time', async () => {
    const first = askConsent({ kind: 'source', origin: 'a', address: 'a' });
    expect(await askConsent({ kind: 'source', origin: 'b', address: 'b' })).toBe(false);
    answer(true);
    expect(await first).toBe(true);
  });
});

it('a page that hands a file over may say where to go in it', async () => {
  const id = await open('exec_trace.bpf.o');
  await followIn(id, parseAddress('#/graph?file=sample:kinds.bpf.o&src=x&type=struct:task_struct'));
  expect(active()).toMatchObject({ id, view: 'graph' });
  expect(selectedName()).toBe('task_struct');
});

it('to a view that the file cannot have ends at its overview', async () => {
  const id = await openFile(new File([ecoffObject(PDATA_EXPRESSION).slice()], 'a.o'));
  await followIn(id, parseAddress('#/types?section=.text'));
  expect(active().view).toBe('overview');
  expect(active().selection.kind).toBe('section');
  expect(notice()?.sentences).toEqual(['This file has no view Types']);
});

it('for any link the page stays as it is, shows a place, or gives the reason', async () => {
  await open('kinds.bpf.o');
  const part = fc.oneof(
    fc.constantFrom('type=struct:integers', 'member=a', 'embed=1', 'base=', 'as=raw', 'core=x@0x0'),
    fc
      .tuple(
        fc.constantFrom('file', 'base', 'target', 'type', 'h', 'mode', 'name', 'src'),
        fc.string(),
      )
      .map((p) => p.join('=')),
  );
  const hash = fc.tuple(fc.string({ maxLength: 8 }), fc.array(part, { maxLength: 5 }));
  await fc.assert(
    fc.asyncProperty(hash, async ([view, parts]) => {
      const going = followAddress(`#/${view}?${parts.join('&')}`);
      useConsent.getState().answer(false);
      await going;
      const { wanted } = session.getState();
      expect(wanted === null || wanted.problem !== '').toBe(true);
      // Whatever link was followed, the page's current place has an address.
      expect(currentAddress(session.getState())).toMatch(/^#\//);
    }),
    { numRuns: runs(150) },
  );
});

import { beforeEach, expect, it, vi } from 'vitest';
import { openFilesInPage } from '#testing/in-page-worker.ts';
import { sampleBytes } from '#testing/samples.ts';
import { openFile, openFiles, openFolder } from './files.ts';
import { activate, setView } from './panes.ts';
import { activeFileNow, activeId, announce, fileNow, session } from './session.ts';

beforeEach(openFilesInPage);

/** Returns a file that the page can read but its worker cannot. */
function unreadableThere(): File {
  const file = new File([new Uint8Array(sampleBytes('kinds.btf'))], 'kinds.btf');
  file.slice = () => {
    throw new DOMException('', 'NotFoundError');
  };
  return file;
}

it('hands the worker bytes where its origin is opaque and it cannot read the file', async () => {
  vi.stubGlobal('origin', 'null');
  const id = await openFile(unreadableThere());
  vi.unstubAllGlobals();
  expect(fileNow(id)?.status).toMatchObject({ step: 'ready' });
});

it('keeps the reason where the file itself cannot be read', async () => {
  vi.stubGlobal('origin', 'null');
  const file = unreadableThere();
  file.arrayBuffer = () => Promise.reject(new DOMException('', 'NotFoundError'));
  const id = await openFile(file);
  vi.unstubAllGlobals();
  expect(fileNow(id)?.status).toMatchObject({
    step: 'failed',
    issue: { code: 'source.unreadable' },
  });
});

const sampleFile = (name: string) => new File([new Uint8Array(sampleBytes(name))], name);

it('builds an atlas of a folder, and says why where it has no kernel', async () => {
  const file = (name: string) => ({ path: `k/${name}`, file: sampleFile(name) });
  const kernel = { ...file('kernel.btf'), path: 'k/vmlinux-6.1.btf' };
  const id = await openFolder('k', [kernel, file('doc_core.bpf.o')]);
  expect(fileNow(id)).toMatchObject({
    name: 'k.btfatlas',
    view: 'history',
    status: { step: 'atlas', atlas: { kernels: [{ name: '6.1' }] } },
  });
  expect(await openFolder('src', [file('doc_core.bpf.o')])).toBeNull();
  expect(session.getState().status).toBe('Could not open src: src is a folder without a kernel');
  expect(session.getState().files.at(-1)?.status).toMatchObject({
    issue: { advice: expect.stringContaining('Drop the files in it') },
  });
});

it('stays with the object whose CO-RE relocations are looked at when a kernel is opened', async () => {
  const object = await openFile(sampleFile('doc_core.bpf.o'));
  setView(object, 'core');
  const kernel = await openFile(sampleFile('kernel.btf'));
  expect(activeId(session.getState())).toBe(object);
  expect(fileNow(kernel)?.view).toBe('overview');
  const other = await openFile(sampleFile('exec_trace.bpf.o'));
  expect(activeId(session.getState())).toBe(other);
});

it('opens several in their order, as many at a time as there are cores, and stays with that object', async () => {
  const object = await openFile(sampleFile('doc_core.bpf.o'));
  setView(object, 'core');
  const names = ['kernel.btf', 'kinds.btf', 'network.btf', 'module.btf', 'kernel.btf'];
  let mostAtOnce = 0;
  const stop = session.subscribe(({ files }) => {
    const opening = files.filter(({ status }) => status.step === 'opening').length;
    mostAtOnce = Math.max(mostAtOnce, opening);
  });
  const done: number[] = [];
  const ids = await openFiles(names.map(sampleFile), {}, (count) => done.push(count));
  stop();
  const { files } = session.getState();
  const opened = files.slice(files.findIndex(({ id }) => id === object) + 1);
  expect(opened.map(({ name }) => name)).toEqual(names);
  expect(opened.map(({ id }) => id)).toEqual(ids);
  expect(done).toEqual([1, 2, 3, 4, 5]);
  expect(mostAtOnce).toBe(Math.min(names.length, globalThis.navigator?.hardwareConcurrency ?? 1));
  expect(activeId(session.getState())).toBe(object);
});

it('opens no tab that is empty for the file, else the one that was in sight', async () => {
  const object = await openFile(sampleFile('doc_core.bpf.o'));
  for (const [view, shown] of [
    ['code', 'overview'],
    ['relocations', 'overview'],
    ['data', 'overview'],
    ['bytes', 'bytes'],
    ['types', 'types'],
  ] as const) {
    activate(object);
    setView(object, view);
    await openFile(sampleFile('kernel.btf'));
    expect(activeFileNow()).toMatchObject({ name: 'kernel.btf', view: shown });
  }
});

it('says nothing of a file that is opened silently', async () => {
  announce('Opened mine.btf');
  const id = await openFile(sampleFile('kinds.btf'), { activate: false, isSilent: true });
  expect(fileNow(id)?.status.step).toBe('ready');
  const broken = await openFile(new File(['no object'], 'broken.o'), { isSilent: true });
  expect(fileNow(broken)?.status.step).toBe('failed');
  expect(session.getState().status).toBe('Opened mine.btf');
});

import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { closeFile, openFile } from '#store/session/files.ts';
import { activeFileNow, type FileId, patchFile, session } from '#store/session/session.ts';
import { openFilesInPage } from '#testing/in-page-worker.ts';
import { sampleBytes } from '#testing/samples.ts';
import { startAddressSync } from './address-sync.ts';
import { showTab } from './navigation.ts';

/** Returns a fake window with the address and the history of one browser tab. */
function tab() {
  const entries: { state: unknown; hash: string }[] = [{ state: null, hash: '' }];
  let at = 0;
  const listeners = new Set<() => void>();
  const current = () => entries[at] ?? { state: null, hash: '' };
  const window = {
    location: {
      get hash() {
        return current().hash;
      },
    },
    history: {
      get state() {
        return current().state;
      },
      pushState: (state: unknown, _: string, hash: string) => {
        entries.splice(++at, Number.POSITIVE_INFINITY, { state, hash });
      },
      replaceState: (state: unknown, _: string, hash: string) => {
        entries[at] = { state, hash };
      },
    },
    addEventListener: (_: string, listener: () => void) => listeners.add(listener),
    removeEventListener: (_: string, listener: () => void) => listeners.delete(listener),
  };
  const back = () => {
    at--;
    for (const listener of listeners) listener();
  };
  return { window: window as unknown as Window, back, address: current };
}

// Files get their hash when the page is idle.
vi.mock('#store/page/when-idle.ts', () => ({ idle: () => new Promise(() => undefined) }));

beforeEach(() => openFilesInPage());

afterEach(() => {
  for (const { id } of session.getState().files) closeFile(id);
});

/** Opens a file whose hash is not known yet. */
const open = (name: string) => openFile(new File([sampleBytes(name)], name));

const hashOf = (id: FileId) => `${id}`.padStart(64, '0');

/** Gives the file its hash, as the worker's answer does. */
function hashKnown(id: FileId): void {
  patchFile(id, { sha256: hashOf(id) });
}

it('goes back to where one was before the hash of the file was known', async () => {
  const id = await open('kinds.bpf.o');
  const { window, back, address } = tab();
  const stop = startAddressSync(window);
  showTab('bytes');
  expect(address().hash).toBe('#/bytes');
  showTab('types');
  hashKnown(id);
  expect(address().hash).toBe(`#/types?file=${hashOf(id)}&name=kinds.bpf.o`);
  back();
  await vi.waitFor(() =>
    expect(address().hash).toBe(`#/bytes?file=${hashOf(id)}&name=kinds.bpf.o`),
  );
  expect(activeFileNow()?.view).toBe('bytes');
  stop();
});

it('goes back to the file that was looked at then', async () => {
  const first = await open('kinds.bpf.o');
  const { window, back, address } = tab();
  const stop = startAddressSync(window);
  showTab('bytes');
  const second = await open('kinds.btf');
  showTab('types');
  expect(address().hash).toBe('#/types');
  hashKnown(first);
  hashKnown(second);
  await vi.waitFor(() => {
    if (address().hash.startsWith('#/bytes')) return;
    back();
    throw new Error('not there yet');
  });
  expect(activeFileNow()?.id).toBe(first);
  expect(address().hash).toContain(hashOf(first));
  stop();
});

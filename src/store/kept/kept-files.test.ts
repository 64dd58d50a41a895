import { afterAll, beforeEach, expect, it, vi } from 'vitest';

const database = vi.hoisted(() => ({
  stores: new Map<string, Map<string, unknown>>(),
  /** Runs before each write, and may throw. */
  beforeSet: (_store: string) => {},
}));

vi.mock('idb-keyval', () => {
  const at = (store: string) => {
    const known = database.stores.get(store) ?? new Map<string, unknown>();
    database.stores.set(store, known);
    return known;
  };
  return {
    createStore: (name: string) => name,
    get: async (key: string, store: string) => at(store).get(key),
    set: async (key: string, value: unknown, store: string) => {
      database.beforeSet(store);
      at(store).set(key, value);
    },
    del: async (key: string, store: string) => void at(store).delete(key),
    keys: async (store: string) => [...at(store).keys()],
    clear: async (store: string) => at(store).clear(),
  };
});

// Another test may have loaded the module with the real database.
vi.resetModules();
const { forgetAll, listRemembered, remember } = await import('./kept-files.ts');
const FILE = new File(['secret'], 'a.o');
const sizes = () => [...database.stores].map(([name, entries]) => [name, entries.size]);

// Other tests must not find this database in the loaded module.
afterAll(() => {
  vi.doUnmock('idb-keyval');
  vi.resetModules();
});

beforeEach(() => {
  database.stores.clear();
  database.beforeSet = () => {};
});

it('lists a copy before its bytes are stored, so that none stays unseen', async () => {
  const seen: number[] = [];
  database.beforeSet = (store) => {
    if (store === 'btfscope-bytes') seen.push(database.stores.get('btfscope-files')?.size ?? 0);
  };
  expect(await remember('ab', FILE)).toBe(true);
  expect(seen).toEqual([1]);
});

it('stores nothing of a copy for which there is no room', async () => {
  database.beforeSet = (store) => {
    if (store === 'btfscope-bytes') throw new Error('full');
  };
  expect(await remember('ab', FILE)).toBe(false);
  expect(await listRemembered()).toEqual([]);
  expect(sizes().every(([, size]) => size === 0)).toBe(true);
});

it('has nothing left of copies once all are removed', async () => {
  await remember('ab', FILE);
  await remember('cd', FILE);
  await forgetAll();
  expect(sizes()).toEqual([
    ['btfscope-files', 0],
    ['btfscope-bytes', 0],
  ]);
});

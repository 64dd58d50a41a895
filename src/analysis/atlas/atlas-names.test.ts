import { describe, expect, it } from 'vitest';
import { Slices } from '#bytes/long-work.ts';
import { corpusKernels, readCorpusFile } from '#testing/corpus.ts';
import { openModel } from '#testing/open-model.ts';
import { atlasBytes, openAtlas } from '#testing/small-atlas.ts';
import {
  type AtlasName,
  type NameQuery,
  readNames,
  searchNames,
  summaryOf,
} from './atlas-names.ts';
import { RecordArchive } from './extract.ts';
import { nameHistory } from './history.ts';
import { memberAccess } from './member-access.ts';

const two = corpusKernels().slice(0, 2);
const atlas = openAtlas(
  await atlasBytes(Object.fromEntries(two.map((kernel) => [kernel.name, readCorpusFile(kernel)]))),
);

const name = (kind: AtlasName['kind'], text: string, kernels = 2, forms = 1): AtlasName => ({
  kind,
  name: text,
  kernels,
  forms,
});

describe('readNames', () => {
  it('has every name of the kernels once', async () => {
    const { names, damaged } = await readNames(
      await atlas,
      new Slices(1000, new AbortController().signal),
      () => undefined,
    );
    const keys = names.map((one) => `${one.kind} ${one.name}`);
    expect(new Set(keys).size).toBe(keys.length);
    expect(names.find((one) => one.kind === 'struct' && one.name === 'task_struct')).toMatchObject({
      kernels: 2,
    });
    expect(summaryOf(await atlas).kernels).toHaveLength(2);
    expect(damaged).toEqual([]);
  });

  it('leaves out the names of a block that is damaged, and those alone', async () => {
    const never = new Slices(1000, new AbortController().signal);
    const whole = await readNames(await atlas, never, () => undefined);
    const bytes = await atlasBytes(
      Object.fromEntries(two.map((kernel) => [kernel.name, readCorpusFile(kernel)])),
    );
    const [place] = (await atlas).directory.entries;
    if (place === undefined) throw new Error('it has no block');
    bytes[place.offset] = (bytes[place.offset] ?? 0) ^ 0xff;
    const rest = await readNames(await openAtlas(bytes), never, () => undefined);
    const { entries } = await (await atlas).entryBlock(place);
    expect(rest.names).toEqual(whole.names.slice(entries.length));
    expect(rest.damaged).toEqual([expect.stringMatching(/the block of entries at \d+ is damaged/)]);
  });

  it('ends with the signal', async () => {
    const controller = new AbortController();
    controller.abort();
    const slices = new Slices(-1, controller.signal);
    await expect(readNames(await atlas, slices, () => undefined)).rejects.toThrow();
  });
});

describe('searchNames', () => {
  const names = [
    name('struct', 'Task'),
    name('struct', 'my_task'),
    name('struct', 'task_struct', 2, 2),
    name('func', 'task', 1),
  ];
  const query: NameQuery = { text: '', kind: null, isChanged: false, limit: 10 };
  const all = { names, damaged: [] };
  const found = (patch: Partial<NameQuery>) =>
    searchNames(all, 2, { ...query, ...patch }).names.map((one) => one.name);

  it('puts the exact match first, then prefix matches', () => {
    expect(found({ text: 'task' })).toEqual(['Task', 'task', 'task_struct', 'my_task']);
  });
  it('wants all words', () => {
    expect(found({ text: 'STRUCT task' })).toEqual(['task_struct']);
  });
  it('filters by kind', () => {
    expect(found({ kind: 'func' })).toEqual(['task']);
  });
  it('filters names with different forms', () => {
    expect(found({ isChanged: true })).toEqual(['task_struct', 'task']);
  });
  it('counts the omitted names', () => {
    expect(searchNames(all, 2, { ...query, limit: 1 })).toEqual({
      damaged: [],
      total: 4,
      names: [names[0]],
    });
  });
});

describe('memberAccess', () => {
  const access = async (struct: string, item: string) => {
    const file = await atlas;
    const history = await nameHistory(file, struct);
    if (history === null) throw new Error(`no ${struct}`);
    const archive = await RecordArchive.open(file);
    const names = file.directory.kernels.map((kernel) => kernel.name);
    return await memberAccess(
      history,
      item,
      names,
      async (kernel) => {
        const { types } = await openModel('kernel', await archive.btf(kernel));
        if (types === null) throw new Error('no BTF');
        return types;
      },
      () => Promise.resolve(),
    );
  };

  it('reads a common member at the offset of the history', async () => {
    const history = await nameHistory(await atlas, 'task_struct');
    const found = await access('task_struct', 'pid');
    expect(found?.tried.map(({ outcome }) => outcome)).toEqual(history?.forms.map(() => 'reads'));
    expect(found?.tried.map(({ byteOffset }) => byteOffset)).toEqual(
      history?.forms.map(
        ({ items }) => (items.find((item) => item.name === 'pid')?.bitOffset ?? 0) / 8,
      ),
    );
  });

  it('is null for a member that no kernel has', async () => {
    expect(await access('task_struct', 'no_such_member')).toBeNull();
  });
});

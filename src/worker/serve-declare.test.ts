/** Tests the workbench's requests, in which declarations replace the file. */
import { expect, it } from 'vitest';
import { emptyBtf } from '#analysis/workbench/examples.ts';
import { compileDeclarations } from '#analysis/workbench/workbench.ts';
import type { FromWorker, Method, Methods, ToWorker } from './protocol.ts';
import { FileServer } from './serve.ts';

async function serve() {
  const answers: FromWorker[] = [];
  const server = new FileServer((message) => answers.push(message));
  const ask = async <M extends Method>(
    method: M,
    params: Methods[M]['params'],
  ): Promise<Methods[M]['result']> => {
    await server.handle({ id: 1, method, params } as ToWorker);
    const last = answers.at(-1);
    if (last?.kind !== 'ok') throw new Error(`${method} failed`);
    return last.value as Methods[M]['result'];
  };
  await ask('open', { name: 'a.btf', file: new Blob([emptyBtf('little').slice()]) });
  return ask;
}

const all = { text: '', kinds: 0, order: 'id', descending: false } as const;
const PAIR = 'struct a { int x; };\nstruct b { struct a *a; };';

it('reads what they compile to, and answers from that', async () => {
  const ask = await serve();
  expect(await ask('searchTypes', all)).toHaveLength(0);
  const { model, problems, places } = await ask('declare', { text: PAIR, endian: 'big' });
  const { btf } = compileDeclarations(PAIR, 'big');
  expect(problems).toEqual([]);
  expect(model).toMatchObject({ endian: 'big', size: btf.length, issues: [] });
  expect([...(await ask('bytes', { start: 0, end: 1e6 }))]).toEqual([...btf]);
  expect(await ask('searchTypes', all)).toHaveLength(model?.types?.count ?? -1);
  expect(places.map(({ kind, name, start, end }) => [kind, name, PAIR.slice(start, end)])).toEqual([
    ['struct', 'a', 'struct a { int x; };'],
    ['struct', 'b', 'struct b { struct a *a; };'],
  ]);
});

it('forgets the index of names and of referrers of the text before', async () => {
  const ask = await serve();
  await ask('declare', { text: 'struct a { int x; };', endian: 'little' });
  await ask('searchTypes', { ...all, text: 'a' });
  await ask('referrers', { type: 1, limit: 10 });
  await ask('declare', { text: PAIR, endian: 'little' });
  expect(await ask('searchTypes', { ...all, text: 'b', order: 'name' })).toHaveLength(1);
  expect((await ask('referrers', { type: 1, limit: 10 })).total).toBe(1);
});

it('stays as it was when there is a problem', async () => {
  const ask = await serve();
  await ask('declare', { text: PAIR, endian: 'little' });
  const before = await ask('bytes', { start: 0, end: 1e6 });
  const { model, problems, places } = await ask('declare', {
    text: `${PAIR} struct c { foo x; }; int y[-2];`,
    endian: 'little',
  });
  expect([model, places]).toEqual([null, []]);
  expect(problems).toHaveLength(2);
  expect(await ask('bytes', { start: 0, end: 1e6 })).toEqual(before);
});

it('limits the number of problems', async () => {
  const ask = await serve();
  const { problems } = await ask('declare', { text: 'foo; '.repeat(500), endian: 'little' });
  expect(problems).toHaveLength(50);
});

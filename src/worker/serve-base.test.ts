/** Tests the requests that change the base of an open file. */
import { describe, expect, it } from 'vitest';
import type { TypeTable } from '#model/type-table.ts';
import { sampleBytes, sampleModel } from '#testing/samples.ts';
import type { FromWorker, Method, Methods, ToWorker } from './protocol.ts';
import { FileServer } from './serve.ts';

/** Starts a server with an open file; returns a function that sends requests to it. */
async function serve(name: string) {
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
  await ask('open', { name, file: new Blob([sampleBytes(name)]) });
  return ask;
}

async function typesOf(name: string): Promise<TypeTable> {
  const { types } = await sampleModel(name);
  if (types === null) throw new Error(`${name} has no types`);
  return types;
}

const all = { text: '', kinds: 0, order: 'id', descending: false } as const;

describe.each(['module.btf', 'module.distilled.ko'])('%s', (name) => {
  it('checks whether a base fits, and keeps the file unchanged', async () => {
    const ask = await serve(name);
    const before = await ask('searchTypes', all);
    expect(await ask('tryBase', { types: await typesOf('kernel.btf'), name: 'k' })).toBeNull();
    expect(await ask('tryBase', { types: await typesOf('kinds.btf'), name: 'k' })).toMatchObject({
      code: 'btf.base-does-not-fit',
    });
    expect(await ask('searchTypes', all)).toEqual(before);
  });

  it('moves to a base, without sending it back, and away from it again', async () => {
    const ask = await serve(name);
    const base = await typesOf('kernel.btf');
    const before = await ask('searchTypes', all);
    const read = await ask('setBase', { base: { types: base, name: 'k' } });
    if (read.kind !== 'read') throw new Error(read.issue.message);
    expect(read.model.types).toMatchObject({ base: null, firstId: base.count + 1, split: true });
    expect([...(await ask('searchTypes', all))][0]).toBe(base.count + 1);
    const again = await ask('setBase', { base: null });
    expect(again.kind).toBe('read');
    expect(await ask('searchTypes', all)).toEqual(before);
  });

  it('stays as it was when the base is refused', async () => {
    const ask = await serve(name);
    const base = { types: await typesOf('kernel.btf'), name: 'k' };
    await ask('setBase', { base });
    const before = await ask('searchTypes', all);
    const wrong = { types: await typesOf('kinds.btf'), name: 'kinds' };
    const refused = await ask('setBase', { base: wrong });
    expect(refused).toMatchObject({ kind: 'refused', issue: { code: 'btf.base-does-not-fit' } });
    expect(await ask('searchTypes', all)).toEqual(before);
  });
});

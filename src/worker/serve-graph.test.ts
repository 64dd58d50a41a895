/** Tests the requests for the graph of types and for the types that refer to a type. */
import { expect, it } from 'vitest';
import { elfObject } from '#testing/elf-object.ts';
import { SMALL_GRAPH } from '#testing/small-graph.ts';
import type { FromWorker, Method, Methods, Request } from './protocol.ts';
import { FileServer } from './serve.ts';

const ASK = { selected: 4, depth: 1, open: '', hide: null, path: [], forced: [] };

/** Opens a file. The returned function sends a request; returns answer and transferred buffers. */
async function serve(bytes: Uint8Array<ArrayBuffer>) {
  let last: { readonly message: FromWorker; readonly transfer: Transferable[] } | null = null;
  const server = new FileServer((message, transfer = []) => {
    last = { message, transfer };
  });
  await server.handle({ id: 1, method: 'open', params: { name: 'a', file: new Blob([bytes]) } });
  return async <M extends Method>(method: M, params: Methods[M]['params']) => {
    await server.handle({ id: 2, method, params } as Request);
    if (last?.message.kind !== 'ok') throw new Error('no answer');
    return { value: last.message.value as Methods[M]['result'], transfer: last.transfer };
  };
}

it('is null for a file without types', async () => {
  const ask = await serve(new Uint8Array(elfObject().bytes));
  expect((await ask('graph', ASK)).value).toBeNull();
  expect((await ask('graphReferrers', { type: 4, limit: 50 })).value).toEqual([]);
});

it('gives a drawing that crosses as columns of numbers', async () => {
  const ask = await serve(SMALL_GRAPH);
  const { value: picture, transfer } = await ask('graph', ASK);
  expect([...(picture?.boxes.type ?? [])]).toEqual([4, 2, 5]);
  expect(transfer).toHaveLength(15);
});

it('gives referrers in groups', async () => {
  const ask = await serve(SMALL_GRAPH);
  const { value: groups } = await ask('graphReferrers', { type: 2, limit: 1 });
  expect(groups.map(({ group, total, ids }) => [group, total, [...ids]])).toEqual([
    ['pointer', 2, [4]],
  ]);
});

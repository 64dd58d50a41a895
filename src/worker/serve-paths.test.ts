/** Tests the requests for paths through the types of an open file. */
import { describe, expect, it } from 'vitest';
import { btfBlob } from '#testing/btf-blob.ts';
import { int, ptr, struct } from '#testing/btf-types.ts';
import { elfObject } from '#testing/elf-object.ts';
import type { FromWorker, ToWorker } from './protocol.ts';
import { FileServer } from './serve.ts';

const BLOB = btfBlob({
  types: [
    int('int', 4),
    struct('a', 8, [{ name: 'to_b', type: 3, bitOffset: 0 }]),
    ptr(4),
    struct('b', 4, [{ name: 'value', type: 1, bitOffset: 0 }]),
  ],
}).bytes;

async function serve(bytes: Uint8Array<ArrayBuffer>) {
  const answers: FromWorker[] = [];
  const server = new FileServer((message) => answers.push(message));
  const ask = async (message: ToWorker) => {
    await server.handle(message);
    return answers.at(-1);
  };
  await ask({ id: 1, method: 'open', params: { name: 'a', file: new Blob([bytes]) } });
  return { ask, server, answers };
}

const QUESTION = { from: 'a', to: 'value', limit: 10, around: false };

describe('paths', () => {
  it('are answered with rows of the types', async () => {
    const { ask } = await serve(BLOB);
    expect(await ask({ id: 2, method: 'paths', params: QUESTION })).toMatchObject({
      kind: 'ok',
      value: {
        ok: true,
        goal: 'field',
        paths: [{ start: 2, members: [{ type: 2, index: 0 }], field: [{ type: 4, index: 0 }] }],
      },
    });
  });

  it('are not looked for once the question is cancelled', async () => {
    const { server, answers } = await serve(BLOB);
    const asked = server.handle({ id: 2, method: 'paths', params: QUESTION });
    await server.handle({ id: 2, method: 'cancel' });
    await asked;
    expect(answers.at(-1)).toMatchObject({
      id: 2,
      kind: 'failed',
      issue: { code: 'request.cancelled' },
    });
  });

  it('are none where a file has no types', async () => {
    const { ask } = await serve(new Uint8Array(elfObject().bytes));
    expect(await ask({ id: 2, method: 'paths', params: QUESTION })).toMatchObject({ value: null });
    const names = { typed: 'x', limit: 3 };
    expect(await ask({ id: 3, method: 'fieldNames', params: names })).toMatchObject({ value: [] });
  });
});

it('names of members are suggested', async () => {
  const { ask } = await serve(BLOB);
  const asked = (typed: string) =>
    ask({ id: 2, method: 'fieldNames', params: { typed, limit: 3 } });
  expect(await asked('to')).toMatchObject({ value: [{ name: 'to_b', count: 1 }] });
  expect(await asked(' ')).toMatchObject({ value: [] });
});

/** Tests the verdicts of the kernel and libbpf in the worker's answers. */
import { expect, it } from 'vitest';
import { btfBlob } from '#testing/btf-blob.ts';
import { func, int } from '#testing/btf-types.ts';
import { elfObject } from '#testing/elf-object.ts';
import { sampleBytes, sampleModel } from '#testing/samples.ts';
import type { FromWorker, ToWorker } from './protocol.ts';
import { FileServer } from './serve.ts';

/** Starts a server with an open file; returns a function that sends requests to it. */
async function serve(name: string, bytes: Uint8Array<ArrayBuffer>) {
  const answers: FromWorker[] = [];
  const server = new FileServer((message) => answers.push(message));
  const ask = async (message: ToWorker): Promise<unknown> => {
    await server.handle(message);
    const last = answers.at(-1);
    if (last?.kind !== 'ok') throw new Error(`${message.method} failed`);
    return last.value;
  };
  await ask({ id: 1, method: 'open', params: { name, file: new Blob([bytes]) } });
  return ask;
}

it('is judged anew on another base', async () => {
  const ask = await serve('module.btf', sampleBytes('module.btf'));
  const check = () => ask({ id: 2, method: 'check', params: null });
  const refused = { stored: { verdict: { kernel: { verdict: 'refused' } } }, onBase: false };
  expect(await check()).toMatchObject(refused);
  const { types } = await sampleModel('kernel.btf');
  if (types === null) throw new Error('no types');
  await ask({ id: 3, method: 'setBase', params: { base: { types, name: 'kernel.btf' } } });
  expect(await check()).toMatchObject({
    stored: { verdict: { kernel: { verdict: 'ok' } } },
    onBase: true,
  });
  await ask({ id: 4, method: 'setBase', params: { base: null } });
  expect(await check()).toMatchObject(refused);
});

it('is null if a file has no BTF', async () => {
  const ask = await serve('a.o', new Uint8Array(elfObject().bytes));
  expect(await ask({ id: 2, method: 'check', params: null })).toBeNull();
});

it('says whether libbpf takes the types as a target; of split BTF nothing', async () => {
  const asked = { id: 2, method: 'libbpfVerdict', params: null } as const;
  const { bytes } = btfBlob({ types: [int('int', 4), func('f', 1)] });
  expect(await (await serve('bad.btf', bytes))(asked)).toEqual({
    verdict: 'refused',
    errno: 'EINVAL',
    message: 'btf: type [2]: referenced type [1] is not FUNC_PROTO',
  });
  expect(await (await serve('kernel.btf', sampleBytes('kernel.btf')))(asked)).toEqual({
    verdict: 'ok',
  });
  expect(await (await serve('module.btf', sampleBytes('module.btf')))(asked)).toBeNull();
});

/** Tests the requests of the CO-RE tools to a kernel's worker. */
import { expect, it } from 'vitest';
import { targetOf } from '#analysis/core/candidates.ts';
import { coreObjectOf } from '#analysis/core/core-records.ts';
import { resolveObject } from '#analysis/core/resolve.ts';
import { openModel } from '#testing/open-model.ts';
import { sampleBytes, sampleObject } from '#testing/samples.ts';
import type { FromWorker, Method, Methods, ToWorker } from './protocol.ts';
import { FileServer } from './serve.ts';

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

async function execTrace() {
  const { model, source } = await sampleObject('exec_trace.bpf.o');
  const code = new Map<number, Uint8Array>();
  for (const section of new Set(model.ext.core.section)) {
    const start = model.sections.fileOffset[section] ?? 0;
    const length = model.sections.byteLength[section] ?? 0;
    code.set(section, await source.read(start, start + length));
  }
  const object = coreObjectOf(model, (section) => code.get(section) ?? null);
  if (object === null) throw new Error('the example has CO-RE records');
  return object;
}

it('follows the names of a log in its types', async () => {
  const ask = await serve('kernel.btf');
  const way = { typeId: 1, typeKind: 'struct', enumeratorName: null, ofTarget: false } as const;
  const path = [{ name: 'uid', index: null }];
  const [found] = await ask('followLog', { ...way, typeName: 'cred___x', path });
  expect(found).toMatchObject({ fault: null, steps: [{ name: 'uid' }] });
  const [missed] = await ask('followLog', {
    ...way,
    typeName: 'cred',
    path: [{ name: 'uidd', index: null }],
  });
  expect(missed?.fault).toMatchObject({ reason: 'no-member' });
  expect(missed?.fault?.near).toContain('uid');
  expect(await ask('followLog', { ...way, typeName: 'nobody', path })).toEqual([]);
});

it('makes a minimal BTF on which the object comes out alike', async () => {
  const object = await execTrace();
  const ask = await serve('kernel.btf');
  const made = await ask('minBtf', { object, fresh: false });
  if (made === null) throw new Error('the example has types');
  const { types } = await openModel('min.btf', made.blob);
  if (types === null) throw new Error('a minimal BTF has types');
  expect(types.count).toBe(made.typeCount);
  expect(made.blob.length).toBeLessThan(sampleBytes('kernel.btf').length);
  expect(made).toMatchObject({ undecidedCount: 0 });

  const full = await ask('resolveCore', { object, fresh: false });
  const small = resolveObject(object, targetOf('min', types));
  const told = full.map(({ record, status, insnAfter }) => [record.index, status, insnAfter]);
  const isId = (index: number) => [26, 27].includes(index);
  expect(small.map(({ record, status, insnAfter }) => [record.index, status, insnAfter])).toEqual(
    // The instructions of these two records contain type ids, which differ in the minimal BTF.
    told.map((row, index) => (isId(index) ? [row[0], row[1], small[index]?.insnAfter] : row)),
  );
  expect(made.matchedCount).toBe(full.filter((result) => result.matched.length > 0).length);
});

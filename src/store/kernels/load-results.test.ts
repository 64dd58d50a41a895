import { beforeEach, expect, it, vi } from 'vitest';
import * as files from '#store/session/files.ts';
import { closeFile, openFile } from '#store/session/files.ts';
import { openFilesInPage } from '#testing/in-page-worker.ts';
import { sampleBytes } from '#testing/samples.ts';
import { attachFiles, factsOf, moduleKeysOf, setFacts } from './kernel-facts.ts';
import { judgePair, openedObject, remediesOn } from './load-results.ts';

beforeEach(openFilesInPage);

const open = (name: string) => openFile(new File([sampleBytes(name)], name), { activate: false });

it('judges an object on a kernel, anew once more is known of the kernel', async () => {
  const [object, kernel] = [await open('externs.bpf.o'), await open('kernel.btf')];
  const outcome = async () => (await judgePair({ object, kernel }))?.verdict.outcome;
  expect(await outcome()).toBe('may-fail');
  const config = new File(['CONFIG_HZ=250\n'], 'config');
  await attachFiles(kernel, [config, new File([sampleBytes('module.btf')], 'module.btf')]);
  const known = await judgePair({ object, kernel });
  expect(known?.notes.map(({ kind }) => kind)).toEqual(['config', 'modules']);
  // The program fails to load because the kernel has no CONFIG_CGROUPS.
  expect(known?.verdict.outcome).toBe('fails');
  expect(factsOf(kernel).files.map(({ name }) => name)).toEqual(['config', 'module.btf']);
  setFacts(kernel, { files: [] });
  expect(await outcome()).toBe('may-fail');
  closeFile(kernel);
  expect(await outcome()).toBeUndefined();
});

it('opens no file that is no BPF object', async () => {
  expect(await openedObject(await open('kernel.btf'))).toBeNull();
  expect((await openedObject(await open('xdp_counter.bpf.o')))?.programs.length).toBeGreaterThan(0);
});

it('knows which of the attached files may have modules once the kernel was judged with them', async () => {
  const [object, kernel] = [await open('externs.bpf.o'), await open('kernel.btf')];
  const module = new File([sampleBytes('module.btf')], 'module.btf');
  await attachFiles(kernel, [new File(['CONFIG_HZ=250\n'], 'config'), module]);
  const [, second] = factsOf(kernel).files;
  expect(moduleKeysOf(kernel)).toHaveLength(2);
  await judgePair({ object, kernel });
  expect(moduleKeysOf(kernel)).toEqual([second?.key]);
});

it('asks a kernel once for the fixes of a reason', async () => {
  const [object, kernel] = [await open('exec_trace.bpf.o'), await open('kernel.btf')];
  const asked = vi.spyOn(files, 'askKernel');
  const reason = { about: { of: 'record', record: 0 }, source: null } as const;
  const both = [remediesOn(object, [kernel], reason), remediesOn(object, [kernel], reason)];
  const [first, second] = await Promise.all(both);
  expect(first?.length).toBeGreaterThan(0);
  expect(second).toEqual(first);
  expect(asked.mock.calls.filter(([, method]) => method === 'remedies')).toHaveLength(1);
  closeFile(kernel);
  expect(await remediesOn(object, [await open('kernel.btf')], reason)).toEqual(first);
  expect(asked.mock.calls.filter(([, method]) => method === 'remedies')).toHaveLength(2);
});

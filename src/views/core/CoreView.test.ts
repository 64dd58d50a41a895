import { describe, expect, it } from 'vitest';
import { coreModesOf } from '#store/kernels/core-view.ts';
import { btfBlob } from '#testing/btf-blob.ts';
import { openModel } from '#testing/open-model.ts';
import { sampleModel } from '#testing/samples.ts';
import { noCore, shownMode } from './CoreView.tsx';

it('offers all parts to an object with records', async () => {
  const modes = coreModesOf(await sampleModel('doc_core.bpf.o'));
  expect(modes).toEqual(['records', 'load', 'log', 'playground', 'needs']);
  expect(shownMode(modes, 'load')).toBe('load');
});

it('shows the playground of a kernel, which has no records', async () => {
  const modes = coreModesOf(await sampleModel('kernel.btf'));
  expect(modes).toEqual(['playground', 'log']);
  expect(shownMode(modes, 'records')).toBe('playground');
  expect(shownMode(modes, 'log')).toBe('log');
});

it('says of an object without records that it has none, and offers whether it loads', async () => {
  const modes = coreModesOf(await sampleModel('xdp_counter.bpf.o'));
  expect(modes).toEqual(['records', 'load', 'log', 'playground']);
  expect(shownMode(modes, 'records')).toBe('records');
});

it('is empty for a file without types', async () => {
  const model = await sampleModel('kernel.btf');
  expect(shownMode(coreModesOf({ ...model, types: null }), 'records')).toBeNull();
});

describe('noCore', () => {
  it('distinguishes a blob from an object', async () => {
    const blob = await openModel('a.btf', btfBlob().bytes);
    expect(noCore(blob).title).toBe('A BTF blob has no CO-RE relocations');
    expect(noCore(await sampleModel('doc_call.bpf.o')).text).toContain('llvm-readelf -r');
  });
});

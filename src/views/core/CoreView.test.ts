import { describe, expect, it } from 'vitest';
import type { ObjectModel } from '#model/object-model.ts';
import { firstOfTab, viewFor, viewsOfTab } from '#store/session/views.ts';
import { btfBlob } from '#testing/btf-blob.ts';
import { openModel } from '#testing/open-model.ts';
import { sampleModel } from '#testing/samples.ts';
import { noCore } from './CoreView.tsx';

const viewsOfCore = (model: ObjectModel) => viewsOfTab(model, 'core');

it('shares its tab with four views of an object with records', async () => {
  const model = await sampleModel('doc_core.bpf.o');
  expect(viewsOfCore(model)).toEqual(['core', 'playground', 'log', 'simulate', 'needs']);
});

it('leaves its tab to the playground of a kernel, which has no records', async () => {
  const model = await sampleModel('kernel.btf');
  expect(viewsOfCore(model)).toEqual(['playground', 'log']);
  expect(firstOfTab(model, 'core')).toBe('playground');
  expect(viewFor(model, 'core')).toBe('playground');
  expect(viewFor(model, 'log')).toBe('log');
});

it('is a view of an object without records, too', async () => {
  const model = await sampleModel('xdp_counter.bpf.o');
  expect(viewsOfCore(model)).toEqual(['core', 'playground', 'log', 'needs']);
});

it('is alone in its tab for a file without types', async () => {
  const model = await sampleModel('kernel.btf');
  expect(viewsOfCore({ ...model, types: null })).toEqual(['core']);
});

describe('noCore', () => {
  it('distinguishes a blob from an object', async () => {
    const blob = await openModel('a.btf', btfBlob().bytes);
    expect(noCore(blob).title).toBe('A BTF blob has no CO-RE relocations');
    expect(noCore(await sampleModel('doc_call.bpf.o')).text).toContain('llvm-readelf -r');
  });
});

import { describe, expect, it } from 'vitest';
import type { LoadKernel } from '#analysis/kernel/kernel.ts';
import { sampleModel, sampleObject } from '#testing/samples.ts';
import { notStarted, stopsOf } from './load-steps.ts';
import { loadObject } from './open.ts';

const KERNEL: LoadKernel = {
  name: 'kernel',
  vmlinux: null,
  modules: [],
  config: 'none',
  kallsyms: '',
  release: '6.18.0',
  unameVersion: '',
};

async function stops(name: string, kernel: Partial<LoadKernel> = {}) {
  const { model, source } = await sampleObject(name);
  const progress = notStarted(await loadObject(model, source), { ...KERNEL, ...kernel });
  return [...stopsOf(progress)].map(({ step, call }) => `${call}: ${step}`);
}

describe('the steps of loading', () => {
  it('go on after a stop, in the order of libbpf', async () => {
    const { types: vmlinux } = await sampleModel('kernel.btf');
    expect(await stops('data_relocs.bpf.o', { vmlinux })).toEqual(['prepare: struct_ops']);
    expect((await stops('externs.bpf.o', { vmlinux })).length).toBeGreaterThan(1);
    expect((await stops('doc_call.bpf.o'))[0]).toBe('open: open');
  });

  it('end with a missing BTF of the kernel: nothing after it can be judged', async () => {
    expect(await stops('externs.bpf.o')).toEqual(['prepare: kernel BTF']);
  });

  it('have no stop where all passes', async () => {
    const { types: vmlinux } = await sampleModel('kernel.btf');
    expect(await stops('xdp_counter.bpf.o', { vmlinux })).toEqual([]);
  });
});

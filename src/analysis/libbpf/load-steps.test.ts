import { describe, expect, it } from 'vitest';
import type { LoadKernel } from '#analysis/kernel/kernel.ts';
import { openObject } from '#testing/open-model.ts';
import { sampleBytes, sampleModel, sampleObject } from '#testing/samples.ts';
import { judgeLoad } from './load.ts';
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

  it('end with section headers of a size that libelf ignores', async () => {
    const bytes = new Uint8Array(sampleBytes('xdp_counter.bpf.o'));
    // e_shentsize of a 64-bit ELF header.
    bytes[58] = 128;
    const { model, source } = await openObject('a.o', bytes);
    const object = await loadObject(model, source);
    const { outcome, open, reasons } = judgeLoad(object, KERNEL);
    expect([outcome, open, reasons.length]).toEqual(['may-fail', null, 1]);
  });

  it('have no stop where all passes', async () => {
    const { types: vmlinux } = await sampleModel('kernel.btf');
    expect(await stops('xdp_counter.bpf.o', { vmlinux })).toEqual([]);
  });
});

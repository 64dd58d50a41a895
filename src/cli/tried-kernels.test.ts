import { describe, expect, it } from 'vitest';
import type { LoadKernel } from '#analysis/kernel/kernel.ts';
import { MAX_TRIED, TriedKernels } from './tried-kernels.ts';

const kernel = (name: string): LoadKernel => ({
  name,
  vmlinux: null,
  modules: null,
  config: null,
  kallsyms: null,
  release: null,
  unameVersion: null,
});

describe('kernels on which remedies are tried', () => {
  it('are few, whatever the number of kernels, and one of each answer', () => {
    const tried = new TriedKernels();
    for (let i = 0; i < 1000; i++) tried.add(kernel(`${i}`), i === 700 ? 'fails' : 'loads');
    const names = tried.kernels.map(({ name }) => name);
    expect(names).toHaveLength(MAX_TRIED);
    expect(names.slice(0, 2)).toEqual(['0', '1']);
    expect(names.at(-1)).toBe('700');
  });

  it('stay if each answer is another', () => {
    const tried = new TriedKernels();
    for (let i = 0; i < 40; i++) tried.add(kernel(`${i}`), `${i}`);
    expect(tried.kernels.map(({ name }) => Number(name))).toEqual(
      Array.from({ length: MAX_TRIED }, (_, i) => i),
    );
  });
});

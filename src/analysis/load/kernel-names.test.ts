import { describe, expect, it } from 'vitest';
import { compareKernels, shortKernelNames } from './kernel-names.ts';

describe('shortKernelNames', () => {
  it.each([
    [
      ['vmlinux-5.10.0-32-amd64.btf', 'vmlinux-6.1.0-56-amd64.btf'],
      ['5.10', '6.1'],
    ],
    [
      ['vmlinux-6.12.43-amd64.btf', 'vmlinux-6.12.117-amd64.btf', 'vmlinux-6.1.0.btf'],
      ['6.12.43', '6.12.117', '6.1'],
    ],
    [
      ['vmlinux-6.1.0-56-amd64.btf', 'vmlinux-6.1.0-56-rt-amd64.btf'],
      ['6.1.0-56-amd64', '6.1.0-56-rt-amd64'],
    ],
    [
      ['debian-6.1.0.btf', 'ubuntu-6.1.0.btf'],
      ['debian-6.1.0.btf', 'ubuntu-6.1.0.btf'],
    ],
    [
      ['kernel.btf', 'kernel.ko'],
      ['kernel.btf', 'kernel.ko'],
    ],
    [['kernel-6.1.btf'], ['6.1']],
    [
      ['6.1', 'vmlinux-6.1'],
      ['6.1', 'vmlinux-6.1'],
    ],
    [['.btf'], ['.btf']],
    [[], []],
  ])('%j', (names, short) => {
    expect(shortKernelNames(names)).toEqual(short);
  });
});

describe('compareKernels', () => {
  it('puts the oldest first: by release, by the version in the name, by the BTF', () => {
    const kernels = [
      { name: 'vmlinux', release: '6.6.30' },
      { name: 'vmlinux-6.12.btf' },
      { name: 'vmlinux-6.2.btf' },
      { name: 'other', from: '5.14' },
      { name: 'another' },
      { name: 'vmlinux-7.0.btf', release: '5.10.1' },
    ];
    expect(kernels.toSorted(compareKernels).map(({ name }) => name)).toEqual([
      'another',
      'vmlinux-7.0.btf',
      'other',
      'vmlinux-6.2.btf',
      'vmlinux',
      'vmlinux-6.12.btf',
    ]);
  });

  it('does not order kernels of one version', () => {
    expect(compareKernels({ name: 'vmlinux-6.1.0-56' }, { name: 'vmlinux-6.1.0-9' })).toBe(0);
  });
});

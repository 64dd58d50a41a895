import { describe, expect, it } from 'vitest';
import { columnNames } from './column-names.ts';

describe('columnNames', () => {
  it.each([
    [
      ['vmlinux-6.1.0-56-amd64.btf', 'vmlinux-6.12.117-arm64.btf'],
      ['6.1.0-56-amd64', '6.12.117-arm64'],
    ],
    [
      ['vmlinux-6.1.0-56-amd64.btf', 'vmlinux-6.1.0-56-rt-amd64.btf'],
      ['6.1.0-56-amd64', '6.1.0-56-rt-amd64'],
    ],
    [
      ['host_prod.btf.zst', 'host_test.btf.zst'],
      ['prod', 'test'],
    ],
    [['kernel.btf'], ['kernel']],
    [
      ['kernel.btf', 'kernel.ko'],
      ['kernel.btf', 'kernel.ko'],
    ],
    [
      ['a-', 'a-b'],
      ['a-', 'a-b'],
    ],
    [['.btf'], ['.btf']],
    [[], []],
  ])('%j', (names, short) => {
    expect(columnNames(names)).toEqual(short);
  });
});

import { describe, expect, it } from 'vitest';
import { columnNames, doneFraction } from './use-load.ts';

describe('doneFraction', () => {
  it('counts waiting columns as zero and ended ones as complete', () => {
    const failed = {
      step: 'failed',
      issue: { severity: 'error', code: 'x', message: '', span: null, region: '' },
    } as const;
    const ready = { step: 'ready', value: [] } as const;
    expect(doneFraction([null, ready, failed, null])).toBe(0.5);
    expect(doneFraction([{ step: 'running', done: 50, total: 200 }])).toBe(0.25);
    expect(doneFraction([{ step: 'running', done: 0, total: 0 }, ready])).toBe(0.5);
    expect(doneFraction([])).toBe(1);
  });
});

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

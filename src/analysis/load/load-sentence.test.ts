import { describe, expect, it } from 'vitest';
import type { Dependency } from '#analysis/kernel/dependency.ts';
import type { Outcome, Reason } from '#analysis/libbpf/outcome.ts';
import { type JudgedKernel, listed, loadSentence } from './load-sentence.ts';

function on(name: string, outcome: Outcome, ...dependsOn: readonly Dependency[]): JudgedKernel {
  const reasons = dependsOn.map(
    (dependency): Reason => ({
      outcome,
      dependsOn: dependency,
      step: 'externs',
      text: '',
      line: null,
      insn: null,
      source: null,
    }),
  );
  return { name, verdict: { outcome, reasons, programs: [] } };
}

const waiting = (name: string): JudgedKernel => ({ name, verdict: null });

describe('loadSentence', () => {
  it.each<[string, readonly JudgedKernel[]]>([
    ['', []],
    ['Loads on 6.12.', [on('vmlinux-6.12.43.btf', 'loads')]],
    ['Refused on kernel.btf.', [on('kernel.btf', 'fails')]],
    ['Depends on a module on kernel.btf.', [on('kernel.btf', 'may-fail', 'modules')]],
    ['Loads on both kernels.', [on('6.1', 'loads'), on('6.6', 'loads')]],
    ['Refused on both kernels.', [on('6.1', 'fails'), on('6.6', 'rejected')]],
    [
      'Depends on the config and kallsyms on both kernels.',
      ['6.1', '6.6'].map((name) => on(name, 'may-fail', 'kallsyms', 'config')),
    ],
    [
      'Loads on 2 of 5 kernels; refused on 5.10, 6.1 and 6.12.',
      [
        on('v5.10.1', 'rejected'),
        on('v6.1.2', 'fails'),
        on('v6.12.3', 'rejected'),
        on('v6.18.4', 'loads'),
        on('v7.1.5', 'loads'),
      ],
    ],
    [
      'Refused on 5.10; depends on a branch on 6.1; depends on a module on 6.6.',
      [on('5.10', 'rejected'), on('6.1', 'may-fail', 'branch'), on('6.6', 'may-fail', 'modules')],
    ],
    ['Reading 1 of 2 kernels …', [waiting('6.1'), waiting('6.6')]],
    [
      'Loads on 1 of 2 so far; refused on 5.10; reading 3 of 4 …',
      [on('5.10', 'rejected'), on('6.1', 'loads'), waiting('6.6'), waiting('6.12')],
    ],
    [
      'Loads on 1 of 2 kernels; not read: 6.6.',
      [on('6.1', 'loads'), { ...waiting('6.6'), isFailed: true }],
    ],
    ['Not read: 6.6.', [{ ...waiting('6.6'), isFailed: true }]],
  ])('%s', (sentence, kernels) => {
    expect(loadSentence(kernels)).toBe(sentence);
  });
});

describe('listed', () => {
  it('names at most so many, and says how many more there are', () => {
    expect(listed(['a'])).toBe('a');
    expect(listed(['a', 'b'])).toBe('a and b');
    expect(listed(['a', 'b', 'c', 'd'], 2)).toBe('a, b and 2 more');
    expect(listed(['a', 'b', 'c'], 2)).toBe('a, b and c');
  });
});

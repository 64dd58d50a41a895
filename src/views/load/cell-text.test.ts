import { describe, expect, it } from 'vitest';
import type { FactNote } from '#store/kernels/kernel-facts.ts';
import { loadsOn, shortLine } from './cell-text.ts';
import { factsText, noteText } from './KernelMenu.tsx';

it.each([
  [
    "prog 'on_exec': failed to find kernel BTF type ID of 'sched_process_exec': -ESRCH",
    'not in kernel BTF: sched_process_exec',
  ],
  [
    'In the target struct s has no member b: the instruction becomes a call that no kernel accepts.',
    'In the target struct s has no member b',
  ],
  ["extern 'CONFIG_HZ' (strong): not resolved", "extern 'CONFIG_HZ' (strong): not resolved"],
])('shortens %j for a row', (line, short) => {
  expect(shortLine(line)).toBe(short);
});

it('counts the kernels that a program loads on among those with a verdict', () => {
  expect(loadsOn(['loads', null, 'may-fail'])).toEqual({
    text: 'loads on 1 of 2',
    worst: 'may-fail',
  });
  expect(loadsOn([null]).worst).toBeNull();
});

describe('what is known of a kernel', () => {
  const NONE = { files: [], isComplete: false, release: null, unameVersion: null };
  const files = [1, 2, 3].map((key) => ({ key, name: `${key}`, file: new Blob() }));
  const modules: FactNote = { kind: 'modules', names: ['veth', 'nf_conntrack'] };
  const notes: readonly FactNote[] = [
    modules,
    { kind: 'config' },
    { kind: 'refused', reason: 'it is empty' },
  ];

  it('is told short', () => {
    expect(factsText(NONE, [])).toBe('');
    expect(factsText({ ...NONE, files }, [])).toBe('3 files');
    expect(factsText({ ...NONE, files, isComplete: true, release: '6.1.7' }, notes)).toBe(
      '2 modules, no other module loaded, config, version, 1 file not used',
    );
    expect(factsText({ ...NONE, isComplete: true }, [])).toBe('no module loaded');
  });

  it('is told for each file', () => {
    expect(notes.map(noteText)).toEqual([
      '2 modules: veth, nf_conntrack',
      'kernel configuration',
      'not used: it is empty',
    ]);
    const many = Array.from({ length: 9 }, (_, i) => `m${i}`);
    expect(noteText({ kind: 'modules', names: many })).toMatch(/^9 modules: m0, .*m5 and 3 more$/);
  });
});

import { expect, it } from 'vitest';
import { chainGroups, fixBlocks, placeText } from './answer-text.ts';
import { sourceRows } from './replay-rows.ts';

const line = (file: string | null, number: number, insns: number[]) => ({
  file,
  line: number,
  text: '',
  insns,
  count: insns.length,
});

it('lists files, lines, and the instructions of the unfolded line', () => {
  const lines = [line('a.c', 3, [0, 1]), line('a.c', 4, []), line('b.h', 9, [2])];
  expect(sourceRows(lines, 0)).toEqual([
    { kind: 'file', file: 'a.c' },
    { kind: 'line', line: 0 },
    { kind: 'insn', line: 0, insn: 0 },
    { kind: 'insn', line: 0, insn: 1 },
    { kind: 'line', line: 1 },
    { kind: 'file', file: 'b.h' },
    { kind: 'line', line: 2 },
  ]);
  expect(sourceRows(lines, null).filter(({ kind }) => kind === 'insn')).toHaveLength(3);
});

it('groups the instructions of a chain by consecutive lines of C', () => {
  const place = (insn: number, at: number | null, text = 'x') => ({
    insn,
    step: insn,
    logLine: insn,
    text: '',
    source: { text, file: at === null ? null : 'a.c', line: at, isUncertain: false },
  });
  const groups = chainGroups([place(0, 4), place(1, 4), place(2, 6), place(3, 4)]);
  expect(groups.map((group) => group.map(({ insn }) => insn))).toEqual([[0, 1], [2], [3]]);
  expect(chainGroups([place(0, null), place(1, null), place(2, null, 'y')])).toHaveLength(2);
  const none = { insn: 1, step: null, logLine: null, text: '', source: null };
  expect(chainGroups([none, none])).toHaveLength(2);
});

it('divides a repair into paragraphs and code', () => {
  expect(fixBlocks('Write this:\n\n```c\nif (!v)\n\treturn 0;\n```\n')).toEqual([
    { isCode: false, text: 'Write this:' },
    { isCode: true, text: 'if (!v)\n\treturn 0;' },
  ]);
  expect(fixBlocks('')).toEqual([]);
});

it('names a place', () => {
  expect(placeText({ file: 'a.c', line: 3 })).toBe('a.c:3');
  expect(placeText({ file: null, line: 3 })).toBe('line 3');
  expect(placeText({ file: null, line: null })).toBe('source');
});

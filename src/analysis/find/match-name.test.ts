import { expect, it } from 'vitest';
import { Match, matchName, needleOf } from './match-name.ts';

const { EXACT, PREFIX, WORD, STARTS, INSIDE } = Match;

it.each<[string, string, number | null, number[]]>([
  ['task_struct', 'task_struct', EXACT, [0, 11]],
  ['Task_Struct', 'task_struct', EXACT, [0, 11]],
  ['task_struct', 'task', PREFIX, [0, 4]],
  ['put_task_struct', 'task', WORD, [4, 8]],
  ['multitasking', 'task', INSIDE, [5, 9]],
  // The needle first occurs inside a word, and later at the start of a word.
  ['multitask_task', 'task', WORD, [10, 14]],
  ['task_struct', 'tsk_st', STARTS, [0, 1, 2, 4, 5, 7]],
  ['vm_area_struct', 'vas', STARTS, [0, 1, 3, 4, 8, 9]],
  ['task_struct', 'struct task', null, []],
  ['task_struct', 'task struct', EXACT, [0, 11]],
  ['Go to the start page', 'the start', WORD, [6, 15]],
  // A needle of one letter matches only the start of a name.
  ['task', 'k', null, []],
  ['task', 't', PREFIX, [0, 1]],
  ['task', '', PREFIX, []],
  ['', 'a', null, []],
])('%j answers %j', (name, typed, match, ranges) => {
  const found = matchName(name, needleOf(typed));
  expect(found?.match ?? null).toBe(match);
  expect(found?.ranges ?? []).toEqual(ranges);
});

it('marks no match where lower case has another length', () => {
  expect(matchName('İx_foo', 'foo')).toEqual({ match: WORD, ranges: [] });
});

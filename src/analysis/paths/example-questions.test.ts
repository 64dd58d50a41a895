import { expect, it } from 'vitest';
import { tableOf } from '#analysis/types/type-table-for-tests.ts';
import { btfBlob } from '#testing/btf-blob.ts';
import { struct } from '#testing/btf-types.ts';
import { exampleQuestions } from './example-questions.ts';

const kernelOf = (...names: readonly string[]) =>
  tableOf(btfBlob({ types: names.map((name) => struct(name, 8, [])) }).bytes);

it('only questions whose types are there are offered, at most so many', () => {
  const kernel = kernelOf('task_struct', 'net_device', 'file', 'sk_buff', 'sock');
  expect(exampleQuestions(kernel, 10).map(({ from, to }) => `${from}>${to}`)).toEqual([
    'task_struct>net_device',
    'file>i_ino',
    'sk_buff>sk_family',
  ]);
  expect(exampleQuestions(kernel, 1)).toHaveLength(1);
});

it('a file that is no kernel is offered none', () => {
  expect(exampleQuestions(kernelOf('a', 'sk_buff', 'net'), 10)).toEqual([]);
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { btfBlob } from '#testing/btf-blob.ts';
import { struct } from '#testing/btf-types.ts';
import { tableOf } from '#testing/type-table.ts';
import {
  exampleQuestions,
  formatQuestion,
  parsePlace,
  parseQuestion,
  placeOfType,
} from './place-text.ts';

describe('one end of a question', () => {
  it.each([
    ['task_struct', { type: { by: 'name', name: 'task_struct', keyword: null }, field: '' }],
    [' union  bpf_attr ', { type: { by: 'name', name: 'bpf_attr', keyword: 'union' }, field: '' }],
    ['*.pid', { type: null, field: 'pid' }],
    ['.pid', { type: null, field: 'pid' }],
    ['sock.a.b[2]', { type: { by: 'name', name: 'sock', keyword: null }, field: 'a.b[2]' }],
    ['sock->a', { type: { by: 'name', name: 'sock', keyword: null }, field: 'a' }],
    [
      'struct:foo~1.x',
      { type: { by: 'key', key: { kind: 'struct', name: 'foo', ordinal: 1 } }, field: 'x' },
    ],
    ['struct', { type: { by: 'name', name: 'struct', keyword: null }, field: '' }],
    ['  ', null],
  ])('reads %j', (text, expected) => {
    expect(parsePlace(text)).toEqual(expected);
  });

  it('is written by name where that is plain, and by its key else', () => {
    expect(placeOfType({ kind: 'struct', name: 'sock', ordinal: 0 })).toBe('sock');
    expect(placeOfType({ kind: 'struct', name: 'sock', ordinal: 1 })).toBe('struct:sock~1');
    expect(placeOfType({ kind: 'union', name: 'u', ordinal: 0 })).toBe('union:u');
  });

  it('names any type so that it is read back, even in a question', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1 }), fc.nat(3), (name, ordinal) => {
        fc.pre(!name.includes('\0'));
        const key = { kind: 'struct', name, ordinal };
        const place = placeOfType(key);
        const asked = { from: place, to: place, around: true };
        expect(parseQuestion(formatQuestion(asked))).toEqual(asked);
        const type = parsePlace(place)?.type;
        if (type?.by === 'key') expect(type.key).toEqual(key);
        else expect(type?.name).toBe(name);
      }),
    );
  });
});

describe('a question as text', () => {
  it.each([
    ['', { from: '', to: '', around: false }],
    ['task_struct', { from: 'task_struct', to: '', around: false }],
    ['task_struct>sk_family', { from: 'task_struct', to: 'sk_family', around: false }],
    ['a>sock->sk_rcvbuf', { from: 'a', to: 'sock->sk_rcvbuf', around: false }],
    ['a>b>container_of', { from: 'a', to: 'b', around: true }],
  ])('reads %j', (text, expected) => {
    expect(parseQuestion(text)).toEqual(expected);
  });
});

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

it('a file other than a kernel has no kernel places', () => {
  expect(exampleQuestions(kernelOf('a', 'sk_buff', 'net'), 10)).toEqual([]);
});

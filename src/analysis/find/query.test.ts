import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '#testing/runs.ts';
import { type FindQuery, parseQuery } from './query.ts';

const names = (needle: string, more: Partial<Extract<FindQuery, { form: 'names' }>> = {}) => ({
  form: 'names',
  scope: 'any',
  needle,
  size: null,
  ...more,
});

describe('the grammar', () => {
  it.each<[string, unknown]>([
    ['', { form: 'none' }],
    ['   ', { form: 'none' }],
    ['tsk_st', names('tsk_st')],
    ['  task   struct ', names('task struct')],
    ['struct: sk_buff', names('sk_buff', { scope: 'struct' })],
    ['STRUCT:sk_buff', names('sk_buff', { scope: 'struct' })],
    ['struct sk_buff', names('sk_buff', { scope: 'struct' })],
    ['enum bpf_map_type', names('bpf_map_type', { scope: 'enum' })],
    ['struct', names('', { scope: 'struct' })],
    ['func', names('', { scope: 'func' })],
    ['func vfs', names('vfs', { scope: 'func' })],
    // Without a colon, `member pid` is a name.
    ['member pid', names('member pid')],
    ['field:pid', names('pid', { scope: 'member' })],
    ['function:vfs', names('vfs', { scope: 'func' })],
    ['core:', names('', { scope: 'core' })],
    ['section: .text', names('.text', { scope: 'section' })],
    ['nothing:x', names('nothing:x')],
    ['task_struct.pid', members('task_struct', ['pid'], 'task_struct.pid')],
    ['struct task_struct.pid', members('task_struct', ['pid'], 'task_struct.pid')],
    ['task_struct->mm->pgd', members('task_struct', ['mm', 'pgd'], 'task_struct->mm->pgd')],
    ['sk_buff.', members('sk_buff', [''], 'sk_buff.')],
    ['*.sk_family', members('*', ['sk_family'], '*.sk_family')],
    ['.rodata', members('*', ['rodata'], '.rodata')],
    ['a..b', names('a..b')],
    ['.', names('.')],
    ['member-type:lock_t', { form: 'member-type', type: { name: 'lock_t', isPointer: false } }],
    ['Member-Type : struct Foo *', { form: 'member-type', type: { name: 'foo', isPointer: true } }],
    ['member-type:', { form: 'member-type', type: { name: '', isPointer: false } }],
    ['member-type', names('member-type')],
    ['#1234', { form: 'id', id: 1234 }],
    ['[ 7 ]', { form: 'id', id: 7 }],
    ['42', { form: 'value', value: 42n, id: 42, place: { at: 42, isHex: false } }],
    ['0x800', { form: 'value', value: 0x800n, id: null, place: { at: 0x800, isHex: true } }],
    ['-1', { form: 'value', value: -1n, id: null, place: null }],
    ['value:6', { form: 'value', value: 6n, id: null, place: null }],
    ['value = 0xFF', { form: 'value', value: 255n, id: null, place: null }],
    ['takes:sock', prototype('takes', 'sock', false)],
    ['Returns : struct Foo *', prototype('returns', 'foo', true)],
    ['takes', names('takes')],
    ['0x58 in sk_buff', { form: 'offset', byteOffset: 0x58, owner: 'sk_buff' }],
    ['88 in struct sk_buff', { form: 'offset', byteOffset: 88, owner: 'sk_buff' }],
    ['sk_buff+0x58', { form: 'offset', byteOffset: 0x58, owner: 'sk_buff' }],
    ['struct sk_buff + 88', { form: 'offset', byteOffset: 88, owner: 'sk_buff' }],
    ['size:64', names('', { size: { op: '=', bytes: 64 } })],
    ['size=0x40', names('', { size: { op: '=', bytes: 64 } })],
    ['size >= 4k', names('', { size: { op: '>=', bytes: 4096 } })],
    ['struct: size>1000 sk', names('sk', { scope: 'struct', size: { op: '>', bytes: 1000 } })],
    ['size', names('size')],
    ['size_t', names('size_t')],
  ])('%j', (text, query) => {
    expect(parseQuery(text)).toEqual(query);
  });

  it('gives every text a meaning, and no end of time to none', () => {
    const word = fc.constantFrom(
      ...['struct', 'core', 'size', 'value', ':', '>', '.', '->', '+', ' in ', '0x', '#', '[', ']'],
      ...['*', '_', ' ', '9', 'é', '\0', '\u202e'],
    );
    const texts = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 400 }),
      fc.array(word, { maxLength: 60 }).map((words) => words.join('')),
    );
    fc.assert(
      fc.property(texts, (text) => {
        const query = parseQuery(text);
        if (query.form === 'members') expect(query.path.length).toBeGreaterThan(0);
        if (query.form === 'names' && query.size !== null) {
          expect(Number.isFinite(query.size.bytes)).toBe(true);
        }
        expect(query.form === 'none').toBe(text.slice(0, 256).trim() === '');
      }),
      { numRuns: runs(2000) },
    );
  });
});

function prototype(part: string, name: string, isPointer: boolean) {
  return { form: 'prototype', prototype: { part, type: { name, isPointer } } };
}

function members(owner: string, path: readonly string[], text: string) {
  return { form: 'members', owner, path, text };
}

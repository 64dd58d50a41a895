import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { BtfKind } from '#formats/btf/kinds.ts';
import { typeId } from '#model/ids.ts';
import { kindOf, nameOf } from '#model/type-table.ts';
import { btfBlob } from '#testing/btf-blob.ts';
import {
  array,
  enum64,
  enumeration,
  func,
  funcProto,
  fwd,
  int,
  modifier,
  ptr,
  record,
  struct,
  typedef,
} from '#testing/btf-types.ts';
import { corpusKernels, readCorpusFile } from '#testing/corpus.ts';
import { namesOf, tableOf } from '#testing/type-table.ts';
import { allTypes, searchTypes, type TypeQuery } from './type-search.ts';

const t = tableOf(
  btfBlob({
    layout: Array.from({ length: 41 }, () => ({ infoSize: 0, elemSize: 0 })),
    types: [
      int('int', 4), // 1
      struct('task_struct', 64, []),
      ptr(2),
      struct('task', 8, []),
      typedef('TaskList', 2), // 5
      fwd('task'),
      func('wake_task', 8),
      funcProto(0),
      enumeration('task_state', [['A', 0]]),
      enum64('task_flags', [['B', 0n]]), // 10
      array(1, 1, 100),
      record(40, { name: 'later' }),
      struct('multitasking', 16, []),
    ],
  }).bytes,
);

const ALL_BY_ID: TypeQuery = { text: '', kinds: 0, order: 'id', descending: false };

const ids = async (query: Partial<TypeQuery>) =>
  Array.from(await searchTypes(t, { ...ALL_BY_ID, ...query }, () => namesOf(t)));

const ALL = Array.from({ length: 13 }, (_, i) => i + 1);

it.each([
  ['', ALL],
  ['  ', ALL],
  ['task', [2, 4, 5, 6, 7, 9, 10, 13]],
  ['TASK', [2, 4, 5, 6, 7, 9, 10, 13]],
  ['tasklist', [5]],
  ['nothing like it', []],
  ['struct task', [2, 4, 13]],
  ['struct ', [2, 4, 13]],
  ['struct', [2, 4, 13]],
  ['struct: task', [2, 4, 13]],
  ['func', [7]],
  ['func:wake', [7]],
  ['union', []],
  ['int', [1]],
  ['enum task', [9, 10]],
  ['fwd task', [6]],
  ['#2', [2]],
  [' [13] ', [13]],
  ['#0', []],
  ['#14', []],
  ['a\0t', []],
])('%j finds %j', async (text, expected) => {
  expect(await ids({ text })).toEqual(expected);
});

it('puts the named structs first, the largest first, and then the others by id', async () => {
  const first = [2, 13, 4, 1, 3, 5, 6, 7, 8, 9, 10, 11, 12];
  expect(await ids({ order: 'structs' })).toEqual(first);
  expect([...(allTypes(t, { ...ALL_BY_ID, order: 'structs' }) ?? [])]).toEqual(first);
  expect(await ids({ order: 'structs', text: 'task' })).toEqual([4, 6, 2, 5, 9, 10, 13, 7]);
});

describe('functions by their prototype', () => {
  const calls = tableOf(
    btfBlob({
      types: [
        int('bool', 1), // 1
        struct('sock', 8, []),
        ptr(2),
        modifier('const', 3),
        funcProto(1, [['sk', 4]]), // 5
        funcProto(3, [['n', 1]]),
        func('is_open', 5),
        func('sock_alloc', 6),
        typedef('sock_t', 2),
        funcProto(0, [['s', 9]]), // 10
        func('by_value', 10),
      ],
    }).bytes,
  );
  it.each([
    ['takes:sock', [7, 11]],
    ['takes: struct sock *', [7]],
    ['takes:sock_t', [11]],
    ['returns:sock', [8]],
    ['Returns:bool', [7]],
    ['takes:none', []],
    ['takes:', []],
  ])('%j finds %j', async (text, expected) => {
    const found = await searchTypes(calls, { ...ALL_BY_ID, text }, () => namesOf(calls));
    expect([...found]).toEqual(expected);
  });
});

it.each([{ text: ' ' }, { kinds: 2 }, { order: 'name' }, { text: '#2' }] as const)(
  'answers %j without the index',
  async (part) => {
    const names = vi.fn(() => namesOf(t));
    await searchTypes(t, { ...ALL_BY_ID, ...part }, names);
    expect(names).not.toHaveBeenCalled();
  },
);

it('gives all by id, up and down', async () => {
  expect(await ids({ text: ' ' })).toEqual(ALL);
  expect(await ids({ text: ' ', descending: true })).toEqual(ALL.toReversed());
});

it('filters by kind, the unknown ones as bit 31', async () => {
  expect(await ids({ kinds: 1 << BtfKind.STRUCT })).toEqual([2, 4, 13]);
  expect(await ids({ kinds: (1 << 31) >>> 0 })).toEqual([12]);
  expect(await ids({ kinds: 1 << BtfKind.FWD, text: 'struct task' })).toEqual([]);
});

it('orders by id, down as well', async () => {
  expect(await ids({ text: 'task', descending: true })).toEqual([13, 10, 9, 7, 6, 5, 4, 2]);
});

it('orders by name, the nameless last', async () => {
  expect(await ids({ order: 'name' })).toEqual([1, 12, 13, 4, 6, 10, 9, 2, 5, 7, 3, 8, 11]);
  expect(await ids({ order: 'name', descending: true })).toEqual([
    7, 5, 2, 9, 10, 6, 4, 13, 12, 1, 3, 8, 11,
  ]);
});

it('puts the name itself first, then beginnings, then the rest', async () => {
  expect(await ids({ order: 'name', text: 'task' })).toEqual([4, 6, 10, 9, 2, 5, 13, 7]);
});

it('orders by size, the sizeless last', async () => {
  expect(await ids({ order: 'size' })).toEqual([1, 9, 3, 4, 10, 13, 2, 5, 11, 6, 7, 8, 12]);
  expect(await ids({ order: 'size', descending: true })).toEqual([
    11, 5, 2, 13, 10, 4, 3, 9, 1, 6, 7, 8, 12,
  ]);
});

it('finds what a plain comparison finds', async () => {
  const name = fc.string({
    unit: fc.constantFrom('a', 'b', 'B', 'ı', '_'),
    minLength: 1,
    maxLength: 6,
  });
  await fc.assert(
    fc.asyncProperty(fc.array(name, { maxLength: 12 }), name, async (names, text) => {
      const types = names.map((n) => typedef(n, 0));
      const table = tableOf(btfBlob({ types }).bytes);
      const found = await searchTypes(table, { ...ALL_BY_ID, text }, () => namesOf(table));
      const expected = names.flatMap((n, i) =>
        n.toLowerCase().includes(text.toLowerCase()) ? [i + 1] : [],
      );
      expect(Array.from(found)).toEqual(expected);
    }),
  );
});

it('does not multiply names that share one long string', async () => {
  const strings = new Uint8Array(500_000).fill(0x61);
  strings[0] = 0;
  strings[strings.length - 1] = 0;
  const types = Array.from({ length: 20_000 }, (_, i) => typedef(i + 1, 0));
  const table = tableOf(btfBlob({ types, strings }).bytes);
  const long = await namesOf(table);
  expect(long.pool.text.length).toBeLessThan(25_000_000);
  const found = await searchTypes(table, { ...ALL_BY_ID, text: 'aaaa' }, async () => long);
  expect(found).toHaveLength(20_000);
});

describe('a kernel', () => {
  it('answers as a plain comparison does', async () => {
    const [kernel] = corpusKernels();
    if (kernel === undefined) throw new Error('corpus without kernels');
    const table = tableOf(readCorpusFile(kernel));
    const names = Array.from({ length: table.count }, (_, i) =>
      nameOf(table, typeId(i + 1)).toLowerCase(),
    );
    const kernelNames = await namesOf(table);
    for (const text of ['task', 'e', 'struct sk_buff', '__X64_', 'task_struct']) {
      const needle = text.replace('struct ', '').toLowerCase();
      const only = text.startsWith('struct ') ? BtfKind.STRUCT : null;
      const expected = names.flatMap((name, i) =>
        name.includes(needle) && (only === null || kindOf(table, typeId(i + 1)) === only)
          ? [i + 1]
          : [],
      );
      const query: TypeQuery = { ...ALL_BY_ID, text };
      const byId = await searchTypes(table, query, async () => kernelNames);
      expect(Array.from(byId)).toEqual(expected);
      const byName = await searchTypes(table, { ...query, order: 'name' }, async () => kernelNames);
      expect(Array.from(byName).sort((a, b) => a - b)).toEqual(expected);
    }
  });
});

describe('member-type:', () => {
  const held = tableOf(
    btfBlob({
      types: [
        int('int', 4), // 1
        typedef('lock_t', 1), // 2
        struct('', 4, [{ name: 'inside', type: 2, bitOffset: 0 }]), // 3
        struct('outer', 4, [{ name: '', type: 3, bitOffset: 0 }]), // 4
        struct('direct', 4, [{ name: 'lock', type: 2, bitOffset: 0 }]), // 5
        struct('other', 4, [{ name: 'self', type: 7, bitOffset: 0 }]), // 6
        ptr(2), // 7
      ],
    }).bytes,
  );
  const found = async (text: string, more: Partial<TypeQuery> = {}) =>
    Array.from(await searchTypes(held, { ...ALL_BY_ID, text, ...more }, () => namesOf(held)));

  it('lists structs with such a member, also inside of an anonymous one', async () => {
    expect(await found('member-type:lock_t')).toEqual([3, 4, 5]);
    expect(await found('member-type: LOCK_T', { descending: true })).toEqual([5, 4, 3]);
    expect(await found('member-type:lock_t*')).toEqual([6]);
    expect(await found('member-type:int')).toEqual([3, 4, 5]);
    expect(await found('member-type:nothing')).toEqual([]);
    expect(await found('member-type:')).toEqual([]);
  });
});

import { describe, expect, it } from 'vitest';
import { Slices } from '#bytes/long-work.ts';
import type { ObjectModel } from '#model/object-model.ts';
import { btfBlob } from '#testing/btf-blob.ts';
import {
  array,
  enum64,
  enumeration,
  func,
  funcProto,
  int,
  ptr,
  struct,
  typedef,
  union,
} from '#testing/btf-types.ts';
import { openModel } from '#testing/open-model.ts';
import { sampleModel } from '#testing/samples.ts';
import { find } from './find.ts';
import { buildFinder } from './finder.ts';
import type { FindHit } from './make-hit.ts';

const slices = () => new Slices(1000, new AbortController().signal);

async function askOf(model: ObjectModel) {
  const finder = await buildFinder(model, slices(), () => undefined);
  return (text: string, limit = 20) => find(finder, text, limit, slices());
}

const { bytes } = btfBlob({
  types: [
    int('int', 4), // 1
    struct('task_struct', 24, [
      { name: 'pid', type: 1, bitOffset: 0 },
      { name: 'mm', type: 4, bitOffset: 64 },
      { name: '', type: 5, bitOffset: 128 },
    ]),
    struct('mm_struct', 12, [
      { name: 'pgd', type: 1, bitOffset: 0 },
      { name: 'slots', type: 7, bitOffset: 32 },
    ]),
    ptr(3), // 4
    union('', 8, [
      { name: 'cred', type: 1, bitOffset: 0 },
      { name: 'flags', type: 1, bitOffset: 0, bitfieldSize: 3 },
    ]),
    struct('slot', 4, [{ name: 'pid', type: 1, bitOffset: 0 }]), // 6
    array(6, 1, 2),
    typedef('task', 2), // 8
    funcProto(0),
    func('task', 9), // 10
    struct('task', 4, []),
    struct('task_group', 4, [{ name: 'pid', type: 1, bitOffset: 0 }]), // 12
    func('put_task_struct', 9),
    func('multitasking', 9),
    enumeration('state', [
      ['TASK_RUNNING', 0],
      ['TASK_DEAD', 128],
    ]), // 15
    enum64('wide', [['HUGE', 1n << 40n]]),
    struct('', 4, [{ name: 'counter', type: 1, bitOffset: 0 }]), // 17
    typedef('atomic_t', 17),
  ],
});

const titles = (hits: readonly FindHit[]) =>
  hits.map(({ what, kind, title }) => `${what === 'type' ? `type ${kind}` : what} ${title}`);

describe('names', async () => {
  const ask = await askOf(await openModel('a.btf', bytes));

  it('come exact first, then by beginning, word, beginnings of words, and inside', async () => {
    const { hits, total } = await ask('task');
    expect(titles(hits)).toEqual([
      'type 4 task',
      'type 8 task',
      'type 12 task',
      'type 4 task_group',
      'type 4 task_struct',
      'enumerator TASK_DEAD',
      'enumerator TASK_RUNNING',
      'type 12 put_task_struct',
      'type 12 multitasking',
    ]);
    expect(total).toBe(9);
    expect(titles((await ask('tsk_st')).hits)).toEqual([
      'type 4 task_struct',
      'type 12 put_task_struct',
    ]);
  });

  it('are narrowed by a word before a colon', async () => {
    expect(titles((await ask('func:task')).hits)[0]).toBe('type 12 task');
    expect(titles((await ask('struct task')).hits)).toEqual([
      'type 4 task',
      'type 4 task_group',
      'type 4 task_struct',
    ]);
    expect(titles((await ask('enumerator:task_d')).hits)).toEqual(['enumerator TASK_DEAD']);
    expect((await ask('section:task')).hits).toEqual([]);
  });

  it('of many members are one line that expands to them', async () => {
    const [line] = (await ask('pid')).hits;
    expect(line).toMatchObject({ what: 'member-name', title: 'pid', refine: '*.pid' });
    expect(line?.facts.items).toBe(3);
    const all = await ask('*.pid');
    expect(titles(all.hits)).toEqual([
      'member task_struct.pid',
      'member slot.pid',
      'member task_group.pid',
    ]);
    expect(await ask('member:pid')).toEqual(all);
  });

  it('say which of their letters were asked for', async () => {
    expect((await ask('tsk_st')).hits[0]?.ranges).toEqual([0, 1, 2, 4, 5, 7]);
    expect((await ask('task_struct.pi')).hits[0]?.ranges).toEqual([12, 14]);
  });

  it('are at most the limit, and counted in full', async () => {
    const { hits, total } = await ask('task', 2);
    expect([hits.length, total]).toEqual([2, 9]);
  });
});

describe('members', async () => {
  const ask = await askOf(await openModel('a.btf', bytes));

  it('are found by their path, through anonymous members', async () => {
    const [cred] = (await ask('task_struct.cred')).hits;
    expect(cred).toMatchObject({
      title: 'task_struct.cred',
      facts: { bitOffset: 128, typeText: 'int' },
      selection: { kind: 'type', type: 2, memberPath: [2, 0] },
    });
    const [flags] = (await ask('task_struct.flags')).hits;
    expect(flags?.facts).toMatchObject({ bitOffset: 128, bits: 3 });
    // If the query names no struct, the hit shows the member's struct.
    expect((await ask('member:cred')).hits[0]).toEqual({ ...cred, ranges: cred?.ranges });
  });

  it('behind a pointer are those of its type', async () => {
    const [pgd] = (await ask('task_struct->mm->pgd')).hits;
    expect(pgd).toMatchObject({
      title: 'task_struct.mm->pgd',
      selection: { kind: 'type', type: 3, memberPath: [0] },
    });
  });

  it('in an array can be selected as far as the array', async () => {
    const [pid] = (await ask('mm_struct.slots.pid')).hits;
    expect(pid).toMatchObject({
      title: 'mm_struct.slots[].pid',
      selection: { kind: 'type', type: 3, memberPath: [1] },
    });
  });

  it('of a type are all listed in order', async () => {
    expect(titles((await ask('task_struct.')).hits)).toEqual([
      'member task_struct.pid',
      'member task_struct.mm',
      'member task_struct.cred',
      'member task_struct.flags',
    ]);
  });

  it('of an anonymous struct belong to the typedef that names it', async () => {
    expect(titles((await ask('member:counter')).hits)).toEqual(['member atomic_t.counter']);
  });

  it('that do not exist are reported', async () => {
    expect(await ask('task_struct.nothing')).toMatchObject({
      hits: [],
      problem: 'task_struct has no member nothing',
    });
    expect((await ask('zzz.x')).problem).toBe('No struct or union named zzz');
  });
});

describe('offsets, sizes, values and ids', async () => {
  const ask = await askOf(await openModel('a.btf', bytes));

  it('of a byte: what covers it', async () => {
    expect(titles((await ask('0x10 in task_struct')).hits)).toEqual([
      'member task_struct.cred',
      'member task_struct.flags',
    ]);
    expect(titles((await ask('task_struct+4')).hits)).toEqual(['hole task_struct']);
    expect(titles((await ask('8 in mm_struct')).hits)).toEqual(['member mm_struct.slots[].pid']);
    expect((await ask('99 in mm_struct')).problem).toBe('mm_struct has 12 bytes: none at 99');
  });

  it('by size, the largest first', async () => {
    expect(titles((await ask('size>=12')).hits)).toEqual([
      'type 4 task_struct',
      'type 4 mm_struct',
    ]);
    expect(titles((await ask('size:4 task')).hits)).toEqual(['type 4 task', 'type 4 task_group']);
    expect((await ask('size:5')).problem).toBe('No type has a size of 5 bytes');
  });

  it('by value, in 32 and 64 bits', async () => {
    expect(titles((await ask('value:128')).hits)).toEqual(['enumerator TASK_DEAD']);
    expect(titles((await ask('0x10000000000')).hits)).toEqual(['enumerator HUGE']);
    expect((await ask('value:77')).problem).toBe('No enumerator has the value 77');
  });

  it('by id, also as a number alone', async () => {
    expect(titles((await ask('#2')).hits)).toEqual(['type 4 task_struct']);
    expect(titles((await ask('[12]')).hits)).toEqual(['type 4 task_group']);
    expect(titles((await ask('2')).hits)).toEqual(['type 4 task_struct', 'byte Byte 0x2']);
    expect((await ask('#99')).problem).toBe('The last type is 18');
    expect((await ask('#0')).problem).toBe('Type 0 is void: it has no record');
  });
});

describe('an object', async () => {
  const ask = await askOf(await sampleModel('exec_trace.bpf.o'));

  it('gives its sections, functions, strings and CO-RE records', async () => {
    expect((await ask('.BTF')).hits.map(({ what, title }) => `${what} ${title}`)).toContain(
      'section .BTF',
    );
    const functions = (await ask('func:')).hits.filter(({ what }) => what === 'function');
    expect(functions.length).toBeGreaterThan(0);
    for (const hit of functions) expect(hit.selection?.kind).toBe('insn');
    const core = await ask('core:');
    expect(core.hits.length).toBeGreaterThan(0);
    for (const [i, hit] of core.hits.entries()) {
      expect(hit.selection).toEqual({ kind: 'core', core: i, step: null });
    }
    const [gpl] = (await ask('string:license')).hits;
    expect(gpl?.title.toLowerCase()).toContain('license');
    expect(gpl?.selection?.kind).toBe('bytes');
  });
});

it('reports a file without types', async () => {
  const model = { ...(await sampleModel('exec_trace.bpf.o')), types: null };
  const ask = await askOf(model);
  expect((await ask('#1')).problem).toBe('This file has no types');
  expect((await ask('.text')).hits.length).toBeGreaterThan(0);
});

it('finds types of the base of a module, marked as such', async () => {
  const { types: base } = await sampleModel('kernel.btf');
  if (base === null) throw new Error('no types');
  const { sampleBytes } = await import('#testing/samples.ts');
  const model = await openModel('module.btf', sampleBytes('module.btf'), { base, baseName: 'k' });
  const ask = await askOf(model);
  const { hits } = await ask('struct:', 1000);
  expect(hits.some(({ inBase }) => inBase)).toBe(true);
  expect(hits.some(({ inBase }) => !inBase)).toBe(true);
});

describe('member-type', async () => {
  const lock = btfBlob({
    types: [
      int('int', 4), // 1
      struct('raw', 4, [{ name: 'v', type: 1, bitOffset: 0 }]), // 2
      typedef('lock_t', 2), // 3
      array(3, 1, 2), // 4
      ptr(3), // 5
      struct('', 4, [{ name: 'inside', type: 3, bitOffset: 0 }]), // 6
      struct('direct', 8, [
        { name: 'count', type: 1, bitOffset: 0 },
        { name: 'lock', type: 3, bitOffset: 32 },
      ]), // 7
      struct('nested', 8, [{ name: '', type: 6, bitOffset: 32 }]), // 8
      struct('many', 8, [{ name: 'locks', type: 4, bitOffset: 0 }]), // 9
      struct('far', 8, [{ name: 'to', type: 5, bitOffset: 0 }]), // 10
    ],
  });
  const ask = await askOf(await openModel('locks.btf', lock.bytes));

  it('finds members of a type, through typedefs, arrays and anonymous structs', async () => {
    const all = ['member nested.inside', 'member direct.lock', 'member many.locks'];
    expect(titles((await ask('member-type:lock_t')).hits)).toEqual(all);
    expect(titles((await ask('member-type: struct RAW')).hits)).toEqual(all);
    expect((await ask('member-type:lock_t', 1)).total).toBe(3);
  });

  it('finds pointers with a star, and says where there is none', async () => {
    expect(titles((await ask('member-type:lock_t *')).hits)).toEqual(['member far.to']);
    expect(await ask('member-type:nothing*')).toMatchObject({
      hits: [],
      problem: 'No member has the type nothing *',
    });
    expect((await ask('member-type:')).problem).toContain('Type a name');
  });
});

describe('a number', () => {
  const hitsFor = async (text: string) => {
    const ask = await askOf(await sampleModel('exec_trace.bpf.o'));
    return (await ask(text)).hits.map(({ what, title, facts, selection }) => ({
      what,
      title,
      place: facts.place,
      selection,
    }));
  };

  it('is a byte of the file, and the instruction there and at that offset of each section', async () => {
    const hits = await hitsFor('0x48');
    expect(hits[0]).toEqual({
      what: 'byte',
      title: 'Byte 0x48',
      place: '.text',
      selection: { kind: 'bytes', start: 0x48, end: 0x49 },
    });
    expect(hits).toContainEqual(
      expect.objectContaining({ what: 'insn', title: 'Instruction 1 of .text' }),
    );
    expect(hits).toContainEqual(
      expect.objectContaining({
        title: 'Instruction 9 of tp_btf/sched_process_exec',
        place: 'on_exec',
        selection: expect.objectContaining({ kind: 'insn', insnOff: 0x48 }),
      }),
    );
  });

  it('is without 0x the number of an instruction, after the type of that id', async () => {
    const hits = await hitsFor('60');
    expect(hits[0]?.what).toBe('type');
    expect(hits.map(({ title }) => title)).toContain('Instruction 60 of kprobe/do_exit');
  });

  it('finds no byte past the end of the file', async () => {
    expect(await hitsFor('0xffffff')).toEqual([]);
    expect((await hitsFor('value:0x48')).filter(({ what }) => what === 'byte')).toEqual([]);
  });
});

it('finds functions by parameter and result', async () => {
  const ask = await askOf(await sampleModel('kernel.btf'));
  const { hits, total } = await ask('takes:task_struct');
  expect(hits.length).toBeGreaterThan(0);
  expect(total).toBe(hits.length);
  expect((await ask('takes:no_such')).problem).toBe('No function takes no_such');
  expect((await ask('returns:')).problem).toBe('Type a name: returns:sock');
});

it('finds members through pointers', async () => {
  const ask = await askOf(await sampleModel('kernel.btf'));
  const [hit] = (await ask('task_struct.parent->real_parent->comm')).hits;
  expect(hit?.title).toBe('task_struct.parent->real_parent->comm');
});

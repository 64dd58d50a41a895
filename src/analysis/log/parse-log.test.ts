import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseLog } from '#testing/all-at-once.ts';
import { runs, SOON } from '#testing/runs.ts';
import { explainLine } from './explain.ts';
import type { LogLine } from './log-line.ts';

function only(text: string): LogLine {
  const [line] = parseLog(text).lines;
  if (line === undefined) throw new Error('one line was given');
  return line;
}

describe('libbpf', () => {
  it('with its prefix, after a time stamp, or without either', () => {
    const words = "prog 'p': relo #3: no matching targets found";
    for (const text of [`libbpf: ${words}`, `[12.5] libbpf: ${words}`, words]) {
      expect(only(text)).toMatchObject({
        source: 'libbpf',
        prog: 'p',
        reloIndex: 3,
        event: { event: 'no-match' },
      });
    }
  });

  it('a field by its path, indices and bits', () => {
    expect(
      only("libbpf: prog 'p': relo #0: <byte_off> [5] struct foo[1].a.b[2] (1:0:1:2 @ offset 8.3)"),
    ).toMatchObject({
      event: {
        spec: {
          kind: 0,
          typeId: 5,
          typeKind: 'struct',
          typeName: 'foo',
          path: [{ index: 1 }, { name: 'a' }, { name: 'b' }, { index: 2 }],
          accessStr: '1:0:1:2',
          bitOffset: 67,
        },
      },
    });
  });

  it('an enumerator, a type, an anonymous type, a line that was cut', () => {
    const spec = (text: string) => only(`libbpf: prog 'p': relo #0: ${text}`).event;
    expect(spec('<enumval_value> [9] enum e::A = -1')).toMatchObject({
      spec: { typeName: 'e', enumerator: { name: 'A', value: -1n } },
    });
    expect(spec('<type_exists> [9] typedef u32')).toMatchObject({
      spec: { kind: 8, typeKind: 'typedef', typeName: 'u32', path: [] },
    });
    expect(spec('<byte_sz> [9] struct <anon>.x (0:0 @ offset 0)')).toMatchObject({
      spec: { typeName: '', path: [{ name: 'x' }] },
    });
    expect(spec('<byte_sz> [9] struct s.aaa.bb (0:1:2 @ off')).toMatchObject({
      spec: { typeName: 's', accessStr: null, bitOffset: null },
    });
  });

  it('what it writes into the log of the verifier', () => {
    const { lines } = parseLog(
      [
        '316: <invalid CO-RE relocation>',
        'failed to resolve CO-RE relocation <byte_off> [423] struct inode.i_atime.tv_sec (0:15:0 @ offset 88)',
      ].join('\n'),
    );
    expect(lines[0]).toMatchObject({
      source: 'verifier',
      event: { event: 'invalid-core', insnIndex: 316 },
    });
    expect(lines[1]).toMatchObject({
      source: 'libbpf',
      event: {
        event: 'unresolved',
        spec: { typeId: 423, path: [{ name: 'i_atime' }, { name: 'tv_sec' }], bitOffset: 704 },
      },
    });
  });

  it.each([
    ["libbpf: prog 'p': BPF program load failed: Invalid argument", 'program', 'Invalid argument'],
    ["libbpf: prog 'p': failed to load: -22", 'program', '-22'],
    ["libbpf: failed to load object 'kflowd_bpf'", 'object', null],
    ["libbpf: failed to load BPF skeleton 'kflowd_bpf': -22", 'object', '-22'],
    ["libbpf: prog 'p': BPF program load failed: -EACCES", 'program', '-EACCES'],
  ])('%s', (text, what, errno) => {
    expect(only(text).event).toEqual({ event: 'load-failed', what, errno });
  });
});

describe('libbpf before and after the relocations', () => {
  it.each([
    [
      "libbpf: prog 'on_open': failed to find kernel BTF type ID of 'do_sys_openat3': -3",
      { event: 'no-attach-type', name: 'do_sys_openat3', error: '-3' },
    ],
    [
      "libbpf: prog 'on_open': failed to find kernel BTF type ID of 'do_sys_openat3': -ESRCH",
      { event: 'no-attach-type', name: 'do_sys_openat3', error: '-ESRCH' },
    ],
    [
      "libbpf: sec 'fentry/do_unlinkat': found 3 CO-RE relocations",
      { event: 'core-count', section: 'fentry/do_unlinkat', count: 3 },
    ],
    ['libbpf: loading object from a.bpf.o', { event: 'opening', what: 'a.bpf.o' }],
    ['libbpf: loading a.bpf.o', { event: 'opening', what: 'a.bpf.o' }],
    ["libbpf: loading object 'skel' from buffer", { event: 'opening', what: 'skel' }],
    [
      "libbpf: loading kernel BTF '/sys/kernel/btf/vmlinux': 0",
      { event: 'kernel-btf', path: '/sys/kernel/btf/vmlinux', error: '0' },
    ],
  ])('%s', (text, event) => {
    expect(only(text)).toMatchObject({ source: 'libbpf', event });
    expect(explainLine(only(text))).toMatch(/[.]$/);
  });
});

describe('the verifier', () => {
  it.each([
    ['invalid func unknown#195896080', { event: 'invalid-func', func: 195896080, poison: true }],
    ['invalid func unknown#999', { event: 'invalid-func', func: 999, poison: false }],
    ['123: (85) call unknown#195896080', { event: 'poisoned-call', insnIndex: 123 }],
    ['7: (b7) r1 = 0   ; R1_w=0', { event: 'insn', insnIndex: 7, opcode: 0xb7 }],
    ['; x = a->b; @ probe.c:12', { event: 'source', file: 'probe.c', line: 12, code: 'x = a->b;' }],
    ['; x = a->b;', { event: 'source', file: null, line: null }],
    ['processed 311 insns (limit 1000000) max_states_per_insn 0', { insns: 311 }],
    ['R1 type=scalar expected=fp, pkt', { register: 1, type: 'scalar', expected: 'fp, pkt' }],
    ["R2 invalid mem access 'scalar'", { event: 'register-access', register: 2 }],
    ['R0 !read_ok', { event: 'register-access', register: 0, message: '!read_ok' }],
    [
      'invalid access to packet, off=0 size=4, R2(id=0,off=0,r=0)',
      { event: 'packet-access', offset: 0, size: 4, register: 2, fixedOffset: 0, range: 0 },
    ],
    [
      'invalid access to packet, off=-4 size=1, R12',
      { event: 'packet-access', offset: -4, size: 1, register: 12, fixedOffset: null, range: null },
    ],
  ])('%s', (text, event) => {
    const line = only(text);
    expect(line).toMatchObject({ source: 'verifier', event });
    expect(explainLine(line)).not.toBe('');
  });
});

// Verifier log from the kernel's Documentation/bpf/btf.rst: test_xdp_noinline.c.
it('explains the verifier log of the BTF documentation', () => {
  const { lines } = parseLog(
    `224: (79) r2 = *(u64 *)(r10 -112)
225: (61) r2 = *(u32 *)(r2 +0)
; *(u32 *)data = dst->dst;
226: (63) *(u32 *)(r2 +0) = r1
invalid access to packet, off=0 size=4, R2(id=0,off=0,r=0)
R2 offset is outside of the packet`,
  );
  expect(lines.map(({ event }) => event?.event)).toEqual([
    'insn',
    'insn',
    'source',
    'insn',
    'packet-access',
    'register-access',
  ]);
  expect(lines.slice(4).map(explainLine)).toEqual([
    'The program accesses 4 bytes of the packet through register 2, but the checks before it prove only 0 bytes: compare the packet pointer with data_end first. The source lines of line_info before it show which statement this is.',
    'The verifier rejects the use of register 2: offset is outside of the packet.',
  ]);
});

describe('cilium/ebpf', () => {
  it.each([
    [
      'field SkLookup: program sk_lookup: apply CO-RE relocations: relocate Struct:"bpf_sk_lookup": target Func:"bpf_sk_lookup": unsized type *btf.Func',
      { reason: 'incompatible', type: { typeKind: 'struct', typeName: 'bpf_sk_lookup' } },
    ],
    [
      'program p: fixup CO-RE relocations: relocate: struct foo: field bar: not found',
      { reason: 'no-member', type: { typeName: 'foo' }, memberName: 'bar' },
    ],
    [
      'program p: load program: bad CO-RE relocation: invalid func unknown#195896080 (8 line(s) omitted)',
      { reason: 'poisoned' },
    ],
    [
      'program p: apply CO-RE relocations: relocate Struct:"a"[fields=3]: byte_off: multiple types match: ambiguous relocation',
      { reason: 'ambiguous', kind: 0, type: { typeName: 'a' } },
    ],
    [
      'program p: apply CO-RE relocations: load BTF for kmod x: read string section',
      { reason: 'no-btf' },
    ],
    [
      'program p: apply CO-RE relocations: no BTF found for kernel version 5.4: not supported',
      { reason: 'no-btf' },
    ],
    [
      "program p: apply CO-RE relocations: can't relocate LittleEndian against BigEndian",
      { reason: 'byte-order' },
    ],
  ])('%s', (text, event) => {
    const line = only(text);
    expect(line).toMatchObject({ source: 'cilium', event });
    expect(line.prog).toBe(text.includes('sk_lookup') ? 'sk_lookup' : 'p');
    expect(explainLine(line)).not.toBe('');
  });
});

describe('aya', () => {
  it.each([
    [
      'error relocating task_struct, multiple candidate target types found with different memory layouts: ["a"]',
      { reason: 'ambiguous', type: { typeName: 'task_struct' } },
    ],
    [
      'applying relocation `FieldByteOffset` missing target BTF info for type `7` at instruction #12',
      { reason: 'no-type', kind: 0, type: { typeId: 7 }, insnIndex: 12 },
    ],
    [
      'invalid access string `0:9` for type `foo`: tried to access nonexistant index 9',
      { reason: 'bad-access', accessStr: '0:9', type: { typeName: 'foo' } },
    ],
    [
      'instruction #3 referenced by relocation #1 is invalid: x',
      { reason: 'bad-insn', insnIndex: 3 },
    ],
  ])('%s', (text, event) => {
    const line = only(`    0: ${text}`);
    expect(line).toMatchObject({ source: 'aya', event });
    expect(explainLine(line)).not.toBe('');
  });
});

describe('lines', () => {
  it('keep their numbers, empty and unknown ones too', () => {
    const { lines, lineCount } = parseLog('a\r\n\nhello world\nprocessed 1 insns');
    expect(lines.map((line) => line.text)).toEqual(['a', '', 'hello world', 'processed 1 insns']);
    expect(lines.map((line) => line.source)).toEqual([null, null, null, 'verifier']);
    expect(lineCount).toBe(4);
    expect(parseLog('').lines).toEqual([]);
  });

  it('beyond the limit are counted only, and long ones are cut', () => {
    const { lines, lineCount } = parseLog('x\n'.repeat(50), { maxLines: 10 });
    expect([lines.length, lineCount]).toEqual([10, 50]);
    expect(only('y'.repeat(1_000_000)).text).toHaveLength(4096);
  });

  it('that try every pattern take no more than their length', SOON, () => {
    const evil = [
      `libbpf: prog '${'a'.repeat(4000)}`,
      `libbpf: prog 'p': relo #0: <byte_off> [1] struct s${'.a'.repeat(2000)} (`,
      `libbpf: prog 'p': relo #0: parsing [1] struct ${' + failed'.repeat(400)}`,
      `; ${'@ a:1'.repeat(800)}`,
      `CO-RE relocations: ${'field '.repeat(700)}`,
      `\t${'type_id='.repeat(500)}`,
      `[1] STRUCT ${'Invalid name '.repeat(300)}`,
      `R1 type=${'a '.repeat(2000)}`,
      '`'.repeat(4000),
    ];
    const text = evil.map((line) => `${line}\n`.repeat(500)).join('');
    expect(parseLog(text).lines).toHaveLength(evil.length * 500);
  });

  it('of any text are read without a fault', () => {
    const word = fc.constantFrom(
      "libbpf: prog 'p': relo #1: ",
      '<byte_off> ',
      '[5] ',
      'struct ',
      's.a[1]',
      ' (0:1 @ offset 8.1)',
      'matching candidate #0 ',
      'Invalid name',
      '\t',
      '; ',
      ' @ f.c:1',
      'CO-RE relocations: ',
      'enum e::A = ',
      '-99999999999999999999',
      '\n',
    );
    fc.assert(
      fc.property(fc.array(fc.oneof(word, fc.string()), { maxLength: 20 }), (words) => {
        const text = words.join('');
        for (const line of parseLog(text).lines) {
          expect((line.event === null) === (explainLine(line) === '')).toBe(true);
        }
      }),
      { numRuns: runs(500) },
    );
  });
});

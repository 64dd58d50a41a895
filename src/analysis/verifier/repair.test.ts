import { expect, test } from 'vitest';
import { unifiedDiff } from '#analysis/load/source-diff.ts';
import { type RepairCase, type RepairLine, repairOf } from './repair.ts';

const FILE = './a.bpf.c';

/** Lines of a function from line 10, without those that start with `~`: they have no instruction. */
function linesOf(text: string): RepairLine[] {
  return text
    .split('\n')
    .map((line, i) => ({ file: FILE, line: 10 + i, text: line }))
    .filter((line) => line.text !== '' && !line.text.startsWith('~'));
}

type Given = Partial<Omit<RepairCase, 'fault' | 'origin' | 'path'>> & {
  readonly fault: number;
  readonly origin?: number;
  readonly path?: readonly number[];
};

function repair(text: string, given: Given): readonly string[] | null {
  const lines = given.lines ?? linesOf(text);
  const at = (number: number): RepairLine => {
    const line = lines.find((one) => one.line === number);
    if (line === undefined) throw new Error(`no line ${number}`);
    return line;
  };
  const hunk = repairOf({
    rule: 'invalid-mem-access',
    valueType: null,
    callee: null,
    argument: null,
    call: null,
    originCallee: null,
    isLoaded: false,
    isNull: false,
    isHolding: false,
    isExit: false,
    exit: 'return 0;',
    isArray: () => true,
    ...given,
    lines,
    fault: at(given.fault),
    origin: given.origin === undefined ? null : at(given.origin),
    path: given.path?.map(at) ?? lines,
  });
  return hunk === null ? null : hunk.after;
}

const LOOKUP = { valueType: 'map_value_or_null', origin: 11, originCallee: 'bpf_map_lookup_elem' };

test('compares the result of a call with NULL after the call', () => {
  const text = 'int f(void *ctx)\n\tv = bpf_map_lookup_elem(&m, &k); /* found */\n\treturn v->a;';
  expect(repair(text, { ...LOOKUP, fault: 12 })).toEqual([
    '\tv = bpf_map_lookup_elem(&m, &k); /* found */',
    '\tif (!v)',
    '\t\treturn 0;',
  ]);
});

test('compares before the access where the call is not a whole line', () => {
  const text = 'int f(void *ctx)\n\tv = bpf_map_lookup_elem(&m,\n~\t\t&k);\n\treturn v->a;';
  expect(repair(text, { ...LOOKUP, fault: 13 })).toEqual([
    '\tif (!v)',
    '\t\treturn 0;',
    '\treturn v->a;',
  ]);
});

test('changes nothing after an if without braces, and nothing in an inlined function', () => {
  const text = 'int f(void *ctx)\n\tif (a)\n\t\tv->a = 1;';
  expect(repair(text, { valueType: 'mem_or_null', fault: 12 })).toBeNull();
  const inlined = [
    { file: FILE, line: 10, text: 'int f(void *ctx)' },
    { file: FILE, line: 4, text: '\tv->a = 1;' },
  ];
  expect(repair('', { valueType: 'mem_or_null', fault: 4, lines: inlined })).toBeNull();
});

test('does not return while something is held', () => {
  const text = 'int f(void *ctx)\n\tv = bpf_map_lookup_elem(&m, &k);\n\tsum = v->a;';
  expect(repair(text, { ...LOOKUP, fault: 12, isHolding: true })).toEqual([
    '\tsum = v',
    '\t\t? v->a',
    '\t\t: 0;',
  ]);
});

test('adds no comparison with the end of the packet that is there, with or without a cast', () => {
  for (const there of ['w + 1 > end', '(void *)(w + 1) > end', '(void *) (w+1) > end']) {
    const text = `int f(struct xdp_md *ctx)\n\tvoid *end = (void *)(long)ctx->data_end;\n\tif (${there})\n\t\treturn 1;\n\tn = w[0];`;
    expect(repair(text, { rule: 'packet-bounds', fault: 14 }), there).toBeNull();
  }
});

test('compares a pointer with the end of the packet, up to the highest constant index', () => {
  const text =
    'int f(struct xdp_md *ctx)\n\tvoid *end = (void *)(long)ctx->data_end;\n\tif (w[0])\n\t\tn = w[3];';
  expect(repair(text, { rule: 'packet-bounds', fault: 12, exit: 'return XDP_PASS;' })).toEqual([
    '\tif ((void *)(w + 4) > end)',
    '\t\treturn XDP_PASS;',
    '\tif (w[0])',
  ]);
});

test('compares an index with the number of entries of an array only', () => {
  const text = 'int f(void *ctx)\n\tv->slots[i] = 1;';
  const given = { rule: 'unbounded-memory-access', fault: 11 };
  expect(repair(text, given)).toEqual([
    '\tif (i >= sizeof(v->slots) / sizeof(v->slots[0]))',
    '\t\treturn 0;',
    '\tv->slots[i] = 1;',
  ]);
  expect(repair(text, { ...given, isArray: () => false })).toBeNull();
});

test('keeps the compared index in a loop', () => {
  const text = 'int f(void *ctx)\n\tfor (;;) {\n\t\tsum += table[i];';
  expect(repair(text, { rule: 'offset-above-max', fault: 12 })?.[0]).toBe('\t\tbarrier_var(i);');
});

test('compares a size with the memory before it', () => {
  const text = 'int f(void *ctx)\n\tbpf_probe_read_user(e->buf, n, (void *)from);';
  const given = { fault: 11, callee: 'bpf_probe_read_user', argument: 2 };
  expect(repair(text, { ...given, rule: 'helper-size-unbounded' })?.[0]).toBe(
    '\tif (n > sizeof(e->buf))',
  );
  expect(repair(text, { ...given, rule: 'helper-size-zero' })?.[0]).toBe('\tif (n == 0)');
});

test('replaces a constant size by that of the memory', () => {
  const text = 'int f(void *ctx)\n\tbpf_get_current_comm(n->text, 32); /* too long */';
  const given = {
    rule: 'map-value-bounds',
    callee: 'bpf_get_current_comm',
    argument: 1,
    fault: 11,
  };
  expect(repair(text, given)).toEqual([
    '\tbpf_get_current_comm(n->text, sizeof(n->text)); /* too long */',
  ]);
  expect(repair(text.replace('32', 'n'), given)).toBeNull();
});

test('uses a member or a kernel function only where it exists', () => {
  const given = { rule: 'invalid-func', fault: 11 };
  const member = 'int f(void *ctx)\n\tn = task->future;';
  expect(repair(member, { ...given, call: 195896080 })?.[0]).toBe(
    '\tn = bpf_core_field_exists(task->future)',
  );
  const call = 'int f(void *ctx)\n\tbpf_future(task);';
  expect(repair(call, { ...given, call: 2002000000 })).toEqual([
    '\tif (bpf_future)',
    '\t\tbpf_future(task);',
  ]);
  expect(repair(call, { ...given, call: 2001000000 })).toBeNull();
});

test('sets memory to zero before its first use, unless a declaration sets it', () => {
  const given = {
    rule: 'stack-indirect-uninit',
    callee: 'bpf_map_update_elem',
    argument: 3,
    fault: 12,
  };
  const call = '\tbpf_map_update_elem(&m, &k, &r, 0);';
  expect(repair(`int f(void *ctx)\n\tr.a = 1;\n${call}`, given)?.[0]).toBe(
    '\t__builtin_memset(&r, 0, sizeof(r));',
  );
  expect(repair(`int f(void *ctx)\n\tstruct r r = { .a = 1 };\n${call}`, given)).toBeNull();
});

const SOCKET = {
  rule: 'unreleased-reference',
  origin: 11,
  originCallee: 'bpf_sk_lookup_tcp',
  isExit: true,
};
const EARLY =
  'int f(void *ctx)\n\tsk = bpf_sk_lookup_tcp(skb, &t, 1, 2, 3);\n\tif (!sk)\n~\t\treturn 0;\n' +
  '\tif (sk->mark) {\n~\t\treturn 2;\n~\t}\n\tbpf_sk_release(sk);\n}';

test('releases in the block in which a path leaves early', () => {
  expect(repair(EARLY, { ...SOCKET, fault: 18, path: [10, 11, 12, 14, 18] })).toEqual([
    '\tif (sk->mark) {',
    '\t\tbpf_sk_release(sk);',
  ]);
});

test('does not release where another path may need what is held', () => {
  const text = EARLY.replace('\tif (sk->mark) {', '\tn = sk->mark;');
  expect(repair(text, { ...SOCKET, fault: 18, path: [10, 11, 12, 14, 18] })).toBeNull();
});

test('releases before the variable is set again, if it is not NULL', () => {
  const text =
    'int f(void *ctx)\n\tt = bpf_task_from_pid(1);\n\tt = bpf_task_from_pid(2);\n\tif (t)\n}';
  const given = { ...SOCKET, originCallee: 'bpf_task_from_pid', fault: 14 };
  expect(repair(text, { ...given, path: [10, 11, 12, 13, 14] })).toEqual([
    '\tt = bpf_task_from_pid(1);',
    '\tif (t)',
    '\t\tbpf_task_release(t);',
  ]);
});

test('reads a member at an address that is a number', () => {
  const given = { valueType: 'scalar', isLoaded: true, fault: 11 };
  expect(repair('int f(void *ctx)\n\tprio = task->prio;', given)).toEqual([
    '\tprio = BPF_CORE_READ(task, prio);',
  ]);
  expect(repair('int f(void *ctx)\n\ttask->prio = 1;', given)).toBeNull();
});

test('makes a diff that patch applies', () => {
  const [, line] = linesOf('int f(void *ctx)\n\treturn v->a;');
  if (line === undefined) throw new Error('no line');
  const hunk = { file: line.file, line: line.line, before: [line.text], after: ['\tif (!v)'] };
  expect(unifiedDiff([hunk])).toBe(
    '--- a/a.bpf.c\n+++ b/a.bpf.c\n@@ -11,1 +11,1 @@\n-\treturn v->a;\n+\tif (!v)',
  );
});

test('takes time in proportion to a hostile line', () => {
  const long = `\tv${'->a'.repeat(100_000)};`;
  expect(repair(`int f(void *ctx)\n${long}`, { valueType: 'mem_or_null', fault: 11 })).toBeNull();
});

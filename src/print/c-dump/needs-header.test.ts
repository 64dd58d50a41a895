/** Tests the header as text, and compiled by clang: the compiled object has the same needs. */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { coreKind } from '#analysis/core/core-kinds.ts';
import { walkAccess } from '#analysis/core/parse-spec.ts';
import { type CoreNeeds, coreNeeds, type NeededPath } from '#analysis/needs/core-needs.ts';
import { typeExpression } from '#analysis/types/type-name.ts';
import { typeId } from '#model/ids.ts';
import type { ObjectModel } from '#model/object-model.ts';
import { kindOf, nameOf, type TypeTable } from '#model/type-table.ts';
import { btfBlob } from '#testing/btf-blob.ts';
import {
  enum64,
  funcProto,
  int,
  ptr,
  struct,
  type TypeRecord,
  typedef,
} from '#testing/btf-types.ts';
import { corpusObjects, readCorpusFile } from '#testing/corpus.ts';
import { openModel } from '#testing/open-model.ts';
import { sampleModel } from '#testing/samples.ts';
import { tableOf } from '#testing/type-table.ts';
import { POP, PUSH } from './header.ts';
import { needsHeader } from './needs-header.ts';

function headerOf(model: ObjectModel): string {
  if (model.types === null) throw new Error('the object has no types');
  return needsHeader(model.types, coreNeeds(model));
}

describe('the text', () => {
  it('has the structs that are accessed, with the members of the path', async () => {
    expect(headerOf(await sampleModel('exec_trace.bpf.o'))).toMatchInlineSnapshot(`
      "#pragma once

      #pragma clang attribute push (__attribute__((preserve_access_index)), apply_to = record)

      typedef int pid_t;

      struct mm_struct;

      struct cred;

      struct signal_struct;

      struct task_struct {
      	unsigned int __state;
      	pid_t tgid;
      	long: 0;
      	unsigned int in_execve: 1;
      	struct task_struct *real_parent;
      	struct mm_struct *mm;
      	const struct cred *cred;
      	struct signal_struct *signal;
      	char comm[16];
      };

      typedef struct {
      	unsigned int val;
      } kuid_t;

      struct cred {
      	kuid_t uid;
      };

      struct mm_struct {
      	struct {
      		unsigned long total_vm;
      	};
      };

      struct linux_binprm {
      	const char *filename;
      };

      struct pid;

      struct signal_struct {
      	struct pid *pids[4];
      };

      struct upid {
      	int nr;
      };

      struct pid {
      	struct upid numbers[1];
      };

      struct pt_regs {
      	unsigned long di;
      };

      struct task_struct___old {
      	volatile long state;
      };

      enum pid_type {
      	PIDTYPE_PID = 0,
      	PIDTYPE_TGID = 1,
      	PIDTYPE_SID = 3,
      	PIDTYPE_MAX = 4,
      };

      struct cred___wrong {
      	struct cred *uid;
      };

      #pragma clang attribute pop
      "
    `);
  });

  it('has bit-fields with their widths', async () => {
    expect(headerOf(await sampleModel('bitfields.bpf.o'))).toMatchInlineSnapshot(`
      "#pragma once

      #pragma clang attribute push (__attribute__((preserve_access_index)), apply_to = record)

      typedef unsigned char __u8;

      typedef short __s16;

      typedef unsigned int __u32;

      typedef int __s32;

      enum state {
      	IDLE = 0,
      	GONE = 2,
      };

      typedef unsigned long long __u64;

      typedef long long __s64;

      struct socket_flags {
      	__u8 reuse: 4;
      	__u8 no_check: 1;
      	long: 0;
      	__s16 priority: 5;
      	__s16 balance: 11;
      	__u32 mark;
      	long: 0;
      	__s32 delta: 20;
      	__u32 kind: 12;
      	enum state state: 2;
      	long: 0;
      	__u64 window: 33;
      	__s64 skew: 29;
      	__u64 whole: 64;
      };

      #pragma clang attribute pop
      "
    `);
  });

  it('is short for an object without needs', async () => {
    const model = await sampleModel('exec_trace.bpf.o');
    if (model.types === null) throw new Error('the sample has types');
    expect(needsHeader(model.types, { types: [], count: 0 })).toBe('#pragma once\n');
  });
});

/** Returns the header for `types` and needs (kind, root, access string). Ids start at 1. */
function headerFor(
  types: readonly TypeRecord[],
  ...specs: readonly (readonly [kind: number, root: number, accessStr: string])[]
): string {
  const t = tableOf(btfBlob({ types }).bytes);
  const needed = specs.map(([kind, root, accessStr]) => {
    const path = walkAccess(t, typeId(root), accessStr, kind);
    const places = { kinds: [], records: [], programs: [], sections: [] };
    return {
      root: typeId(root),
      kind: kindOf(t, typeId(root)),
      name: nameOf(t, typeId(root)),
      essentialName: '',
      paths: [
        { group: coreKind(kind)?.group ?? 'type', accessStr, path, text: '', ...places } as const,
      ],
      count: 1,
    };
  });
  return needsHeader(t, { types: needed, count: needed.length });
}

describe('odd types', () => {
  const i32 = int('int', 4, { encoding: 1 });
  const member = (name: string, type: number, bitOffset = 0) => ({ name, type, bitOffset });

  it('an anonymous struct behind a typedef is spelled out', () => {
    const types = [i32, struct('', 4, [member('x', 1)]), typedef('foo_t', 2)];
    expect(headerFor(types, [0, 3, '0:0'])).toBe(
      `#pragma once\n\n${PUSH}typedef struct {\n\tint x;\n} foo_t;\n\n${POP.trimEnd()}\n`,
    );
  });

  it('contained types come before their container', () => {
    const types = [i32, struct('a', 4, [member('m', 3)]), struct('b', 4, [member('x', 1)])];
    const text = headerFor(types, [0, 2, '0:0:0']);
    expect(text.indexOf('struct b {')).toBeLessThan(text.indexOf('struct a {'));
  });

  it('recursive and deeply nested structs terminate', () => {
    expect(headerFor([struct('a', 4, [member('m', 1)])], [0, 1, '0:0:0:0'])).toContain(
      'struct a m;',
    );
    const deep = Array.from({ length: 10_000 }, (_, i) =>
      struct(`s${i}`, 4, [member('m', Math.min(i + 2, 10_000))]),
    );
    const header = headerFor(deep, [12, 1, '0']);
    expect(header.match(/^struct s\d+ \{$/gm)).toHaveLength(10_000);
    expect(header.indexOf('struct s9999 {')).toBeLessThan(header.indexOf('struct s0 {'));
  });

  it('ten thousand nested anonymous structs, the last recursive, are spelled out once', () => {
    const deep = Array.from({ length: 10_000 }, (_, i) =>
      struct(i === 0 ? 'root' : '', 4, [member('', Math.min(i + 2, 10_000))]),
    );
    expect(headerFor(deep, [12, 1, '0']).match(/struct \{/g)).toHaveLength(9_999);
  });

  it('names that C cannot spell are omitted and counted', () => {
    const types = [
      i32,
      struct('a', 8, [member('int', 1), member('x */', 1), member('ok', 1)]),
      struct('Vec<u8>', 4, [member('x', 1)]),
    ];
    const header = headerFor(types, [12, 2, '0'], [0, 3, '0:0']);
    expect(header).toContain('\tint ok;\n');
    expect(header).toContain('/* 3 names that C cannot spell are left out. */');
    expect(header).not.toContain('Vec');
  });

  it('two structs with one name are merged', () => {
    const types = [
      i32,
      struct('a', 4, [member('x', 1)]),
      struct('a', 4, [member('x', 1), member('y', 1)]),
    ];
    const header = headerFor(types, [0, 2, '0:0'], [0, 3, '0:1'], [0, 3, '0:0']);
    expect(header.match(/struct a \{/g)).toHaveLength(1);
    expect(header).toContain('\tint x;\n\tint y;\n');
  });

  it('pointers to functions are void unless types must match', () => {
    const types = [
      i32,
      funcProto(1, [
        ['a', 1],
        ['', 0],
      ]),
      ptr(2),
      struct('ops', 8, [member('open', 3)]),
    ];
    expect(headerFor(types, [0, 4, '0:0'])).toContain('\tvoid *open;\n');
    expect(headerFor(types, [12, 4, '0'])).toContain('\tint (*open)(int a, ...);\n');
  });

  it('values of enumerators have the suffix that C requires', () => {
    const types = [
      enum64(
        'e',
        [
          ['LOW', -(2n ** 63n)],
          ['A', 1n],
          ['HIGH', 2n ** 63n - 1n],
        ],
        { signed: true },
      ),
      enum64('u', [['ALL', 2n ** 64n - 1n]]),
    ];
    const header = headerFor(types, [11, 1, '1'], [11, 2, '0']);
    expect(header).toContain(
      '\tLOW = (-9223372036854775807LL - 1),\n\tA = 1LL,\n\tHIGH = 9223372036854775807LL,\n',
    );
    expect(header).toContain('\tALL = 18446744073709551615ULL,\n');
  });
});

const CLANG = 'clang-19';
const hasClang = spawnSync(CLANG, ['--version']).status === 0;
const folder = mkdtempSync(join(tmpdir(), 'needs-header-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Returns `kind, root, path` of all needs that C can express. */
function askable(t: TypeTable, needs: CoreNeeds): Map<string, { root: string; path: NeededPath }> {
  const needed = new Map<string, { root: string; path: NeededPath }>();
  for (const { root, paths } of needs.types) {
    if (!/^[A-Za-z_]\w*$/.test(nameOf(t, root))) continue;
    for (const path of paths) {
      if (path.path.error !== null || path.path.expression.includes('(anonymous')) continue;
      for (const { kind } of path.kinds) {
        const spelled = typeExpression(t, root);
        needed.set(`${kind} ${spelled} ${path.text}`, { root: spelled, path });
      }
    }
  }
  return needed;
}

/** Returns the C expression for a relocation of a kind; its `p` points to a `root`. */
function access(kind: number, root: string, { path, text }: NeededPath): string {
  switch (kind) {
    case 7:
      return `__builtin_btf_type_id(*(${root} *)0, 1)`;
    case 8:
      return `__builtin_preserve_type_info(*(${root} *)0, 0)`;
    case 9:
      return `__builtin_preserve_type_info(*(${root} *)0, 1)`;
    case 12:
      return `__builtin_preserve_type_info(*(${root} *)0, 2)`;
    case 10:
      return `__builtin_preserve_enum_value(*(${root} *)${text}, 0)`;
    case 11:
      return `__builtin_preserve_enum_value(*(${root} *)${text}, 1)`;
    default:
      return `__builtin_preserve_field_info(${path.expression}, ${kind})`;
  }
}

async function compiled(header: string, needed: ReturnType<typeof askable>): Promise<ObjectModel> {
  const lines = Array.from(needed, ([key, { root, path }], i) => {
    const kind = Number(key.split(' ')[0]);
    return `unsigned long long f${i}(${root} *p) { return ${access(kind, root, path)}; }`;
  });
  const [source, object] = [join(folder, 'a.c'), join(folder, 'a.o')];
  writeFileSync(join(folder, 'needs.h'), header);
  writeFileSync(source, `#include "needs.h"\n${lines.join('\n')}\n`);
  const flags = ['-target', 'bpf', '-g', '-O2', '-w', '-c', source, '-o', object];
  execFileSync(CLANG, flags, { stdio: 'pipe' });
  return openModel('a.o', new Uint8Array(readFileSync(object)));
}

async function expectSameNeeds(model: ObjectModel, name: string): Promise<number> {
  if (model.types === null) return 0;
  const needed = askable(model.types, coreNeeds(model));
  if (needed.size === 0) return 0;
  const rebuilt = await compiled(headerOf(model), needed);
  if (rebuilt.types === null) throw new Error('clang writes types');
  const rebuiltNeeds = askable(rebuilt.types, coreNeeds(rebuilt));
  expect([...rebuiltNeeds.keys()].sort(), name).toEqual([...needed.keys()].sort());
  return needed.size;
}

describe.skipIf(!hasClang)('clang compiles the same needs from it', () => {
  it.each(['exec_trace.bpf.o', 'exec_trace.be.bpf.o', 'doc_core.bpf.o', 'bitfields.bpf.o'])(
    '%s',
    async (name) => {
      expect(await expectSameNeeds(await sampleModel(name), name)).toBeGreaterThan(0);
    },
  );

  it('objects of the corpus', async () => {
    let count = 0;
    for (const object of corpusObjects()) {
      if (!['prog', 'hand', 'debian', 'linked'].includes(object.group)) continue;
      count += await expectSameNeeds(
        await openModel(object.name, readCorpusFile(object)),
        object.id,
      );
    }
    expect(count).toBeGreaterThan(100);
  }, 120_000);
});

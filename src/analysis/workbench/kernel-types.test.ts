import { expect, it } from 'vitest';
import { btfBlob } from '#testing/btf-blob.ts';
import { array, int, ptr, struct, typedef } from '#testing/btf-types.ts';
import { ourLines } from '#testing/clang-types.ts';
import { openModel } from '#testing/open-model.ts';
import { parseDeclarations } from './parse.ts';
import { compileDeclarations } from './workbench.ts';

const INCLUDE = '#include "vmlinux.h"\n';

async function kernelOf(blob: Uint8Array) {
  const { types } = await openModel('vmlinux', blob);
  if (types === null) throw new Error('no types');
  return { name: 'vmlinux', types };
}

const KERNEL = `typedef unsigned char __u8; typedef __u8 u8; typedef unsigned long size_t;
enum bpf_map_type { BPF_MAP_TYPE_HASH = 1 }; enum { TASK_COMM_LEN = 16 };
struct list_head { struct list_head *next, *prev; };
typedef struct { int counter; } atomic_t;
struct packed { char a; long b; } __attribute__((packed));
struct task_struct { unsigned int on : 1, cpu : 7; atomic_t usage; struct list_head tasks;
  const volatile char comm[TASK_COMM_LEN]; void __attribute__((btf_type_tag("user"))) *stack;
  int (*run)(struct task_struct *, const char *, ...); struct { int x; union { int y; long z; }; };
  struct unknown *later; enum bpf_map_type *maps; };
char keep[sizeof(enum bpf_map_type)]; enum bpf_map_type kept; enum { UNUSED } k2;`;

// Each text must give the same BTF with `#include` as after the kernel's C declarations.
it.each([
  'struct task_struct *t;',
  'struct s { char c; struct list_head l; atomic_t a; u8 b; struct packed p; };',
  'struct { int (*type)[BPF_MAP_TYPE_HASH]; struct task_struct *value; } m __attribute__((section(".maps")));',
  'int f(struct task_struct *t, size_t n) { return 0; }',
  'char a[sizeof(struct task_struct)], b[_Alignof(struct packed)], c[__builtin_offsetof(struct task_struct, z)];',
  'struct task_struct___old { int state; }; struct task_struct___old *t;',
])('has the types of the kernel as clang has them from its text: %s', async (text) => {
  const kernel = await kernelOf(compileDeclarations(KERNEL, 'little').btf);
  const { declared, problems, layouts } = parseDeclarations(INCLUDE + text, 'little', kernel);
  expect(problems).toEqual([]);
  // A header's types are written only if the text uses them.
  const typed = parseDeclarations(`${KERNEL.split('\n').slice(0, -1).join('\n')}${text}`);
  const all = typed.declared.filter(({ start }) => start >= KERNEL.lastIndexOf('\n'));
  expect(typed.problems).toEqual([]);
  expect(await ourLines(declared, layouts)).toEqual(await ourLines(all, typed.layouts));
});

it('are renamed by the macros that come before vmlinux.h', async () => {
  const renamed = `#define list_head list_head___unused
#define u8 u8___unused
#define BPF_MAP_TYPE_HASH HASH___unused
#define cpu cpu___unused
`;
  const ends = '#undef list_head\n#undef u8\n#undef BPF_MAP_TYPE_HASH\n#undef cpu\n';
  const text = `struct list_head { int own; }; typedef long u8; enum { BPF_MAP_TYPE_HASH = 7 };
struct task_struct t; struct list_head l; u8 u; struct list_head___unused k;
char a[BPF_MAP_TYPE_HASH], b[HASH___unused];`;
  const kernel = await kernelOf(compileDeclarations(KERNEL, 'little').btf);
  const program = renamed + INCLUDE + ends + text;
  const { declared, problems, layouts } = parseDeclarations(program, 'little', kernel);
  expect(problems).toEqual([]);
  const header = KERNEL.split('\n').slice(0, -1).join('\n');
  const typed = parseDeclarations(`${renamed}${header}\n${ends}${text}`);
  const from = renamed.length + header.length;
  const all = typed.declared.filter(({ start }) => start >= from);
  expect(typed.problems).toEqual([]);
  expect(await ourLines(declared, layouts)).toEqual(await ourLines(all, typed.layouts));
});

it.each([
  ['struct task_struct { int a; };', 'struct task_struct is defined twice'],
  ['typedef long atomic_t;', 'atomic_t is another type already'],
  ['enum { BPF_MAP_TYPE_HASH };', 'BPF_MAP_TYPE_HASH is declared twice'],
  ['struct nobody v;', 'the type of v is not complete'],
  ['nobody_t v;', 'nobody_t is not a known type'],
])('says of %s what clang does', async (text, message) => {
  const kernel = await kernelOf(compileDeclarations(KERNEL, 'little').btf);
  const { problems } = parseDeclarations(INCLUDE + text, 'little', kernel);
  expect(problems.map((problem) => problem.message)).toEqual([message]);
});

it('ends where types lead to themselves', async () => {
  const member = (name: string, type: number) => ({ name, type, bitOffset: 0 });
  const { bytes } = btfBlob({
    types: [
      int('int', 4),
      struct('itself', 8, [member('a', 2)]),
      typedef('loop', 4),
      typedef('back', 3),
      struct('', 8, [member('a', 6), member('b', 6)]),
      struct('', 8, [member('a', 5), member('b', 5)]),
      struct('pairs', 8, [member('a', 5)]),
      array(8, 1, 2),
      struct('many', 8, [member('a', 8)]),
      ptr(10),
      struct('pointer', 8, [member('a', 10)]),
    ],
  });
  const kernel = await kernelOf(bytes);
  for (const text of [
    'struct itself v',
    'loop v',
    'struct pairs *v',
    'struct many v',
    'struct pointer v',
  ]) {
    const { btf } = compileDeclarations(`${INCLUDE}${text};`, 'little', kernel);
    expect(btf.length).toBeGreaterThan(24);
  }
}, 60_000);

/**
 * Special fields in values of maps. The lines for Linux 6.18 are those of 6.18.44, run; others were
 * read in kernel/bpf/verifier.c of Linux 5.10, 6.1 and 6.12.
 */
import { describe, expect, it } from 'vitest';
import type { LoadKernel } from '#analysis/kernel/kernel.ts';
import type { TypeTable } from '#model/type-table.ts';
import { func, funcProto, ptr, struct } from '#testing/btf-types.ts';
import { compileBpf } from '#testing/compile-bpf.ts';
import { kernelOf } from '#testing/kernels.ts';
import { openObject } from '#testing/open-model.ts';
import { judgeLoad } from './load.ts';
import { loadObject } from './open.ts';

const HEAD = `
#define SEC(name) __attribute__((section(name), used))
#define __uint(name, val) int (*name)[val]
#define __type(name, val) val *name
typedef unsigned int u32;
typedef unsigned long long u64;
struct bpf_spin_lock { u32 val; };
struct bpf_timer { u64 opaque[2]; } __attribute__((aligned(8)));
struct none { u64 a, b; };
struct lock { struct bpf_spin_lock lock; u32 n; };
struct locks { struct bpf_spin_lock lock, other; };
struct nested { struct lock inner; };
struct mangled { char c; struct bpf_spin_lock lock; } __attribute__((packed));
struct timer { struct bpf_timer timer; };
#define MAP(name, map_type, key, value, entries) \\
  struct { __uint(type, map_type); key; value; __uint(max_entries, entries); } name SEC(".maps");
#define U32_KEY __type(key, u32)
static void *(*lookup)(void *map, const void *key) = (void *)1;
static int (*spin_lock)(void *lock) = (void *)93;
static int (*timer_start)(void *timer, u64 ns, u64 flags) = (void *)171;
static void *(*kptr_xchg)(void *kptr, void *ptr) = (void *)194;
#define PROGRAM(section, name, map, call) SEC(section) int name(void *ctx) { \\
  int key = 0; void *v = lookup(&map, &key); if (!v) return 0; call; return 0; }
char LICENSE[] SEC("license") = "GPL";
`;

async function judged(code: string, release: string, vmlinux: TypeTable | null = null) {
  const { model, source } = await openObject('a.o', compileBpf(HEAD + code));
  const kernel: LoadKernel = {
    name: 'kernel',
    vmlinux,
    modules: [],
    config: null,
    kallsyms: null,
    release,
    unameVersion: null,
  };
  return judgeLoad(await loadObject(model, source), kernel);
}

/** Returns the lines of each program's reasons, by the name of the program. */
async function linesOf(code: string, release: string, vmlinux: TypeTable | null = null) {
  const { programs } = await judged(code, release, vmlinux);
  return Object.fromEntries(
    programs.map(({ program, reasons }) => [program.name, reasons.map(({ line }) => line)]),
  );
}

const VALUES = `
MAP(sizes, 2, U32_KEY, __uint(value_size, 16), 1)
MAP(lru, 9, U32_KEY, __type(value, struct lock), 1)
MAP(without, 2, U32_KEY, __type(value, struct none), 1)
MAP(deep, 2, U32_KEY, __type(value, struct nested), 1)
MAP(right, 2, U32_KEY, __type(value, struct lock), 1)
PROGRAM("tc", in_sizes, sizes, spin_lock(v))
PROGRAM("tc", in_lru, lru, spin_lock(v))
PROGRAM("tc", in_without, without, spin_lock(v))
PROGRAM("tc", in_deep, deep, spin_lock(v))
PROGRAM("tc", in_right, right, spin_lock(v))
SEC("tc") int untested(void *ctx) {
  int key = 0;
  return spin_lock(lookup(&sizes, &key));
}
`;
const NO_BTF = (name: string, what: string) => [
  `map '${name}' has to have BTF in order to use ${what}`,
];

describe('a helper that needs a special field', () => {
  it('is refused by 6.18 without types, or without a valid field', async () => {
    expect(await linesOf(VALUES, '6.18.44')).toEqual({
      in_sizes: NO_BTF('sizes', 'bpf_spin_lock'),
      in_lru: NO_BTF('lru', 'bpf_spin_lock'),
      in_without: ["map 'without' has no valid bpf_spin_lock"],
      in_deep: [],
      in_right: [],
      // The verifier first refuses a pointer that may be null.
      untested: [],
    });
  });

  it('is refused by 6.1 with other words, and in a nested struct', async () => {
    expect(await linesOf(VALUES, '6.1.176')).toEqual({
      in_sizes: NO_BTF('sizes', 'bpf_spin_lock'),
      in_lru: NO_BTF('lru', 'bpf_spin_lock'),
      in_without: ["map 'without' doesn't have 'struct bpf_spin_lock'"],
      in_deep: ["map 'deep' doesn't have 'struct bpf_spin_lock'"],
      in_right: [],
      untested: [],
    });
  });

  it('is refused with the reason for which the map has no types', async () => {
    const { programs } = await judged(VALUES, '6.18.44');
    expect(programs.slice(0, 2).map(({ reasons }) => reasons[0]?.text)).toEqual([
      "bpf_spin_lock needs the type of the value, and map 'sizes' has none in this kernel: the key has a type and the value has none.",
      "bpf_spin_lock needs the type of the value, and map 'lru' has none in this kernel: its value may not have a bpf_spin_lock.",
    ]);
  });

  it.each([
    ['mangled', "map 'm' is not a struct type or bpf_spin_lock is mangled"],
    ['locks', "map 'm' has more than one 'struct bpf_spin_lock'"],
  ])(
    'works on a struct %s, with which the kernel refuses all BTF since 6.2',
    async (type, line) => {
      const code = `MAP(m, 2, U32_KEY, __type(value, struct ${type}), 1)
      PROGRAM("tc", e, m, spin_lock(v))`;
      expect(await linesOf(code, '6.18.44')).toEqual({ e: NO_BTF('m', 'bpf_spin_lock') });
      expect(await linesOf(code, '6.1.176')).toEqual({ e: [line] });
    },
  );

  it('may be for a timer or a kptr', async () => {
    const code = `MAP(sizes, 2, U32_KEY, __uint(value_size, 16), 1)
      MAP(m, 2, U32_KEY, __type(value, struct none), 1)
      MAP(timers, 2, U32_KEY, __type(value, struct timer), 1)
      PROGRAM("tc", no_timer, m, timer_start(v, 1, 0))
      PROGRAM("tc", timer, timers, timer_start(v, 1, 0))
      PROGRAM("tc", no_types, sizes, kptr_xchg(v, 0))
      PROGRAM("tc", no_kptr, m, kptr_xchg(v, 0))`;
    expect(await linesOf(code, '6.18.44')).toEqual({
      no_timer: ["map 'm' has no valid bpf_timer"],
      timer: [],
      no_types: NO_BTF('sizes', 'bpf_kptr_xchg'),
      no_kptr: ['R1 has no valid kptr'],
    });
    expect(await linesOf(code, '6.1.176')).toMatchObject({
      no_kptr: ["map 'm' has no valid kptr"],
    });
  });

  it('refuses the BTF since 6.12 if a kptr is to a struct of it without a destructor', async () => {
    const code = `struct foo { int x; } kept_foo;
      struct kept { struct foo __attribute__((btf_type_tag("kptr"))) *at; };
      MAP(m, 2, U32_KEY, __type(value, struct kept), 1)
      PROGRAM("tc", e, m, kptr_xchg(v, 0))`;
    const { vmlinux } = kernelOf([struct('foo', 4, [])]);
    const other = kernelOf([struct('bar', 4, [])]);
    expect(await linesOf(code, '6.18.44', vmlinux)).toEqual({ e: NO_BTF('m', 'bpf_kptr_xchg') });
    expect(await linesOf(code, '6.18.44', other.vmlinux)).toEqual({ e: [] });
    expect(await linesOf(code, '6.6.30', vmlinux)).toEqual({ e: [] });
  });

  it('is followed through the stack, saved registers and static subprograms', async () => {
    const code = `MAP(m, 2, U32_KEY, __type(value, struct none), 1)
      static __attribute__((noinline)) int take(void *at) { spin_lock(at); return 0; }
      SEC("tc") int e(void *ctx) {
        int key = 0;
        void *v = lookup(&m, &key);
        void *volatile kept = v;
        if (!v) return 1;
        lookup(&m, &key);
        return take(v + 8) + take(kept);
      }`;
    const { programs } = await judged(code, '6.18.44');
    expect(programs[0]?.reasons.map(({ line }) => line)).toEqual([
      "map 'm' has no valid bpf_spin_lock",
    ]);
  });
});

describe('a kfunc of a list or tree', () => {
  const { vmlinux } = kernelOf([
    struct('bpf_list_head', 16, []), // 1
    ptr(1),
    struct('bpf_list_node', 24, []), // 3
    ptr(3),
    funcProto(4, [['head', 2]]), // 5
    func('bpf_list_pop_front', 5),
    struct('bpf_rb_root', 16, []), // 7
    ptr(7),
    struct('bpf_rb_node', 32, []), // 9
    ptr(9),
    funcProto(10, [['root', 8]]), // 11
    func('bpf_rbtree_first', 11),
  ]);
  const code = `
    struct bpf_list_head { u64 a, b; };
    struct bpf_list_node { u64 a, b, c; };
    struct bpf_rb_root { u64 a, b; };
    struct bpf_rb_node { u64 a, b, c, d; };
    extern struct bpf_list_node *bpf_list_pop_front(struct bpf_list_head *head) SEC(".ksyms");
    extern struct bpf_rb_node *bpf_rbtree_first(struct bpf_rb_root *root) SEC(".ksyms");
    MAP(m, 2, U32_KEY, __type(value, struct none), 1)
    MAP(sizes, 2, U32_KEY, __uint(value_size, 16), 1)
    u64 first = 1, values[4] = { 1, 2, 3, 4 };
    PROGRAM("tc", pop, m, bpf_list_pop_front(v))
    PROGRAM("tc", later, m, bpf_list_pop_front(v + 8))
    PROGRAM("tc", untyped, sizes, bpf_list_pop_front(v))
    PROGRAM("tc", tree, m, bpf_rbtree_first(v))
    PROGRAM("xdp", fast, m, bpf_list_pop_front(v))
    PROGRAM("socket", filter, m, bpf_list_pop_front(v))
    SEC("tc") int variable(void *ctx) {
      return bpf_list_pop_front((void *)&values[1]) != 0;
    }
    SEC("tc") int either(void *ctx) {
      int key = 0;
      void *v = lookup(&m, &key);
      if (!v) return 0;
      if (key) {
        v += 8;
        asm volatile("" : "+r"(v));
      }
      return bpf_list_pop_front(v) != 0;
    }`;

  it('is refused with the place in the value, as 6.18 was tried', async () => {
    const { either, ...lines } = await linesOf(code, '6.18.44', vmlinux);
    expect(lines).toEqual({
      pop: ['bpf_list_head not found at offset=0'],
      later: ['bpf_list_head not found at offset=8'],
      untyped: ['bpf_list_head not found at offset=0'],
      tree: ['bpf_rb_root not found at offset=0'],
      fast: ['bpf_list_head not found at offset=0'],
      // Refused as well, but because socket filters may not call it.
      filter: [null],
      variable: ['bpf_list_head not found at offset=16'],
    });
    expect(either).toEqual([null]);
  });

  it('has no line where the words of the version, or its program types, were not read', async () => {
    expect(await linesOf(code, '6.3.1', vmlinux)).toMatchObject({ pop: [null] });
    expect(await linesOf(code, '6.6.1', vmlinux)).toMatchObject({
      pop: ['bpf_list_head not found at offset=0'],
      fast: [null],
    });
  });
});

describe('a map without types', () => {
  const use = (name: string) => `PROGRAM("tc", e, ${name}, spin_lock(v))`;

  it('is not judged if the kernel does not create it: repaired, it might have them', async () => {
    const code = `MAP(m, 2, U32_KEY, __uint(value_size, 8), 0) ${use('m')}`;
    const { reasons, programs } = await judged(code, '6.18.44');
    expect(reasons.map(({ line }) => line)).toEqual(["map 'm': failed to create: -EINVAL"]);
    expect(programs[0]?.reasons).toEqual([]);
  });

  it('may have them where it is pinned', async () => {
    const code = `MAP(m, 2, U32_KEY; __uint(pinning, 1), __uint(value_size, 8), 1) ${use('m')}`;
    const { programs } = await judged(code, '6.18.44');
    expect(programs[0]?.reasons[0]).toMatchObject({ outcome: 'may-fail', step: 'field' });
  });
});

describe('a program of a type that may not use a map with a special field', () => {
  const code = `MAP(m, 2, U32_KEY, __type(value, struct lock), 1)
    MAP(timers, 2, U32_KEY, __type(value, struct timer), 1)
    PROGRAM("kprobe/x", traced, m, (void)0)
    PROGRAM("socket", filter, m, (void)0)
    PROGRAM("kprobe/x", with_timer, timers, (void)0)
    PROGRAM("xdp", networked, m, (void)0)`;

  it('is refused, whether or not it uses the field', async () => {
    expect(await linesOf(code, '6.18.44')).toEqual({
      traced: ['tracing progs cannot use bpf_spin_lock yet'],
      filter: ['socket filter progs cannot use bpf_spin_lock yet'],
      with_timer: ['tracing progs cannot use bpf_timer yet'],
      networked: [],
    });
    const { programs } = await judged(code, '6.18.44');
    expect(programs[0]?.reasons[0]).toMatchObject({
      outcome: 'rejected',
      step: 'field',
      text: "Programs for tracing may not use a map with a bpf_spin_lock. Map 'm' has one.",
    });
  });

  it('depends on the version', async () => {
    expect(await linesOf(code, '5.10.223')).toMatchObject({
      filter: ['tracing progs cannot use bpf_spin_lock yet'],
      with_timer: [],
    });
    expect(await linesOf(code, '7.1.5')).toMatchObject({ with_timer: [] });
  });
});

describe('a section with a special field', () => {
  const section = (visibility: string) => `
    ${visibility} struct bpf_spin_lock lock SEC(".data.lk");
    int shared SEC(".data.lk") = 1;
    SEC("tc") int e(void *ctx) { spin_lock(&lock); return shared; }`;

  it('is not mapped to user space', async () => {
    const { reasons } = await judged(section(''), '6.18.44');
    expect(reasons.map(({ outcome, step, line }) => [outcome, step, line])).toEqual([
      ['rejected', 'maps', "map '.data.lk': failed to re-mmap() contents: -ENOTSUPP"],
    ]);
  });

  it('is made where all variables are hidden', async () => {
    const code = section('__attribute__((visibility("hidden")))').replace(
      'int shared',
      'static int shared',
    );
    const { reasons, programs } = await judged(code, '6.18.44');
    expect([reasons, programs[0]?.reasons]).toEqual([[], []]);
  });
});

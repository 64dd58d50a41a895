/** Lists the needs of objects that clang compiles, with guarded and plain uses. */
import { describe, expect, it } from 'vitest';
import { loadObject } from '#analysis/libbpf/open.ts';
import { compileBpf } from '#testing/compile-bpf.ts';
import { openObject } from '#testing/open-model.ts';
import type { Need } from './need.ts';
import { decidingNeeds, needsOf } from './needs.ts';

const SOURCE = `
#define SEC(name) __attribute__((section(name), used))
typedef unsigned int u32;
typedef unsigned long long u64;
static void *(*bpf_map_lookup_elem)(void *, const void *) = (void *)1;
static u64 (*bpf_ktime_get_ns)(void) = (void *)5;
static u64 (*bpf_ktime_get_boot_ns)(void) = (void *)125;
static long (*bpf_loop)(u32, void *, void *, u64) = (void *)181;
static u64 (*bpf_ktime_get_tai_ns)(void) = (void *)208;

enum bpf_func_id { BPF_FUNC_ktime_get_tai_ns = 208 };
struct task_struct { int pid; int tgid; long __state; } __attribute__((preserve_access_index));
struct task_struct___old { long state; } __attribute__((preserve_access_index));
extern int LINUX_KERNEL_VERSION SEC(".kconfig");
extern int weak_kfunc(int) __attribute__((weak)) SEC(".ksyms");
extern int strong_kfunc(int) SEC(".ksyms");

struct {
  int (*type)[27];
  int (*max_entries)[4096];
} ring SEC(".maps");

u64 total;

SEC("tp_btf/sched_switch") int plain(struct task_struct *t) {
  __sync_fetch_and_add(&total, bpf_ktime_get_ns());
  return t->pid + strong_kfunc(1);
}

SEC("raw_tp/x") int guarded(struct task_struct *t) {
  u64 sum = 0;
  if (__builtin_preserve_field_info(t->__state, 2)) sum += t->__state;
  else sum += ((struct task_struct___old *)t)->state;
  if (__builtin_preserve_enum_value(*(enum bpf_func_id *)BPF_FUNC_ktime_get_tai_ns, 0))
    sum += bpf_ktime_get_tai_ns();
  else
    sum += bpf_ktime_get_boot_ns();
  if (LINUX_KERNEL_VERSION >= 0x51100) sum += bpf_loop(1, 0, 0, 0);
  if (weak_kfunc) sum += weak_kfunc(1);
  bpf_map_lookup_elem(&ring, &sum);
  return sum;
}

SEC("?kprobe.multi/x") int later(void *ctx) {
  return __sync_fetch_and_or(&total, 1);
}

char LICENSE[] SEC("license") = "GPL";
`;

const named = (needs: readonly Need[]) => needs.map(({ kind, name }) => `${kind} ${name}`);

describe('what an object needs', async () => {
  const { model, source } = await openObject('a.o', compileBpf(SOURCE));
  const needs = needsOf(await loadObject(model, source));

  it('has what each kernel must have, with its version', () => {
    expect(named(needs.required)).toEqual(
      expect.arrayContaining([
        'instruction call of a kfunc',
        'map-type BPF_MAP_TYPE_RINGBUF',
        'attach-type BPF_TRACE_RAW_TP',
        'program-type BPF_PROG_TYPE_TRACING',
        'instruction address of a map value',
        'helper bpf_map_lookup_elem',
        'helper bpf_ktime_get_ns',
      ]),
    );
    expect({ version: needs.version, lacking: needs.lacking }).toEqual({
      version: '5.13',
      lacking: '5.12',
    });
    expect(named(decidingNeeds(needs))).toEqual(['instruction call of a kfunc']);
  });

  it('has apart what depends on the BTF of the kernel', () => {
    expect(named(needs.undecided).toSorted()).toEqual([
      'kfunc strong_kfunc',
      'member task_struct.pid',
      'target sched_switch',
    ]);
    expect(needs.needsBtf).toBe(true);
  });

  it('has no use behind an existence check, a version, or a weak extern', () => {
    const optional = named(needs.optional);
    expect(optional).toEqual(
      expect.arrayContaining([
        'kfunc weak_kfunc',
        'member task_struct.__state',
        'member task_struct.state',
        'helper bpf_ktime_get_tai_ns',
        'helper bpf_ktime_get_boot_ns',
        'helper bpf_loop',
      ]),
    );
  });

  it('has no use of a program that is not loaded by default', () => {
    expect(named(needs.optional)).toEqual(
      expect.arrayContaining([
        'program-type BPF_PROG_TYPE_KPROBE',
        'attach-type BPF_TRACE_KPROBE_MULTI',
        'instruction atomic fetch',
      ]),
    );
  });

  it('names the instruction and the source line of a use', () => {
    const pid = needs.undecided.find(({ name }) => name === 'task_struct.pid');
    const line = SOURCE.split('\n').findIndex((text) => text.includes('t->pid')) + 1;
    expect(pid?.uses).toMatchObject([{ program: 'plain', map: null, source: { line } }]);
    expect(pid?.records.length).toBe(1);
    const ring = needs.required.find(({ name }) => name === 'BPF_MAP_TYPE_RINGBUF');
    expect(ring?.uses).toMatchObject([{ program: null, map: 'ring', insn: null }]);
  });
});

it('has apart an instruction that no kernel has', async () => {
  const text = `__attribute__((section("xdp"), used)) int f(void *ctx) {
    asm volatile("callx r1");
    return 0;
  }`;
  const { model, source } = await openObject('b.o', compileBpf(text));
  const needs = needsOf(await loadObject(model, source));
  expect(named(needs.never)).toEqual(['instruction callx']);
  expect(needs.undecided).toEqual([]);
});

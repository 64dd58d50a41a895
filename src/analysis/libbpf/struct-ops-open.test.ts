/** Tests struct_ops variables of objects that clang compiles, on an invented kernel. */
import { describe, expect, it } from 'vitest';
import type { LoadKernel } from '#analysis/kernel/kernel.ts';
import { typesOf } from '#testing/access-types.ts';
import { array, funcProto, int, ptr, struct } from '#testing/btf-types.ts';
import { hasClang } from '#testing/clang-types.ts';
import { compileBpf } from '#testing/compile-bpf.ts';
import { openObject } from '#testing/open-model.ts';
import { judgeLoad } from './load.ts';
import { loadObject } from './open.ts';
import { matchStructOps } from './struct-ops.ts';

const PROGRAMS = `
#define SEC(name) __attribute__((section(name), used))
SEC("struct_ops/first") int first(void *ctx) { return 0; }
SEC("struct_ops/second") int second(void *ctx) { return 0; }
SEC("xdp") int other(void *ctx) { return 2; }
__attribute__((noinline)) int subprogram(void *ctx) { return 1; }
SEC("?struct_ops/caller") int caller(void *ctx) { return subprogram(ctx); }
struct ops { int (*a)(void *); int (*b)(void *); void *data; char name[8]; };
`;

async function open(text: string) {
  const { model, source } = await openObject('a.o', compileBpf(PROGRAMS + text));
  return await loadObject(model, source);
}

/** Returns a kernel whose `struct ops` has the callback `a`, data and a name. */
async function kernel(): Promise<LoadKernel> {
  const [INT, PROTO, CALLBACK, DATA, CHAR, NAME, OPS] = [1, 2, 3, 4, 5, 6, 7];
  const at = (name: string, byteOffset: number, type: number) => ({
    name,
    type,
    bitOffset: 8 * byteOffset,
  });
  const vmlinux = await typesOf(
    int('int', 4),
    funcProto(INT),
    ptr(PROTO),
    ptr(0),
    int('char', 1),
    array(CHAR, INT, 8),
    struct('ops', 24, [at('a', 0, CALLBACK), at('data', 8, DATA), at('name', 16, NAME)]),
    struct('bpf_struct_ops_ops', 24, [at('data', 0, OPS)]),
  );
  return {
    name: 'vmlinux',
    vmlinux,
    modules: [],
    config: 'none',
    kallsyms: '',
    release: '6.12.0',
    unameVersion: '',
  };
}

async function judge(text: string) {
  return judgeLoad(await open(text), await kernel());
}

describe.skipIf(!hasClang)('struct_ops variables', () => {
  it.each([
    [
      'an anonymous type',
      'SEC(".struct_ops") struct { int (*a)(void *); } v = { (void *)first };',
      -95,
      'struct_ops init: anonymous type is not supported',
    ],
    [
      'a typedef of an anonymous struct',
      'typedef struct { int (*a)(void *); } ops_t; SEC(".struct_ops") ops_t v = { (void *)first };',
      -95,
      'struct_ops init: anonymous type is not supported',
    ],
    [
      'a union',
      'SEC(".struct_ops.link") union u { int (*a)(void *); } v = { (void *)first };',
      -22,
      'struct_ops init: u is not a struct',
    ],
    [
      'a program of another type',
      'SEC(".struct_ops") struct ops v = { .b = (void *)other };',
      -22,
      'struct_ops reloc v: prog other is not struct_ops BPF program',
    ],
    [
      'a subprogram',
      'SEC(".struct_ops") const struct ops v = { .b = (void *)subprogram };',
      -22,
      'struct_ops reloc v: prog subprogram is not struct_ops BPF program',
    ],
    [
      'an extern function',
      `extern int kernel_function(void *ctx) SEC(".ksyms");
       SEC("?struct_ops/last") int last(void *ctx) { return kernel_function(ctx); }
       SEC("?.struct_ops") struct ops v = { .a = (void *)kernel_function };`,
      -22,
      'struct_ops reloc v: cannot find prog at shdr_idx 0 to relocate func ptr a',
    ],
    [
      'a pointer that is no callback',
      'SEC(".struct_ops") struct ops v = { .data = (void *)first };',
      -22,
      'struct_ops reloc v: cannot relocate non func ptr data',
    ],
  ])('opening fails by %s', async (_name, text, errno, line) => {
    const { open: code, lastWarnings } = await judge(text);
    expect([code, lastWarnings]).toEqual([errno, [line]]);
  });

  it.each([
    [
      'a pointer that is set, but not to a program',
      'SEC(".struct_ops") struct ops v = { .a = (void *)first, .data = (void *)8 };',
      'struct_ops init_kern v: member data is not a struct_ops program',
    ],
    [
      'a callback that the kernel lacks, in a flavour of the struct',
      'SEC(".struct_ops") struct ops___new { int (*b)(void *); int (*a)(void *); } v = { (void *)first };',
      'struct_ops init_kern v: Cannot find member b in kernel BTF',
    ],
  ])('preparing fails by %s', async (_name, text, line) => {
    const { prepare, lastWarnings } = await judge(text);
    expect([prepare, lastWarnings]).toEqual([-95, [line]]);
  });

  it('skips a callback that is not set', async () => {
    const { prepare, infos } = await judge(
      'SEC(".struct_ops") struct ops v = { .a = (void *)first };',
    );
    expect([prepare, infos]).toEqual([
      0,
      ["struct_ops v: member b not found in kernel, skipping it as it's set to zero"],
    ]);
  });

  it('creates all variables of a section with ? but the first', async () => {
    const maps = `SEC("?.struct_ops") struct ops v = { .b = (void *)second };
      SEC("?.struct_ops") struct ops w = { .a = (void *)first };`;
    const { maps: opened } = await open(maps);
    expect(opened.map(({ name, autocreate }) => [name, autocreate])).toEqual([
      ['v', false],
      ['w', true],
    ]);
    const { prepare, programs } = await judge(maps);
    const loaded = programs.filter(({ autoload }) => autoload).map(({ program }) => program.name);
    expect([prepare, loaded]).toEqual([0, ['first', 'other']]);
  });

  it('says what happens if the loader creates an optional map', async () => {
    const { prepare, outcome, programs } = await judge(
      `SEC(".struct_ops") struct ops v = { .a = (void *)first };
       SEC("?.struct_ops") struct ops w = { .a = (void *)first, .b = (void *)second };`,
    );
    expect([prepare, outcome]).toEqual([0, 'loads']);
    const second = programs.find(({ program }) => program.name === 'second');
    expect(second?.autoload).toBe(false);
    expect(second?.reasons.map(({ text }) => text)).toEqual([
      "Map w is not created by default; if the loader switches it on, prepare fails with -95: the kernel's struct ops has no member b, which map w sets to program second; if the loader sets the member to NULL between open and prepare, libbpf skips it and does not load second.",
    ]);
    expect(programs[0]).toMatchObject({ autoload: true, reasons: [] });
  });

  it('lists the faults of all members and maps', async () => {
    const { structOps, model, sectionBytes } = await open(
      `SEC(".struct_ops") struct ops v = { .a = (void *)first, .b = (void *)second };
       SEC(".struct_ops") struct none { int (*a)(void *); } w = { .a = (void *)first };
       SEC(".struct_ops.link") struct ops x = { .b = (void *)second, .data = (void *)8 };`,
    );
    const { failures } = matchStructOps(model, structOps, await kernel(), sectionBytes);
    expect(failures.flatMap(({ failure }) => failure.lines)).toEqual([
      'struct_ops init_kern v: Cannot find member b in kernel BTF',
      'struct_ops init_kern: struct bpf_struct_ops_none is not found in kernel BTF',
      'struct_ops init_kern x: Cannot find member b in kernel BTF',
      'struct_ops init_kern x: member data is not a struct_ops program',
    ]);
  });
});

/** Tests the remedies for a struct_ops callback that one of two kernels lacks, with clang. */
import { describe, expect, it } from 'vitest';
import type { LoadKernel } from '#analysis/kernel/kernel.ts';
import { judgeLoad } from '#analysis/libbpf/load.ts';
import { loadObject } from '#analysis/libbpf/open.ts';
import { typesOf } from '#testing/access-types.ts';
import { array, funcProto, int, type Member, ptr, struct } from '#testing/btf-types.ts';
import { hasClang } from '#testing/clang-types.ts';
import { compileBpf } from '#testing/compile-bpf.ts';
import { openObject } from '#testing/open-model.ts';
import { remedies } from './remedies.ts';

const PROGRAMS = `
#define SEC(name) __attribute__((section(name), used))
SEC("struct_ops/first") int first(void *ctx) { return 0; }
SEC("struct_ops/second") int second(void *ctx) { return 0; }
struct ops { int (*a)(void *); int (*b)(void *); int flags; char name[8]; };
`;
const MAP =
  'SEC(".struct_ops.link") struct ops mine = { (void *)first, (void *)second, 3, "own" };';

async function open(text: string) {
  const { model, source } = await openObject('a.o', compileBpf(PROGRAMS + text));
  return await loadObject(model, source);
}

async function kernelWith(...callbacks: readonly string[]): Promise<LoadKernel> {
  const at = (name: string, byteOffset: number, type: number): Member => ({
    name,
    type,
    bitOffset: 8 * byteOffset,
  });
  const [INT, PROTO, CALLBACK, CHAR, NAME, OPS] = [1, 2, 3, 4, 5, 6];
  const members = [at('flags', 0, INT), at('name', 4, NAME)];
  const vmlinux = await typesOf(
    int('int', 4),
    funcProto(INT),
    ptr(PROTO),
    int('char', 1),
    array(CHAR, INT, 8),
    struct('ops', 32, [...members, ...callbacks.map((name, i) => at(name, 16 + 8 * i, CALLBACK))]),
    struct('bpf_struct_ops_ops', 32, [at('data', 0, OPS)]),
  );
  return {
    name: callbacks.join(),
    vmlinux,
    modules: [],
    config: 'none',
    kallsyms: '',
    release: '6.12.0',
    unameVersion: '',
  };
}

describe.skipIf(!hasClang)('a callback that a kernel lacks', () => {
  it('is set in a second, optional map, which loads on all kernels', async () => {
    const kernels = [await kernelWith('a'), await kernelWith('a', 'b')];
    const object = await open(MAP);
    const verdicts = kernels.map((kernel) => judgeLoad(object, kernel));
    expect(verdicts.map(({ prepare }) => prepare)).toEqual([-95, 0]);
    const [reason] = verdicts[0]?.reasons ?? [];
    if (reason === undefined) throw new Error('there is no reason');
    const found = remedies(object, kernels, reason);
    expect(found.map(({ title, works }) => [title, works])).toEqual([
      ['set b in a second map, which is not created by default', 2],
      ['set b to NULL in the loader, where the kernel lacks it', 2],
    ]);
    const code = found[0]?.code ?? '';
    expect(code).toBe(`SEC(".struct_ops.link")
struct ops mine = {
    .a = (void *)first,
    .flags = 3,
    .name = "own",
};

SEC("?.struct_ops.link")
struct ops mine_b = {
    .a = (void *)first,
    .b = (void *)second,
    .flags = 3,
    .name = "own",
};

/* in the loader before loading, where the kernel has b: */
bpf_map__set_autocreate(skel->maps.mine, false);
bpf_map__set_autocreate(skel->maps.mine_b, true);`);
    const repaired = await open(code.slice(0, code.indexOf('/*')));
    const loaded = kernels.map((kernel) =>
      judgeLoad(repaired, kernel).programs.map(({ autoload, outcome }) => [autoload, outcome]),
    );
    expect(loaded[1]).toEqual([
      [true, 'loads'],
      [false, 'loads'],
    ]);
    expect(kernels.map((kernel) => judgeLoad(repaired, kernel).outcome)).toEqual([
      'loads',
      'loads',
    ]);
  });

  it('has no remedy for a member that is not set', async () => {
    const about = { of: 'callback', map: 'mine', member: 'none' } as const;
    expect(remedies(await open(MAP), [await kernelWith('c')], { about, source: null })).toEqual([]);
  });
});

/** Tests what the kernel gets of a program that clang compiles. */
import { describe, expect, it } from 'vitest';
import { func, funcProto, int } from '#testing/btf-types.ts';
import { hasClang } from '#testing/clang-types.ts';
import { compileBpf } from '#testing/compile-bpf.ts';
import { kernelOf } from '#testing/kernels.ts';
import { openObject } from '#testing/open-model.ts';
import { judgeLoad } from './load.ts';
import { loadObject } from './open.ts';

const PROGRAM = `
#define SEC(name) __attribute__((section(name), used))
extern int bpf_one___old(void) SEC(".ksyms");
SEC("xdp") int program(void *ctx) { return bpf_one___old(); }
`;

/** Names of so many symbols that they are those of a whole kernel. */
const SYMBOLS = ['_text', ...Array.from({ length: 1000 }, (_, i) => `symbol_${i}`)];

describe.skipIf(!hasClang)('a kfunc with a flavour in its name', () => {
  it('is looked up in kallsyms without the flavour', async () => {
    const { model, source } = await openObject('a.o', compileBpf(PROGRAM));
    const object = await loadObject(model, source);
    const kernel = kernelOf([int('int', 4), funcProto(1), func('bpf_one', 2)]);
    const reasonsWith = (symbol: string) =>
      judgeLoad(object, {
        ...kernel,
        modules: [],
        kallsyms: [...SYMBOLS, symbol].map((name) => `ffffffff81000000 T ${name}\n`).join(''),
      }).programs.flatMap(({ reasons }) => reasons.map(({ text }) => text));
    expect(reasonsWith('bpf_one')).toEqual([]);
    expect(reasonsWith('bpf_two')).toEqual([
      '/proc/kallsyms has no bpf_one: it is inlined, or not in this kernel.',
    ]);
  });
});

const ARENA = `
#define SEC(name) __attribute__((section(name), used))
struct { int (*type)[33]; int (*map_flags)[1024]; int (*max_entries)[4]; } arena SEC(".maps");
int __attribute__((address_space(1))) count SEC(".addr_space.1");
SEC("syscall") int program(void *ctx) { return count++; }
`;

describe.skipIf(!hasClang)('a program with variables in an arena', () => {
  it('uses the arena of the object', async () => {
    const { model, source } = await openObject('a.o', compileBpf(ARENA));
    const object = await loadObject(model, source);
    expect(judgeLoad(object, kernelOf([], { release: '6.18.0' })).outcome).toBe('loads');
    const { reasons } = judgeLoad({ ...object, maps: [] }, kernelOf([], { release: '6.18.0' }))
      .programs[0] ?? { reasons: [] };
    expect(reasons.map(({ line }) => line)).toEqual([
      'addr_space_cast insn can only be used in a program that has an associated arena',
    ]);
  });
});

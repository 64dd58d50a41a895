/** The lines and errors below are those of libbpf 1.8 on Linux 6.18.44. */
import { describe, expect, it } from 'vitest';
import type { LoadKernel } from '#analysis/kernel/kernel.ts';
import { compileBpf } from '#testing/compile-bpf.ts';
import { openObject } from '#testing/open-model.ts';
import { judgeLoad } from './load.ts';
import { loadObject } from './open.ts';

const KERNEL: LoadKernel = {
  name: 'kernel',
  vmlinux: null,
  modules: [],
  config: null,
  kallsyms: null,
  release: '6.18.44',
  unameVersion: null,
};

const HEAD = `
#define SEC(name) __attribute__((section(name), used))
#define __uint(name, val) int (*name)[val]
#define __type(name, val) val *name
#define __array(name, val) val *name[]
typedef unsigned int u32;
char LICENSE[] SEC("license") = "GPL";
`;

/** Returns outcome, text and line of the reasons for the object that defines `maps` in C. */
async function reasonsOf(maps: string, release = KERNEL.release) {
  const { model, source } = await openObject('a.o', compileBpf(HEAD + maps));
  const verdict = judgeLoad(await loadObject(model, source), { ...KERNEL, release });
  return verdict.reasons.map(({ outcome, step, text, line }) => [outcome, step, text, line]);
}

const map = (members: string, name = 'm') => `struct { ${members} } ${name} SEC(".maps");`;

describe('a map that the kernel refuses', () => {
  it('is a reason for the object, with the line of libbpf', async () => {
    const members = '__uint(type, 2); __type(key, u32); __type(value, u32);';
    expect(await reasonsOf(map(members))).toEqual([
      [
        'rejected',
        'maps',
        "The kernel refuses map 'm' of type BPF_MAP_TYPE_ARRAY: max_entries is 0.",
        "map 'm': failed to create: -EINVAL",
      ],
    ]);
    expect(await reasonsOf(map(`${members} __uint(max_entries, 1);`))).toEqual([]);
  });

  it('is made again without types: only a storage needs them', async () => {
    const storage = `__uint(type, 24); __uint(map_flags, 1); __uint(key_size, 4);`;
    const [reason] = await reasonsOf(map(`${storage} __uint(value_size, 8);`));
    expect(reason?.[2]).toBe(
      "The kernel refuses map 'm' of type BPF_MAP_TYPE_SK_STORAGE: key and value need types in the BTF of the object.",
    );
    const key = '__type(key, u32); __uint(value_size, 4); __uint(max_entries, 1);';
    expect(await reasonsOf(map(`__uint(type, 2); ${key}`))).toEqual([]);
  });

  it('may be the inner map of a map of maps', async () => {
    const inner = (members: string) =>
      map(
        `__uint(type, 12); __uint(key_size, 4); __uint(max_entries, 1);
         __array(values, struct { ${members} });`,
      );
    const [reason] = await reasonsOf(
      inner('__uint(type, 2); __uint(key_size, 4); __uint(value_size, 4);'),
    );
    expect(reason?.slice(2)).toEqual([
      "The kernel refuses map 'm.inner' of type BPF_MAP_TYPE_ARRAY: max_entries is 0.",
      "map 'm': failed to create inner map: -EINVAL",
    ]);
    const programs =
      '__uint(type, 3); __uint(key_size, 4); __uint(value_size, 4); __uint(max_entries, 1);';
    expect((await reasonsOf(inner(programs)))[0]?.slice(2)).toEqual([
      "The kernel refuses map 'm' of type BPF_MAP_TYPE_ARRAY_OF_MAPS: its inner maps are of type BPF_MAP_TYPE_PROG_ARRAY.",
      "map 'm': failed to create: -ENOTSUPP",
    ]);
    const without = '__uint(type, 12); __uint(key_size, 4); __uint(value_size, 4);';
    expect((await reasonsOf(map(`${without} __uint(max_entries, 1);`)))[0]?.slice(2)).toEqual([
      "The kernel refuses map 'm' of type BPF_MAP_TYPE_ARRAY_OF_MAPS: the definition has no inner map, which a loader may set.",
      "map 'm': failed to create: -EINVAL",
    ]);
  });

  it('depends on the version', async () => {
    const big = 'char big[5 << 20]; char *use(void) { return big; }';
    expect(await reasonsOf(big)).toEqual([]);
    expect((await reasonsOf(big, '5.10.0'))[0]?.slice(0, 3)).toEqual([
      'may-fail',
      'maps',
      "The kernel may refuse map 'a.bss' of type BPF_MAP_TYPE_ARRAY: value_size is 5242880, more than 4194304.",
    ]);
  });
});

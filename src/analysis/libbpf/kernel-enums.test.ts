/** Loads examples on kernels whose enums lack a helper, a map type or a program type. */
import { describe, expect, it } from 'vitest';
import { btfBlob } from '#testing/btf-blob.ts';
import { enumeration } from '#testing/btf-types.ts';
import { openModel, openObject } from '#testing/open-model.ts';
import { sampleBytes } from '#testing/samples.ts';
import { allReasons, judgeLoad } from './load.ts';
import { loadObject } from './open.ts';

const named = (prefix: string, values: Readonly<Record<string, number>>) =>
  Object.entries(values).map(([name, value]) => [`${prefix}${name}`, value] as const);
const FUNCTIONS = named('BPF_FUNC_', {
  map_lookup_elem: 1,
  map_update_elem: 2,
  ktime_get_ns: 5,
  tail_call: 12,
  sk_storage_delete: 108,
});
const MAPS = named('BPF_MAP_TYPE_', {
  HASH: 1,
  ARRAY: 2,
  PROG_ARRAY: 3,
  PERCPU_ARRAY: 6,
  SK_STORAGE: 24,
});

/** Returns the outcome and the reasons of each program of an example. */
async function reasonsOf(
  name: string,
  types: readonly ReturnType<typeof enumeration>[],
  release: string | null = '6.8.0',
) {
  const { model, source } = await openObject(name, new Uint8Array(sampleBytes(name)));
  const { types: vmlinux } = await openModel('vmlinux', btfBlob({ types }).bytes);
  const kernel = { name: 'vmlinux', vmlinux, modules: [], config: null, kallsyms: null };
  const verdict = judgeLoad(await loadObject(model, source), {
    ...kernel,
    release,
    unameVersion: null,
  });
  expect(verdict.load).toBe(0);
  return verdict.programs.flatMap((loaded) =>
    allReasons(verdict, loaded).map(({ outcome, step, text }) => [
      loaded.program.name,
      outcome,
      step,
      text,
    ]),
  );
}

describe('a kernel without', () => {
  it('a helper rejects or may reject the programs that call it', async () => {
    const less = FUNCTIONS.filter(([name]) => name !== 'BPF_FUNC_tail_call');
    const all = await reasonsOf('xdp_counter.bpf.o', [enumeration('bpf_func_id', FUNCTIONS)]);
    expect(all).toEqual([]);
    const found = await reasonsOf('xdp_counter.bpf.o', [enumeration('bpf_func_id', less)]);
    expect(found).toEqual([
      ['count_packets', 'may-fail', 'helper', 'The kernel has no helper #12.'],
    ]);
  });

  it('a type of maps rejects all programs', async () => {
    const less = MAPS.filter(([name]) => name !== 'BPF_MAP_TYPE_PERCPU_ARRAY');
    const all = await reasonsOf('xdp_counter.bpf.o', [enumeration('bpf_map_type', MAPS)]);
    expect(all).toEqual([]);
    const found = await reasonsOf('xdp_counter.bpf.o', [enumeration('bpf_map_type', less)]);
    const text =
      "The kernel refuses map 'protocols' of type BPF_MAP_TYPE_PERCPU_ARRAY: it has no such map type.";
    expect(found).toContainEqual(['count_packets', 'rejected', 'maps', text]);
  });

  it('what Linux 5.2 had has an enum that was cut, which decides nothing', async () => {
    const cut = [
      enumeration('bpf_func_id', FUNCTIONS.slice(0, 2)),
      enumeration('bpf_map_type', MAPS.slice(0, 2)),
    ];
    expect(await reasonsOf('xdp_counter.bpf.o', cut, null)).toEqual([]);
  });

  it('any of these enums decides nothing', async () => {
    const other = enumeration('state', [['ON', 1]]);
    expect(await reasonsOf('xdp_counter.bpf.o', [other], null)).toEqual([]);
  });
});

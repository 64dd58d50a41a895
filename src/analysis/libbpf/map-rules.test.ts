import { describe, expect, it } from 'vitest';
import { mapFaults, mapFaultText } from '#analysis/kernel/map-rules.ts';
import { FIELD_RULES, MAP_RULES } from '#analysis/kernel/rules.ts';
import { btfBlob } from '#testing/btf-blob.ts';
import {
  datasec,
  declTag,
  fwd,
  int,
  type Member,
  ptr,
  struct,
  type TypeRecord,
  typeTag,
  variable,
} from '#testing/btf-types.ts';
import { elfObject } from '#testing/elf-object.ts';
import { openCheck } from '#testing/open-check.ts';
import { recordsOf } from './check-btf.ts';

const at = (offset: number, type: number, name = `m${offset}`): Member => ({
  name,
  type,
  bitOffset: offset * 8,
});

/** Id of the value struct. Ids: INT 1, special types from 2, the value 12, `more` from 13. */
const VALUE = 12;
const MORE = 13;
const opaque: readonly TypeRecord[] = [
  int('int', 4),
  struct('bpf_spin_lock', 4, []),
  struct('bpf_timer', 16, []),
  struct('bpf_wq', 16, []),
  struct('bpf_task_work', 8, []),
  struct('bpf_refcount', 4, []),
  struct('bpf_list_head', 16, []),
  struct('bpf_list_node', 24, []),
  ptr(10),
  typeTag('kptr', 11),
  struct('target', 4, [at(0, 1)]),
];
const [LOCK, TIMER, WQ, WORK, COUNT, HEAD, NODE, KPTR] = [2, 3, 4, 5, 6, 7, 8, 9];

/** Returns the faults of a map with a type and flags, whose value has `members`. */
function faults(
  mapType: number,
  size: number,
  members: readonly Member[],
  { flags = 0, more = [] as readonly TypeRecord[] } = {},
) {
  const types = [...opaque, struct('v', size, members), ...more];
  const records = recordsOf(btfBlob({ types }).bytes);
  if (records === null) throw new Error('no records');
  const map = { name: 'm', type: mapType, flags: BigInt(flags), valueTypeId: VALUE };
  return mapFaults(records, [map]);
}

describe('the BTF of a map in .maps', () => {
  it.each<[string, number, number, readonly Member[]]>([
    ['no special field', 1, 8, [at(0, 1)]],
    ['a lock in a hash table', 1, 8, [at(0, LOCK), at(4, 1)]],
    ['a timer in an LRU hash table', 9, 16, [at(0, TIMER)]],
    ['a kptr in a value for each CPU', 6, 8, [at(0, KPTR)]],
    ['a refcount per task', 29, 4, [at(0, COUNT)]],
    ['a node, which no value has', 30, 24, [at(0, NODE)]],
  ])('is right with %s', async (_what, mapType, size, members) => {
    expect(faults(mapType, size, members)).toEqual([]);
  });

  // Recorded results of BPF_MAP_CREATE of Linux 6.18.44.
  it.each<[string, number, number, readonly Member[]]>([
    ['a lock in an LRU hash table', 9, 4, [at(0, LOCK)]],
    ['a timer for each CPU', 5, 16, [at(0, TIMER)]],
    ['a work queue per task', 29, 16, [at(0, WQ)]],
    ['task work per socket', 24, 8, [at(0, WORK)]],
    ['a kptr in cgroup storage', 19, 8, [at(0, KPTR)]],
    ['a refcount in a Bloom filter', 30, 4, [at(0, COUNT)]],
  ])('is rejected with %s', async (_what, mapType, size, members) => {
    const { rule } = MAP_RULES.mapType;
    const rejected = { map: 'm', errno: 'EOPNOTSUPP', rule };
    expect(faults(mapType, size, members)).toMatchObject([rejected]);
  });

  it('is rejected with a lock that programs may only read', async () => {
    const [fault] = faults(2, 4, [at(0, LOCK)], { flags: 0x80 });
    expect(fault).toMatchObject({ map: 'm', errno: 'EACCES', rule: MAP_RULES.oneWay.rule });
  });

  it('is rejected with a uptr to a struct of the kernel, whatever comes after it', async () => {
    const more = [
      ptr(MORE + 1),
      typeTag('uptr', COUNT),
      ptr(MORE + 3),
      typeTag('uptr', MORE + 4),
      struct('u', 8192, []),
    ];
    const found = faults(29, 16, [at(0, MORE), at(8, MORE + 2)], { more });
    expect(found).toMatchObject([{ errno: 'EINVAL', rule: MAP_RULES.uptrKernel.rule }]);
  });

  it.each([
    ['of 8 KiB', 8192, 'E2BIG', MAP_RULES.uptrSize],
    ['without a size', 0, 'EINVAL', MAP_RULES.uptrEmpty],
  ])('is rejected with a uptr to a struct %s', async (_what, size, errno, { rule }) => {
    const more = [ptr(MORE + 1), typeTag('uptr', MORE + 2), struct('u', size, [])];
    const found = faults(29, 8, [at(0, MORE)], { more });
    expect(found).toMatchObject([{ errno, rule }]);
  });

  it('is not seen where it breaks a rule, and the map is created', async () => {
    const [fault] = faults(1, 32, [at(0, TIMER), at(16, TIMER)]);
    expect(fault).toMatchObject({ errno: null, rule: FIELD_RULES.unique.rule });
    expect(fault && mapFaultText(fault)).toBe(
      'the verifier sees no special fields in it: Member m16 of [12] STRUCT v is a second bpf_timer.',
    );
    const more = [ptr(MORE + 1), typeTag('kptr', MORE + 2), fwd('f')];
    expect(faults(1, 8, [at(0, MORE)], { more })).toMatchObject([
      { errno: null, rule: FIELD_RULES.kptrTarget.rule },
    ]);
  });

  it('is rejected with a list of a struct that has no special fields of its own', async () => {
    // The node's type is the second struct of its name; the kernel finds only the first.
    const more = [
      declTag('contains:item:l', VALUE, 0),
      struct('bpf_list_node', 24, []),
      struct('item', 24, [at(0, MORE + 1, 'l')]),
    ];
    expect(faults(2, 20, [at(0, HEAD), at(16, LOCK)], { more })).toMatchObject([
      { errno: 'EFAULT', rule: FIELD_RULES.owned.rule },
    ]);
  });
});

describe('the BTF of global data', () => {
  const check = async (name: string, type: number, size: number) => {
    const types = [...opaque, variable('x', type), datasec(name, 0, [[VALUE, 0, size]])];
    const { bytes } = elfObject({
      sections: [
        name === '.bss'
          ? { name, type: 8, flags: 3, size }
          : { name, flags: 3, data: new Uint8Array(size) },
        { name: '.BTF', data: btfBlob({ types }).bytes },
      ],
      symbols: [{ name: 'x', size, type: 1, shndx: name }],
    });
    return (await openCheck('m.o', bytes, null)).check.loaded;
  };

  it.each([
    ['a lock in .bss', '.bss', LOCK, 4, []],
    ['a kptr in .data', '.data', KPTR, 8, []],
    ['a lock in .rodata', '.rodata', LOCK, 4, ['EACCES']],
    ['a list without its tag in .data.a', '.data.a', HEAD, 16, [null]],
  ] as const)('with %s', async (_what, name, type, size, errnos) => {
    const loaded = await check(name, type, size);
    expect(loaded?.verdict.native).toEqual({ verdict: 'ok' });
    expect(loaded?.maps.map(({ errno }) => errno)).toEqual(errnos);
  });
});

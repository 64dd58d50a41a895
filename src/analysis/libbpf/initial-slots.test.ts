/** Errors and lines are those of libbpf 1.8 on Linux 6.18.44. */
import { describe, expect, it } from 'vitest';
import { hasClang } from '#testing/clang-types.ts';
import { compileBpf } from '#testing/compile-bpf.ts';
import { kernelOf } from '#testing/kernels.ts';
import { openObject } from '#testing/open-model.ts';
import { judgeLoad } from './load.ts';
import { loadObject } from './open.ts';

const HEAD = `
#define SEC(name) __attribute__((section(name), used))
#define __uint(name, val) int (*name)[val]
#define __type(name, val) typeof(val) *name
#define __array(name, val) typeof(val) *name[]
#define OUTER __uint(type, 12); __uint(max_entries, 2); __uint(key_size, 4)
#define JUMPS __uint(type, 3); __uint(max_entries, 2); __uint(key_size, 4); __array(values, int(void *))
struct inner { __uint(type, 2); __uint(max_entries, 4); __type(key, int); __type(value, int); };
SEC("?xdp") int off(void *ctx) { return 2; }
SEC("xdp") int on(void *ctx) { return 2; }
SEC("tc") int other(void *ctx) { return 0; }
char LICENSE[] SEC("license") = "GPL";
`;
const INNER = 'struct inner in SEC(".maps");';

/** Returns outcome, text and line of the reasons for the object with `maps`, perhaps in reverse. */
async function reasonsOf(maps: string, isReversed = false) {
  const { model, source } = await openObject('a.o', compileBpf(HEAD + maps));
  const object = await loadObject(model, source);
  const ordered = isReversed ? object.maps.toReversed() : object.maps;
  const { reasons } = judgeLoad({ ...object, maps: ordered }, kernelOf([]));
  return reasons.map(({ outcome, text, line }) => [outcome, text, line]);
}

const jumps = (values: string) => `struct { JUMPS; } m SEC(".maps") = { .values = { ${values} } };`;
const outer = (slot: string) =>
  `struct { OUTER; __array(values, struct inner); } out SEC(".maps") = { .values = { ${slot} } };`;

describe.skipIf(!hasClang)('a slot that libbpf fills', () => {
  it.each<[string, string, string, string | null]>([
    [
      'a program that is not loaded',
      jumps('[0] = (void *)&on, [1] = (void *)&off'),
      'program off in slot 1 of map m: the program is not loaded.',
      "map 'm': failed to initialize slot [1] to prog 'off' fd=-2: -EBADF",
    ],
    [
      'an index beyond the array of programs',
      jumps('[2] = (void *)&on'),
      'program on in slot 2 of map m: the map has 2 entries.',
      null,
    ],
    [
      'programs of two types',
      jumps('[0] = (void *)&on, [1] = (void *)&other'),
      'program other in slot 1 of map m: it is of type SCHED_CLS, and program on of type XDP.',
      null,
    ],
    [
      'an index beyond the array of maps',
      `${INNER}${outer('[3] = (void *)&in')}`,
      'map in in slot 3 of map out: the map has 2 entries.',
      "map 'out': failed to create: -E2BIG",
    ],
    [
      'a map that is not as the template',
      `struct { __uint(type, 2); __uint(max_entries, 8); __type(key, int); __type(value, int); } in SEC(".maps");${outer('[0] = (void *)&in')}`,
      'map in in slot 0 of map out: its max_entries is 8, not 4.',
      "map 'out': failed to create: -EINVAL",
    ],
  ])('is refused: %s', async (_name, maps, text, line) => {
    expect(await reasonsOf(maps)).toEqual([['rejected', `The kernel refuses ${text}`, line]]);
  });

  it('is refused: a map that libbpf creates after the map with the slot', async () => {
    const [reason] = await reasonsOf(`${INNER}${outer('[0] = (void *)&in')}`, true);
    expect(reason?.[2]).toBe("map 'out': failed to create: -EINVAL");
  });

  it('takes maps as the template, and programs of one type', async () => {
    expect(await reasonsOf(`${INNER}${outer('[1] = (void *)&in')}`)).toEqual([]);
    expect(await reasonsOf(jumps('[0] = (void *)&on, [1] = (void *)&on'))).toEqual([]);
  });
});

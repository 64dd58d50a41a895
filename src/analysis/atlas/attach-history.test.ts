import { beforeAll, expect, it } from 'vitest';
import type { AtlasFile } from '#formats/atlas/atlas-file.ts';
import { btfBlob } from '#testing/btf-blob.ts';
import {
  enumeration,
  float,
  func,
  funcProto,
  int,
  modifier,
  ptr,
  struct,
  type TypeRecord,
  typedef,
  union,
} from '#testing/btf-types.ts';
import { atlasBytes, openAtlas } from '#testing/small-atlas.ts';
import { attachHistory } from './attach-history.ts';

const TYPES: readonly TypeRecord[] = [
  int('unsigned int', 4), // 1
  struct('large', 24, [{ name: 'a', type: 1, bitOffset: 0 }]), // 2
  struct('', 4, [{ name: 'val', type: 1, bitOffset: 0 }]), // 3
  typedef('kuid_t', 3), // 4
  ptr(2), // 5
  modifier('const', 4), // 6
  union('both', 8, [{ name: 'a', type: 1, bitOffset: 0 }]), // 7
  float('double', 8), // 8
  enumeration('color', [['RED', 0]]), // 9
  typedef('u32', 1), // 10
];
/** Parameters of each function. */
const FUNCTIONS: readonly (readonly [name: string, ...params: readonly number[]])[] = [
  ['plain', 1, 5, 9, 10],
  ['variadic', 5, 0],
  ['by_value', 6],
  ['too_large', 2],
  ['by_union', 7],
  ['floats', 8],
  ['bpf_lsm_file_open', 5],
];

let atlas: AtlasFile;
beforeAll(async () => {
  const types = FUNCTIONS.flatMap(([name, ...params], at) => [
    funcProto(
      1,
      params.map((type, i) => [type === 0 ? '' : `p${i}`, type]),
    ),
    func(name, TYPES.length + 1 + 2 * at),
  ]);
  const btf = btfBlob({ types: [...TYPES, ...types] }).bytes;
  const without = btfBlob({ types: TYPES }).bytes;
  atlas = await openAtlas(
    await atlasBytes({
      '5.15.0-amd64': btf,
      '6.1.0-amd64': btf,
      '6.1.0-arm64': btf,
      '6.18.0-amd64': btf,
      '7.0.0-amd64': without,
    }),
  );
});

/** Returns the answer for a kind of program on each kernel; null for a kernel without it. */
async function answers(name: string, kind: string): Promise<readonly (string | null)[]> {
  const history = await attachHistory(atlas, name);
  return atlas.directory.kernels.map((_, kernel) => {
    const form = history?.forms.find(({ kernels }) => kernels.includes(kernel));
    return form?.items.find((item) => item.name === kind)?.text ?? null;
  });
}

const words = async (name: string, kind = 'fentry') =>
  (await answers(name, kind)).map((text) => text?.split(':')[0] ?? null);

it('has an answer for each kernel with the function, by version and architecture', async () => {
  expect(atlas.directory.kernels.map(({ name }) => name)).toEqual([
    '5.15.0-amd64',
    '6.1.0-amd64',
    '6.1.0-arm64',
    '6.18.0-amd64',
    '7.0.0-amd64',
  ]);
  const all = ['traceable', 'traceable', 'refused', 'traceable', null];
  expect(await words('plain')).toEqual(all);
  expect(await words('by_value')).toEqual(['refused', 'traceable', 'refused', 'traceable', null]);
  expect(await words('by_union')).toEqual(['refused', 'refused', 'refused', 'traceable', null]);
  const none = ['refused', 'refused', 'refused', 'refused', null];
  for (const name of ['variadic', 'too_large', 'floats']) expect(await words(name)).toEqual(none);
  expect(await words('plain', 'kprobe')).toEqual([...Array(4).fill('undecided'), null]);
  expect(await words('bpf_lsm_file_open', 'lsm')).toEqual(all);
});

it('has the reason and the line of the kernel', async () => {
  const [first] = await answers('variadic', 'fexit');
  expect(first).toBe(
    'refused: variadic has variable arguments. Kernel: The function variadic with variable args is unsupported.',
  );
  expect((await answers('plain', 'fentry'))[2]).toBe(
    'refused: Loads, but cannot be attached: arm64 has no direct calls of ftrace before 6.4.',
  );
});

it('shares a form between kernels with equal answers', async () => {
  const history = await attachHistory(atlas, 'plain');
  expect(history?.forms.map(({ kernels, title }) => [title, kernels])).toEqual([
    ['unsigned int plain(unsigned int p0, struct large *p1, enum color p2, u32 p3)', [0]],
    ['unsigned int plain(unsigned int p0, struct large *p1, enum color p2, u32 p3)', [1, 3]],
    ['unsigned int plain(unsigned int p0, struct large *p1, enum color p2, u32 p3)', [2]],
  ]);
  expect(await attachHistory(atlas, 'nothing')).toBeNull();
});

import { expect, it } from 'vitest';
import { typesOf } from '#testing/access-types.ts';
import { int, struct, typedef } from '#testing/btf-types.ts';
import { placeSuggestions } from './PlaceBox.tsx';

const types = () =>
  typesOf(
    int('int', 4),
    struct('pid', 4, []),
    struct('pid_ns', 8, []),
    struct('pid', 8, []),
    typedef('pid_t', 1),
  );

const places = async (typed: string, ids: readonly number[], fields: readonly string[]) =>
  placeSuggestions(
    await types(),
    typed,
    Uint32Array.from(ids),
    fields.map((name) => ({ name, count: 2 })),
  ).map(({ place }) => place);

it('an exact match comes first, the type before the field', async () => {
  expect(await places('pid', [2, 3, 5], ['pid', 'pids'])).toEqual([
    'pid',
    '*.pid',
    'pid_ns',
    'pid_t',
    '*.pids',
  ]);
});

it('the second type of a name is named by its key', async () => {
  expect(await places('pid', [2, 4], [])).toEqual(['pid', 'struct:pid~1']);
});

it('behind a dot there are fields only, of that type or of any', async () => {
  expect(await places('sock.sk', [2], ['sk_a'])).toEqual(['sock.sk_a']);
  expect(await places('*.sk', [2], ['sk_a'])).toEqual(['*.sk_a']);
});

it('has no offers for an empty text', async () => {
  expect(await places(' ', [1], ['a'])).toEqual([]);
});

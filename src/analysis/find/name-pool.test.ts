import fc from 'fast-check';
import { expect, it } from 'vitest';
import { Slices } from '#bytes/long-work.ts';
import { runs, SOON } from '#testing/runs.ts';
import { Match, matchName } from './match-name.ts';
import { buildPool, nameLength, pooledName, searchPool } from './name-pool.ts';

const slices = () => new Slices(1000, new AbortController().signal);

async function poolOf(names: readonly string[]) {
  return await buildPool(
    names.length,
    (i, pool) => {
      const name = names[i] ?? '';
      const bytes = new TextEncoder().encode(name);
      if (i % 2 === 0) pool.text(name);
      else pool.name({ bytes, start: 0, end: bytes.length }, () => name);
    },
    slices(),
    () => undefined,
  );
}

/** Names from few characters, so that many names contain each other. */
const name = fc.string({ unit: fc.constantFrom('a', 'b', '_', 'B', '1', 'é'), maxLength: 9 });

it('finds each name just as it is found alone', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(name, { maxLength: 40 }), name, async (names, typed) => {
      const needle = typed.toLowerCase();
      const pool = await poolOf(names);
      const found = new Map<number, number>();
      searchPool(pool, needle, (at, match) => {
        expect(found.has(at)).toBe(false);
        found.set(at, match);
      });
      const alone = names.flatMap((text, i) => {
        const match = matchName(text.toLowerCase(), needle);
        return match === null ? [] : [[i, match.match] as const];
      });
      expect(new Map([...found].sort(([a], [b]) => a - b))).toEqual(new Map(alone));
    }),
    { numRuns: runs(500) },
  );
});

it('keeps names in lower case, and their lengths', async () => {
  const pool = await poolOf(['Foo', '', 'bar_BAZ']);
  expect([0, 1, 2].map((i) => pooledName(pool, i))).toEqual(['foo', '', 'bar_baz']);
  expect([0, 1, 2].map((i) => nameLength(pool, i))).toEqual([3, 0, 7]);
});

it('keeps long names, and many', async () => {
  const names = [
    'A'.repeat(70_000),
    ...Array.from({ length: 3000 }, (_, i) => `${'n'.repeat(40)}É${i}`),
  ];
  const plain = names.map((name) => name.replace('É', 'E'));
  for (const all of [names, plain]) {
    const pool = await poolOf(all);
    expect(all.map((_, i) => pooledName(pool, i))).toEqual(all.map((name) => name.toLowerCase()));
  }
});

it('never takes two names for one', async () => {
  const pool = await poolOf(['ab', 'cd', 'a\0b']);
  const found: number[] = [];
  for (const needle of ['bc', 'b\0c', 'a\0']) searchPool(pool, needle, (at) => found.push(at));
  expect(found).toEqual([]);
});

it('prefers runs that begin with words', async () => {
  const pool = await poolOf(['vgastate', 'vm_area_struct']);
  const breaks: number[] = [];
  searchPool(pool, 'vas', (at, match, count) => {
    expect(match).toBe(Match.STARTS);
    breaks[at] = count;
  });
  expect(breaks).toEqual([1, 0]);
});

it('is not stopped by names made to be tried for ever', SOON, async () => {
  const names = Array.from({ length: 3000 }, (_, i) => `${'tas'.repeat(20)}${i}`);
  const pool = await poolOf(names);
  searchPool(pool, 'tatatatasz', () => undefined);
  searchPool(pool, 'ttttaaaass', () => undefined);
});

import fc from 'fast-check';
import { expect, it } from 'vitest';
import { typeId } from '#model/ids.ts';
import { btfBlob } from '#testing/btf-blob.ts';
import { ptr, struct } from '#testing/btf-types.ts';
import { runs } from '#testing/runs.ts';
import { tableOf } from '#testing/type-table.ts';
import { type GraphAction, openParamOf, parseOpen, withAction, withoutAction } from './grow.ts';

/** Types: [1] struct a, [2] struct "b,-c", [3] a *, [4] struct a again. */
const t = tableOf(
  btfBlob({ types: [struct('a', 4, []), struct('b,-c', 4, []), ptr(1), struct('a', 8, [])] }).bytes,
);

const anyAction: fc.Arbitrary<GraphAction> = fc.record({
  verb: fc.constantFrom('expand', 'fold', 'rows', 'referrer', 'passed', 'root'),
  type: fc.integer({ min: 1, max: 4 }).map((id) => typeId(id)),
});

it('writes names that separate, ordinals and types without a name', () => {
  const open = [1, 2, 3, 4].reduce(
    (text, id) => withAction(t, text, { verb: 'expand', type: typeId(id) }),
    '',
  );
  expect(open).toBe('struct:a,struct:b%2C-c,ptr:~0,struct:a~1');
  expect(parseOpen(t, open).map(({ type }) => type)).toEqual([1, 2, 3, 4]);
});

it('reads back what it wrote last', () => {
  fc.assert(
    fc.property(fc.array(anyAction), anyAction, (actions, last) => {
      const before = actions.reduce((text, action) => withAction(t, text, action), '');
      const after = withAction(t, before, last);
      const isUndone = after.length < before.length;
      const read = parseOpen(t, after);
      if (!isUndone) expect(read).toContainEqual(last);
      expect(parseOpen(t, withoutAction(t, after, last))).not.toContainEqual(last);
    }),
  );
});

it('cancels an action and its reverse, keeps one root, and each action once', () => {
  const expand = { verb: 'expand', type: typeId(1) } as const;
  const open = withAction(t, 'struct:b%2C-c', expand);
  expect(withAction(t, open, { verb: 'fold', type: typeId(1) })).toBe('struct:b%2C-c');
  expect(withAction(t, open, expand)).toBe(open);
  expect(withAction(t, `@struct:a~1,${open}`, { verb: 'root', type: typeId(2) })).toBe(
    `@struct:b%2C-c,${open}`,
  );
});

it('leaves out what names no type, whatever the text', () => {
  expect(parseOpen(t, 'struct:zzz,,-,@,nothing:a,struct:%E0%A4%A,struct:a')).toEqual([
    { verb: 'expand', type: 1 },
  ]);
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (text) => {
      expect(parseOpen(t, text).every(({ type }) => type <= 4)).toBe(true);
    }),
    { numRuns: runs(50) },
  );
});

it('is bounded: the oldest actions go, the root stays', () => {
  const many = tableOf(
    btfBlob({ types: Array.from({ length: 100 }, (_, i) => struct(`s${i}`, 4, [])) }).bytes,
  );
  const open = openParamOf(
    many,
    Array.from({ length: 100 }, (_, i) => i + 1),
  );
  const read = parseOpen(many, open);
  expect(read).toHaveLength(64);
  expect(read[0]).toEqual({ verb: 'root', type: 1 });
  expect(read.at(-1)).toEqual({ verb: 'expand', type: 100 });
  expect(openParamOf(many, [])).toBe('');
  expect(openParamOf(many, [3, 2])).toBe('@struct:s2,struct:s2,struct:s1');
});

import { describe, expect, it } from 'vitest';
import { type AccessPath, walkAccess } from '#analysis/core/access-path.ts';
import { typeId } from '#model/ids.ts';
import { typesOf } from '#testing/access-types.ts';
import { int, struct, union } from '#testing/btf-types.ts';
import { departsAt, targetStepOf } from './path-lanes.ts';

const field = (name: string, type: number, bitOffset = 0) => ({ name, type, bitOffset });

/** `p->inner.a`, plain. */
async function plain(): Promise<AccessPath> {
  const t = await typesOf(
    int('int', 4),
    struct('inner', 4, [field('a', 1)]),
    struct('s', 8, [field('x', 1), field('inner', 2, 32)]),
  );
  return walkAccess(t, typeId(3), '0:1:0', 0);
}

/** The same with members without a name before each of the two names, and all of it eight bytes further. */
async function nested(): Promise<AccessPath> {
  const t = await typesOf(
    int('int', 4),
    union('', 4, [field('a', 1)]),
    struct('inner', 4, [field('', 2)]),
    struct('', 4, [field('inner', 3)]),
    struct('s', 16, [field('x', 1), field('y', 1, 32), field('', 4, 64)]),
  );
  return walkAccess(t, typeId(5), '0:2:0:0:0', 0);
}

describe('targetStepOf', () => {
  it('goes by names, over members without one on either side', async () => {
    const [short, long] = [await plain(), await nested()];
    expect([0, 1, 2].map((at) => targetStepOf(short, long, at))).toEqual([0, 2, 4]);
    expect([0, 1, 2, 3, 4].map((at) => targetStepOf(long, short, at))).toEqual([0, 1, 1, 2, 2]);
    expect([0, 1, 2, 3, 4].map((at) => targetStepOf(long, long, at))).toEqual([0, 1, 2, 3, 4]);
  });

  it('is nowhere behind the end of the target’s path', async () => {
    const path = await plain();
    const cut = { ...path, steps: path.steps.slice(0, 2) };
    expect(targetStepOf(path, cut, 2)).toBeNull();
    expect(targetStepOf(path, path, 9)).toBeNull();
  });
});

describe('departsAt', () => {
  it('is where the first index or bit differs', async () => {
    const [short, long] = [await plain(), await nested()];
    expect(departsAt(short, long)).toBe(1);
    expect(departsAt(short, await plain())).toBeNull();
    expect(departsAt(short, { ...short, steps: short.steps.slice(0, 1) })).toBe(1);
  });
});

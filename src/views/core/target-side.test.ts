import { describe, expect, it } from 'vitest';
import { type AccessPath, walkAccess } from '#analysis/core/parse-spec.ts';
import { resolveObject } from '#analysis/core/resolve.ts';
import { typeId } from '#model/ids.ts';
import { typesOf } from '#testing/access-types.ts';
import { enumeration, int, ptr, struct, type TypeRecord, union } from '#testing/btf-types.ts';
import { type CoreCase, coreObject, targetOfBlob, typesOfBlob } from '#testing/core-cases.ts';
import { resolvedSample } from '#testing/resolved-sample.ts';
import { departsAt, targetSide, targetStepOf } from './target-side.ts';

const I = int('int', 4);
const field = (name: string, type: number, bitOffset = 0) => ({ name, type, bitOffset });
const local = [I, struct('in', 4, [field('b', 1)]), struct('s', 8, [field('a', 2, 32)])];
const B: CoreCase = { kind: 0, root: 3, accessStr: '0:0:0', value: 4n };

/** Returns the path of one side as a line of text. */
function side(target: readonly TypeRecord[], given: CoreCase = B, types = local): string | null {
  const kernel = targetOfBlob(target);
  const [result] = resolveObject(coreObject(typesOfBlob(types), [given]), kernel);
  const found = result && targetSide(result, kernel);
  if (!found) return null;
  return `${found.root} ${found.path?.spec ?? '-'}${found.miss === null ? '' : ` ${found.miss.why}`}`;
}

describe('targetSide', () => {
  it('is the path that was found, members without a name among its indices', () => {
    const target = [I, struct('in', 4, [field('b', 1)]), struct('', 4, [field('a', 2)])];
    expect(side([...target, struct('s', 16, [field('', 3, 64)])])).toBe(
      '4 struct s.a.b (0:0:0:0 @ offset 8)',
    );
  });

  it('goes as far as the search did without a match', () => {
    const in2 = struct('in', 4, [field('c', 1)]);
    expect(side([I, in2, struct('s', 8, [field('a', 2, 32)])])).toBe(
      '3 struct s.a (0:0 @ offset 4) no-member',
    );
    // The path ends with the member that does not match.
    expect(side([I, ptr(1), struct('s', 8, [field('a', 2)])])).toMatch(/incompatible$/);
  });

  it('is empty without a candidate or a target', () => {
    expect(side([I])).toBeNull();
    expect(side(local, { kind: 6, root: 3, accessStr: '0', value: 3n })).toBeNull();
  });

  it('is the first of two that match and differ', () => {
    const two = [I, struct('in', 4, [field('b', 1)])];
    const at = (bit: number, name: string) => struct(name, 16, [field('a', 2, bit)]);
    expect(side([...two, at(0, 's'), at(64, 's___v2')])).toBe('3 struct s.a.b (0:0:0 @ offset 0)');
  });

  it('is the type of a question about types, and the enumerator', () => {
    expect(side(local, { kind: 8, root: 3, accessStr: '0', value: 1n })).toBe('3 struct s');
    const e = (value: number) => [enumeration('e', [['V', value]])];
    const asked = { kind: 11, root: 1, accessStr: '0', value: 1n };
    expect(side(e(5), asked, e(1))).toBe('1 enum e::V = 5');
  });

  it('selects the same bit as the resolver, for every record of an example', async () => {
    const { results, target } = await resolvedSample('exec_trace.bpf.o', 'kernel.btf');
    let whole = 0;
    for (const result of results) {
      const found = targetSide(result, target);
      if (found === null || found.miss !== null) continue;
      expect(found.path?.error).toBeNull();
      expect(Number(found.path?.bitOffset)).toBe(result.targetSpec?.bitOffset);
      whole++;
    }
    expect(whole).toBeGreaterThan(25);
  });
});

const fieldPath = (name: string, type: number, bitOffset = 0) => ({ name, type, bitOffset });

/** Returns the path of `p->inner.a`, without anonymous members. */
async function plain(): Promise<AccessPath> {
  const t = await typesOf(
    int('int', 4),
    struct('inner', 4, [fieldPath('a', 1)]),
    struct('s', 8, [fieldPath('x', 1), fieldPath('inner', 2, 32)]),
  );
  return walkAccess(t, typeId(3), '0:1:0', 0);
}

/** Returns the path of `p->inner.a` with anonymous members and an offset 8 bytes higher. */
async function nested(): Promise<AccessPath> {
  const t = await typesOf(
    int('int', 4),
    union('', 4, [fieldPath('a', 1)]),
    struct('inner', 4, [fieldPath('', 2)]),
    struct('', 4, [fieldPath('inner', 3)]),
    struct('s', 16, [fieldPath('x', 1), fieldPath('y', 1, 32), fieldPath('', 4, 64)]),
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

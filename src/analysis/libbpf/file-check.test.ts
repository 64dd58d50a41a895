import { describe, expect, it } from 'vitest';
import { typeId } from '#model/ids.ts';
import { recordSpan } from '#model/type-table.ts';
import { btfBlob } from '#testing/btf-blob.ts';
import { int } from '#testing/btf-types.ts';
import { openCheck } from '#testing/open-check.ts';
import { sampleBytes, sampleModel } from '#testing/samples.ts';
import { checkedType, checkSpan } from './file-check.ts';

async function check(name: string, bytes: Uint8Array = sampleBytes(name), baseName?: string) {
  const base = baseName === undefined ? null : (await sampleModel(baseName)).types;
  return openCheck(name, bytes, base);
}

describe('an object straight from the compiler', () => {
  it('is refused as it is stored and accepted as libbpf loads it', async () => {
    const { check: found } = await check('exec_trace.bpf.o');
    expect(found.stored.verdict.kernel).toMatchObject({ verdict: 'refused', word: 'size == 0' });
    expect(found.loaded?.verdict.kernel).toEqual({ verdict: 'ok' });
    expect(found.loaded?.rewrites.length).toBeGreaterThan(3);
  });

  it('has the problems of its sections in the records of their types', async () => {
    const { model, check: found } = await check('kinds.bpf.o');
    const { types } = model;
    const problems = found.stored.verdict.problems.filter(({ word }) => word === 'size == 0');
    expect(problems.length).toBeGreaterThan(3);
    for (const problem of problems) {
      const span = checkSpan(found, found.stored, problem);
      const type = checkedType(found, types, problem.typeId);
      if (types === null || type === null || span === null) throw new Error('no place');
      const record = recordSpan(types, type);
      expect(span.start).toBeGreaterThanOrEqual(record?.start ?? Number.POSITIVE_INFINITY);
      expect(span.end).toBeLessThanOrEqual(record?.end ?? 0);
    }
  });

  it('has no bytes in the file for what libbpf appends', async () => {
    const { check: found } = await check('externs.bpf.o');
    const added = found.loaded?.rewrites.filter(
      (rewrite) => found.loaded && checkSpan(found, found.loaded, rewrite) === null,
    );
    expect(added?.map(({ after }) => after)).toContain('VAR dummy_ksym');
  });
});

describe('a raw blob', () => {
  it('has no loader, and is judged with what follows its strings', async () => {
    const { bytes } = btfBlob({ types: [int('int', 4)] });
    const alone = (await check('a.btf', bytes)).check;
    expect([alone.loaded, alone.stored.verdict.kernel]).toEqual([null, { verdict: 'ok' }]);
    const longer = new Uint8Array(bytes.length + 4);
    longer.set(bytes);
    const { check: found } = await check('a.btf', longer);
    expect(found.size).toBe(longer.length);
    expect(found.stored.verdict.kernel).toMatchObject({ word: 'Unsupported section found' });
  });
});

describe('split BTF', () => {
  it('is judged on its base, and its types are found by the ids that it has there', async () => {
    const alone = (await check('module.btf')).check;
    expect(alone.stored.verdict.kernel).toMatchObject({ word: 'Invalid string section' });
    const { model, check: found } = await check('module.btf', undefined, 'kernel.btf');
    expect(found.stored.verdict.kernel).toEqual({ verdict: 'ok' });
    expect(found.onBase).toBe(true);
    const first = model.types?.firstId ?? 0;
    expect(found.firstId).toBe(first);
    expect(checkedType(found, model.types, first)).toBe(first);
    expect(checkedType(found, model.types, first - 1)).toBeNull();
    expect(checkedType(found, model.types, first + 1000)).toBeNull();
  });

  it('with a distilled base is judged as it is stored, also where its types were moved', async () => {
    const { check: stored } = await check('module.distilled.ko');
    const { model, check: moved } = await check('module.distilled.ko', undefined, 'kernel.btf');
    expect(moved).toEqual(stored);
    expect(moved.stored.verdict.kernel).toEqual({ verdict: 'ok' });
    const { types } = model;
    expect(types?.firstId).not.toBe(moved.firstId);
    expect(checkedType(moved, types, moved.firstId)).toBe(typeId(types?.firstId ?? 0));
  });
});

it('judges .BTF without readable types, but not as a loader', async () => {
  const bytes = sampleBytes('kinds.bpf.o');
  const whole = await check('kinds.bpf.o');
  bytes[(whole.check.fileOffset ?? 0) + 8] = 1;
  const { model, check: found } = await check('kinds.bpf.o', bytes);
  expect(model.types).toBeNull();
  expect(found.loaded).toBeNull();
  expect(found.stored.verdict).toMatchObject({
    kernel: { verdict: 'refused', word: 'Unsupported section found' },
    libbpf: { verdict: 'refused' },
  });
});

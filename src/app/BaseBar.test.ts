import { expect, it } from 'vitest';
import type { SplitBase } from '#model/split-base.ts';
import { sampleModel } from '#testing/samples.ts';
import { baseText, candidateLabel, needsText } from './BaseBar.tsx';

async function splitBaseOf(name: string): Promise<SplitBase> {
  const { splitBase } = await sampleModel(name);
  if (splitBase === null) throw new Error(`${name} is no split BTF`);
  return splitBase;
}

async function kernel() {
  const { types } = await sampleModel('kernel.btf');
  if (types === null) throw new Error('the kernel has no types');
  return { fileId: 1, name: 'kernel.btf', types };
}

it('states the requirements of the base, and how sure they are', async () => {
  const { types } = await kernel();
  const strLen = types.strEnd - types.strStart;
  const split = await splitBaseOf('module.btf');
  expect(needsText(split).replaceAll('\u202f', '')).toBe(
    `This is split BTF. It needs ${types.count} base types and ${strLen} bytes of base strings.`,
  );
  const unknown = { value: 9, sure: 'unknown' } as const;
  expect(needsText({ ...split, needs: { typeCount: unknown, strLen: unknown } })).toContain(
    'at least 9 base types and at least 9 bytes',
  );
  expect(needsText(await splitBaseOf('module.distilled.ko'))).toContain(
    'a distilled base of its own',
  );
});

it('names the base in use, and whether an open file fits', async () => {
  const base = await kernel();
  expect(baseText(base)).toMatch(/^Split BTF on the base kernel\.btf: 82 types, \d/);
  expect(candidateLabel({ base, fit: 'waiting', refusal: null })).toBe('kernel.btf');
  expect(candidateLabel({ base, fit: 'fits', refusal: null })).toBe('kernel.btf fits (82 types)');
  expect(candidateLabel({ base, fit: 'refused', refusal: null })).toBe(
    'kernel.btf does not fit (82 types)',
  );
});

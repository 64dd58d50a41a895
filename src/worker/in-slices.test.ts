import { afterEach, describe, expect, it, vi } from 'vitest';
import { compareTables } from '#analysis/compare/compare-tables.ts';
import { typeLabel } from '#analysis/compare/comparison-text.ts';
import { duplicateTypes } from '#analysis/compare/duplicates.ts';
import { inSlices, type Progress } from '#bytes/long-work.ts';
import { sampleModel } from '#testing/samples.ts';

async function typesOf(name: string) {
  const { types } = await sampleModel(name);
  if (types === null) throw new Error(`${name} has types`);
  return types;
}

/** Makes the clock advance one second per call, so that every step ends its slice. */
function hurry() {
  let now = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => (now += 1000));
}

describe('comparing in slices', () => {
  afterEach(() => {
    vi.restoreAllMocks();
  });

  it('reports progress, and gives the whole', async () => {
    const [types, other] = [await typesOf('kernel.btf'), await typesOf('kernel.btf')];
    const seen: Progress[] = [];
    hurry();
    const whole = await inSlices(compareTables(types, other), {
      signal: new AbortController().signal,
      onProgress: (progress) => seen.push(progress),
    });
    expect(whole.count).toBe(0);
    expect(whole.same).toBe(whole.totals.a);
    expect(whole.same).toBeGreaterThan(20);
    expect(seen.length).toBeGreaterThan(1);
    for (const { done, total } of seen) expect(done).toBeLessThanOrEqual(total);
  });

  it('ends when it is cancelled', async () => {
    const [types, other] = [await typesOf('kernel.btf'), await typesOf('kinds.btf')];
    const controller = new AbortController();
    hurry();
    const outcome = inSlices(compareTables(types, other), {
      signal: controller.signal,
      onProgress: () => controller.abort(),
    });
    await expect(outcome).rejects.toThrow(/abort/i);
  });

  it('finds types that share a name', async () => {
    const types = await typesOf('kinds.btf');
    const context = { signal: new AbortController().signal, onProgress: () => undefined };
    for (const { first, others } of await inSlices(duplicateTypes(types), context)) {
      for (const { id } of others) expect(typeLabel(types, id)).toBe(typeLabel(types, first));
    }
  });
});

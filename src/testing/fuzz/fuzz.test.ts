/** Tests the mutations of the fuzzer, and runs its targets on valid inputs. */
import { describe, expect, it } from 'vitest';
import { openModel } from '#testing/open-model.ts';
import { sampleBytes } from '#testing/samples.ts';
import { readWord, writeWord } from './byte-mutations.ts';
import { mutate, type StoredInput } from './mutate.ts';
import { randomFrom } from './random.ts';
import { rebuiltBlob, withBlob } from './rebuild-btf.ts';
import { structureOf } from './structure.ts';
import { targetsOn } from './targets.ts';

const sample = sampleBytes('layout.bpf.o');
const kernel = sampleBytes('kernel.btf');

describe('mutations', () => {
  it('are equal for equal seeds', async () => {
    const inputs = async (seed: number) => {
      const random = randomFrom(seed);
      const kept: StoredInput = { bytes: sample };
      const made = [];
      for (let i = 0; i < 20; i++) made.push(await mutate('file', kept, kept, random));
      return made;
    };
    expect(await inputs(1)).toEqual(await inputs(1));
    expect(await inputs(1)).not.toEqual(await inputs(2));
  });

  it('leave the stored input unchanged', async () => {
    const bytes = sample.slice();
    const random = randomFrom(3);
    for (const form of ['file', 'bytes', 'text'] as const) {
      for (let i = 0; i < 50; i++) await mutate(form, { bytes }, { bytes }, random);
    }
    expect(bytes).toEqual(sample);
  });

  it.each([
    [1, true],
    [2, false],
    [4, true],
    [4, false],
  ])('write a word of %d bytes as it is read', (width, little) => {
    const bytes = new Uint8Array(8);
    writeWord(bytes, 2, width, little, 0x81);
    expect(readWord(bytes, 2, width, little)).toBe(0x81);
    expect(bytes.filter((byte) => byte !== 0)).toHaveLength(1);
  });

  it('find the numbers, records and names of an object', async () => {
    const model = await openModel('layout.bpf.o', sample);
    const { numbers, records, strings } = structureOf(model, sample);
    expect(numbers.length).toBeGreaterThan(500);
    expect(records.length).toBeGreaterThan(50);
    expect(strings.length).toBeGreaterThan(20);
    for (const { start, end } of [...numbers, ...records, ...strings]) {
      expect(start).toBeLessThan(end);
      expect(end).toBeLessThanOrEqual(sample.length);
    }
  });

  it('put BTF with mutated records into an object', async () => {
    const model = await openModel('layout.bpf.o', sample);
    const { types } = model;
    if (types === null) throw new Error('the sample has no types');
    const whole = await openModel(
      'x',
      withBlob(model, sample, rebuiltBlob(types, randomFrom(1), 0)),
    );
    expect(whole.types?.count).toBe(types.count);
    const changed = new Set<number | undefined>();
    for (let seed = 0; seed < 20; seed++) {
      const blob = rebuiltBlob(types, randomFrom(seed), 4);
      changed.add((await openModel('x', withBlob(model, sample, blob))).types?.count);
    }
    expect(changed.size).toBeGreaterThan(2);
  });
});

describe('targets', async () => {
  const targets = [...(await targetsOn(kernel))];

  it.each(targets)('%s: runs on samples and on mutated samples', async (_name, target) => {
    const random = randomFrom(5);
    const samples = ['layout.bpf.o', 'xdp_counter.be.bpf.o', 'alpha_bits.ecoff', 'kinds_2026.btf'];
    const steps = new Set<string>();
    for (const name of samples) {
      const bytes = sampleBytes(name);
      await target.run(bytes, (step) => steps.add(step));
      for (let i = 0; i < 3; i++) {
        await target.run(await mutate(target.form, { bytes }, { bytes }, random), () => undefined);
      }
    }
    expect(steps.size).toBeGreaterThan(0);
  });
});

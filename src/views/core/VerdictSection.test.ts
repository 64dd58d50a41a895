import { describe, expect, it } from 'vitest';
import { resolveObject } from '#analysis/core/resolve.ts';
import { traceLines } from '#analysis/core/trace-text.ts';
import { int, ptr, struct, type TypeRecord } from '#testing/btf-types.ts';
import { type CoreCase, coreObject, targetOfBlob, typesOfBlob } from '#testing/core-cases.ts';
import { resolvedSample } from '#testing/resolved-sample.ts';
import { traceGroups } from './VerdictSection.tsx';

const I = int('int', 4);
const local = [I, struct('s', 8, [{ name: 'a', type: 1, bitOffset: 32 }])];

function groups(target: readonly TypeRecord[], given: Partial<CoreCase> = {}) {
  const types = typesOfBlob(local);
  const kernel = targetOfBlob(target);
  const object = coreObject(types, [{ kind: 0, root: 2, accessStr: '0:0', value: 4n, ...given }]);
  const [result] = resolveObject(object, kernel, { trace: () => true });
  if (result === undefined) throw new Error('there is one record');
  return traceGroups(result, types, kernel);
}

const marks = (...given: Parameters<typeof groups>) => groups(...given).map(({ mark }) => mark);

describe('traceGroups', () => {
  it('puts the details of a comparison under what came of it', () => {
    const found = groups(local);
    const trial = found.find(({ details }) => details.length > 0);
    expect(trial?.text).toContain('Candidate 0 matches');
    expect(trial?.details.map(({ text }) => text)).toContain(
      'Member a is looked up in [2] struct s.',
    );
    expect(found.filter(({ details }) => details.length > 0)).toHaveLength(1);
  });

  it('marks where it is decided that the instruction goes', () => {
    const target = [I, struct('s', 4, [{ name: 'b', type: 1, bitOffset: 0 }])];
    expect(marks(target)).toContain('miss');
    expect(marks(target)).toContain('poison');
    expect(marks(target)).not.toContain('fault');
  });

  it('marks the step that fails, as the last one', () => {
    expect(marks(local, { value: 5n }).at(-1)).toBe('fault');
    expect(marks(local, { accessStr: '0:9' }).at(-1)).toBe('fault');
    const twice = [...local, struct('s___2', 8, [{ name: 'a', type: 1, bitOffset: 0 }])];
    expect(marks(twice)).toContain('fault');
    expect(marks([I, ptr(1), ...local.slice(1)])).not.toContain('fault');
  });

  it('omits only lines that are shown elsewhere', async () => {
    const { types, target, results } = await resolvedSample('exec_trace.bpf.o', 'kernel.btf');
    for (const result of results) {
      const drawn = traceGroups(result, types, target);
      const left = result.steps.filter(({ step }) => step === 'candidate' || step === 'result');
      const all = drawn.reduce((sum, { details }) => sum + 1 + details.length, left.length);
      expect(all).toBe(traceLines(result, types, target).length);
    }
  });
});

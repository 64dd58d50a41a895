import { beforeAll, describe, expect, it } from 'vitest';
import { targetOf } from '#analysis/core/candidates.ts';
import { coreKindName } from '#analysis/core/core-kinds.ts';
import { coreObjectOf } from '#analysis/core/core-records.ts';
import { type CoreResult, resolveObject } from '#analysis/core/resolve.ts';
import type { TypeTable } from '#model/type-table.ts';
import { sampleModel, sampleObject } from '#testing/samples.ts';
import { checkValue } from './check-value.ts';

let results: readonly CoreResult[];
let types: TypeTable;

beforeAll(async () => {
  const { model, source } = await sampleObject('exec_trace.bpf.o');
  const file = await source.read(0, source.size);
  const kernel = (await sampleModel('kernel.btf')).types;
  const object = coreObjectOf(model, (section) => {
    const start = model.sections.fileOffset[section] ?? 0;
    return file.subarray(start, start + (model.sections.byteLength[section] ?? 0));
  });
  if (kernel === null || object === null) throw new Error('no types or no records');
  types = kernel;
  results = resolveObject(object, targetOf('kernel.btf', kernel));
});

/** Returns the first result of the relocation kind `kind` for which `holds` returns true. */
function resultOf(kind: string, holds: (result: CoreResult) => boolean = () => true): CoreResult {
  const found = results.find(
    (result) => coreKindName(result.record.kind) === kind && holds(result),
  );
  if (found === undefined) throw new Error(`no ${kind}`);
  return found;
}

const isChanged = ({ decision }: CoreResult) =>
  decision !== null && !decision.poison && decision.newVal !== decision.origVal;
const check = (typed: string, result: CoreResult) => checkValue(typed, result, types, 'little');

describe('the offset of a field', () => {
  const tgid = () =>
    resultOf('byte_off', (r) => isChanged(r) && r.localSpec?.includes('tgid') === true);

  it('is taken as a number of either base', () => {
    expect(check('92', tgid())).toEqual({ isRight: true, why: '92, or 0x5c.' });
    expect(check(' 0x5C ', tgid()).isRight).toBe(true);
  });

  it.each([
    ['12', '12 is what the object holds before it is relocated.'],
    ['736', 'That is 8 times the answer: bits instead of bytes?'],
    ['4', '4 is the size of the field there; the question asks for another value.'],
    ['88', '88 is that of pid, a neighbouring one.'],
    ['poison', expect.stringMatching(/^It is not poisoned there: /)],
    ['195896080', 'That is the call of a poisoned instruction; this one has a value.'],
    ['twelve', 'That is not a number; write 24 or 0x18.'],
    ['100000', '100000 is too large.'],
  ])('%s is explained', (typed, why) => {
    expect(check(typed, tgid())).toEqual({ isRight: false, why });
  });

  it('is checked without the types of the target', () => {
    expect(checkValue('88', tgid(), null, 'little').why).toBe('88 is too small.');
  });
});

it('explains the value of another enumerator', () => {
  const result = resultOf('enumval_value', isChanged);
  const explanations = Array.from({ length: 20 }, (_, value) => check(`${value}`, result).why);
  expect(explanations.some((why) => why.endsWith('a neighbouring one.'))).toBe(true);
});

it('takes poison as the answer of a poisoned record', () => {
  const result = resultOf('byte_off', ({ status }) => status === 'poisoned');
  for (const typed of ['poison', 'Poisoned', '0xbad2310', '195896080']) {
    expect(check(typed, result)).toEqual({
      isRight: true,
      why: expect.stringMatching(/^It is poisoned: .{10}/),
    });
  }
  expect(check(`${result.decision?.origVal}`, result).why).toMatch(/before it is relocated/);
  expect(check('7', result)).toMatchObject({ isRight: false });
});

it('never throws, whatever is typed', () => {
  for (const result of results) {
    for (const typed of ['', '-', '0x', '1_0', '__', '-0x5', '9'.repeat(400), '\0']) {
      expect(typeof check(typed, result).why).toBe('string');
    }
  }
});

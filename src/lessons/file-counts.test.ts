import { expect, it } from 'vitest';
import { sampleModel } from '#testing/samples.ts';
import { COUNTED, checkCount, countIn } from './check-value.ts';

it('counts what readelf and bpftool count', async () => {
  const model = await sampleModel('exec_trace.bpf.o');
  expect(Object.fromEntries(COUNTED.map((what) => [what, countIn(model, what)]))).toEqual({
    sections: 19,
    symbols: 17,
    programs: 3,
    types: 78,
    variables: 7,
    relocations: 169,
    core: 34,
  });
});

it('takes a count, and names another count with the wrong value', async () => {
  const model = await sampleModel('exec_trace.bpf.o');
  expect(checkCount('34', model, 'core').isRight).toBe(true);
  expect(checkCount('0x22', model, 'core').isRight).toBe(true);
  expect(checkCount('169', model, 'core')).toEqual({
    isRight: false,
    why: '169 is the number of ELF relocations.',
  });
  expect(checkCount('35', model, 'core').why).toBe('35 is too large.');
});

it('is 0 for parts that a file does not have', async () => {
  const blob = await sampleModel('kinds.btf');
  expect(countIn(blob, 'programs')).toBe(0);
  expect(checkCount('0', blob, 'core')).toMatchObject({ isRight: true });
  expect(checkCount('0', blob, 'core').why).toContain('This file has none.');
  expect(checkCount('3', blob, 'core').isRight).toBe(false);
});

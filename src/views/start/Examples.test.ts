import { describe, expect, it } from 'vitest';
import type { Sample } from '#store/session/samples.ts';
import { ecoffSamples, sampleCounts, samplesIn, shortTitle } from './Examples.tsx';

const sample: Sample = {
  file: 'core.bpf.o',
  title: 'CO-RE',
  about: 'About it.',
  source: 'src/core.bpf.c',
  base: null,
  kernels: [],
  endian: 'little',
  command: '',
  compiler: '',
  size: 1,
  sha256: '',
  types: 1,
  relocations: 1200,
  core: 15,
};
const big: Sample = { ...sample, title: 'CO-RE (big-endian)', endian: 'big' };

it('shows the examples of one byte order', () => {
  expect(samplesIn([sample, big, sample], 'little')).toEqual([sample, sample]);
  expect(samplesIn([sample, big], 'big')).toEqual([big]);
});

it('leaves out the kernels that another example brings', () => {
  const kernel: Sample = { ...sample, file: 'old.btf' };
  const object: Sample = { ...sample, kernels: ['old.btf'] };
  expect(samplesIn([object, kernel, sample], 'little')).toEqual([object, sample]);
});

it('keeps the objects of another format for themselves', () => {
  const alpha: Sample = { ...sample, file: 'alpha.ecoff' };
  expect(samplesIn([sample, alpha], 'little')).toEqual([sample]);
  expect(ecoffSamples([sample, alpha])).toEqual([alpha]);
});

it('leaves the byte order to the switch', () => {
  expect([sample, big].map(shortTitle)).toEqual(['CO-RE', 'CO-RE']);
});

describe('sampleCounts', () => {
  it('counts the relocations', () => {
    expect(sampleCounts(sample)).toEqual(['1 type', '1\u202f200 relocations', '15 CO-RE']);
  });

  it('leaves out what there is none of', () => {
    expect(sampleCounts({ ...sample, relocations: 0, core: 0 })).toEqual(['1 type']);
  });
});

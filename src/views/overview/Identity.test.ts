import { describe, expect, it } from 'vitest';
import { sectionIndex } from '#model/ids.ts';
import { elfObject } from '#testing/elf-object.ts';
import { openModel } from '#testing/open-model.ts';
import { sampleModel } from '#testing/samples.ts';
import {
  containerText,
  formatSentence,
  kernelSentence,
  splitSentence,
  typesSentence,
} from './Identity.tsx';

describe('formatSentence', () => {
  it.each([
    [{}, 'ELF64 relocatable object for BPF, little-endian'],
    [{ endian: 'big' }, 'ELF64 relocatable object for BPF, big-endian'],
    [{ header: { machine: 0 } }, 'ELF64 relocatable object, EM_NONE, little-endian'],
    [{ header: { type: 2 } }, 'ELF64 executable for BPF, little-endian'],
    [{ class: 32, header: { machine: 40 } }, 'ELF32 relocatable object for ARM, little-endian'],
  ] as const)('%j has a description', async (spec, words) => {
    const model = await openModel('a.o', elfObject(spec).bytes);
    expect(formatSentence(model)).toBe(words);
  });

  it('describes raw BTF, and split BTF', async () => {
    const raw = await sampleModel('kinds.btf');
    expect(formatSentence(raw)).toBe('Raw BTF, little-endian');
    const split = await sampleModel('module.btf');
    expect(formatSentence(split)).toBe('Raw BTF (split), little-endian');
  });
});

it('lists the compressions of a file, the outermost last', () => {
  expect(containerText([])).toBeNull();
  expect(containerText(['gzip'])).toBe('unpacked from gzip');
  expect(containerText(['gzip', 'xz'])).toBe('unpacked from xz in gzip');
});

describe('splitSentence', () => {
  it('has the size of the base', async () => {
    const kernel = await sampleModel('kernel.btf');
    const split = await sampleModel('module.btf');
    expect(splitSentence(split)).toContain(`${kernel.types?.count} types`);
    expect(splitSentence(split)).toMatch(/\.$/);
  });

  it('has no base for BTF that is not split, or none', async () => {
    expect(splitSentence(await sampleModel('kinds.btf'))).toBeNull();
    expect(splitSentence(await openModel('a.o', elfObject().bytes))).toBeNull();
  });

  it('needs no issue to say it', async () => {
    const split = await sampleModel('module.btf');
    expect(splitSentence({ ...split, issues: [] })).toContain('on a base of 82');
  });
});

it.each([
  ['vmlinux-6.12.117-amd64.btf', '6.12.117, amd64'],
  ['vmlinux-6.1.0-56-rt-amd64.btf.zst', '6.1.0, rt, amd64'],
  ['vmlinux', null],
  ['prog.bpf.o', null],
])('the name %s tells of the kernel: %j', (name, told) => {
  expect(kernelSentence(name)).toBe(told);
});

describe('typesSentence', () => {
  const dwarf = {
    section: sectionIndex(1),
    version: 5,
    producer: 'GNU C17 12.2.0 -O2 -g',
    languages: ['C'],
    unitCount: 1,
    debugFile: null,
    dieOffset: null,
    places: null,
    unitOffset: null,
  };

  it('tells whose the types are', async () => {
    const model = await sampleModel('kinds.bpf.o');
    const own = { ...dwarf, dieOffset: new Float64Array(1) };
    expect(typesSentence(model)).toBeNull();
    expect(typesSentence({ ...model, dwarf })).toBe('from BTF; DWARF 5 of C, GNU C17 12.2.0 too');
    expect(typesSentence({ ...model, dwarf: own })).toBe('from DWARF 5 of C, GNU C17 12.2.0');
    expect(typesSentence({ ...model, types: null, dwarf })).toBe(
      'none; DWARF 5 of C, GNU C17 12.2.0',
    );
  });
});

import { describe, expect, it } from 'vitest';
import { relocationTypes } from '#formats/elf/relocations/tables.ts';
import { kernelModule } from '#testing/kernel-module.ts';
import { openModel } from '#testing/open-model.ts';
import { isKernelModule, moduleLoaderAnswer } from './module-loader.ts';

const moduleOf = (machine: number) => openModel('test.ko', kernelModule(machine));

describe('moduleLoaderAnswer', () => {
  it.each([
    [62, 4, 'applied as PC32, without a check: there is no PLT'],
    [62, 9, 'refused (ENOEXEC): Unknown rela relocation: 9'],
    [183, 283, 'applied; out of reach, through an entry of the PLT of the module'],
    [183, 311, 'refused (ENOEXEC): unsupported RELA relocation: 311'],
    [243, 43, 'refused: modules are built without relaxation'],
    [243, 60, 'collected for each place, and written once with a check of the range'],
    [22, 26, 'applied, with an entry in the GOT of the module'],
    [22, 11, 'refused (ENOEXEC)'],
    [21, 10, /^applied; to an undefined symbol through a stub/],
  ])('machine %d, type %d', async (machine, number, words) => {
    const model = await moduleOf(machine);
    const type = relocationTypes(machine).get(number);
    if (type === undefined) throw new Error('no such type');
    const answer = moduleLoaderAnswer(model, type, 1, new Uint8Array(4));
    expect(answer?.words).toEqual(words instanceof RegExp ? expect.stringMatching(words) : words);
    expect(answer?.accepted).toBe(!answer?.words.startsWith('refused'));
    expect(moduleLoaderAnswer(model, type, 3, null)?.words).toBe(
      'ignored: the section is not loaded',
    );
  });

  it('refuses a place that is not 0 on x86-64', async () => {
    const model = await moduleOf(62);
    const type = relocationTypes(62).get(2);
    if (type === undefined) throw new Error('no such type');
    expect(moduleLoaderAnswer(model, type, 1, Uint8Array.of(0, 1, 0, 0))).toMatchObject({
      accepted: false,
      words: 'refused (ENOEXEC): the bytes of the place are not 0',
    });
  });

  it('knows modules by their section', async () => {
    expect(isKernelModule(await moduleOf(62))).toBe(true);
  });
});

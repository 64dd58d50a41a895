import { describe, expect, it } from 'vitest';
import { sectionIndex } from '#model/ids.ts';
import { u32 } from '#testing/assemble.ts';
import { btfBlob } from '#testing/btf-blob.ts';
import { func, funcProto } from '#testing/btf-types.ts';
import { type ElfSection, type ElfSymbol, elfObject } from '#testing/elf-object.ts';
import { openModel } from '#testing/open-model.ts';
import { functionAt, functionsOf } from './functions.ts';

const EXEC = 6;
const FUNC = 2;
const code = (name: string, slots: number): ElfSection => ({
  name,
  flags: EXEC,
  data: new Uint8Array(8 * slots).fill(0xb7),
});
const symbol = (name: string, slot: number, slots: number, rest: Partial<ElfSymbol> = {}) => ({
  name,
  value: 8 * slot,
  size: 8 * slots,
  type: FUNC,
  shndx: 'xdp',
  ...rest,
});

async function rangesOf(sections: readonly ElfSection[], symbols: readonly ElfSymbol[] = []) {
  const model = await openModel('f.o', elfObject({ sections, symbols }).bytes);
  return functionsOf(model).map((f) => [f.name, f.start / 8, f.end / 8]);
}

describe('functionsOf', () => {
  it('takes the symbols, in order of place', async () => {
    const symbols = [symbol('second', 3, 2), symbol('first', 0, 3)];
    expect(await rangesOf([code('xdp', 6)], symbols)).toEqual([
      ['first', 0, 3],
      ['second', 3, 5],
    ]);
  });

  it('extends a symbol without a size to the next one, and the last to the end', async () => {
    const symbols = [symbol('a', 0, 0), symbol('b', 2, 0)];
    expect(await rangesOf([code('xdp', 5)], symbols)).toEqual([
      ['a', 0, 2],
      ['b', 2, 5],
    ]);
  });

  it('keeps two names of the same start', async () => {
    const symbols = [symbol('a', 0, 0), symbol('alias', 0, 0), symbol('b', 2, 1)];
    expect(await rangesOf([code('xdp', 4)], symbols)).toEqual([
      ['a', 0, 2],
      ['alias', 0, 2],
      ['b', 2, 3],
    ]);
  });

  it('clips to the section and omits functions after its end', async () => {
    const symbols = [symbol('long', 1, 100), symbol('gone', 50, 1)];
    expect(await rangesOf([code('xdp', 4)], symbols)).toEqual([['long', 1, 4]]);
  });

  it('takes a section with neither symbols nor func_info as one function', async () => {
    expect(await rangesOf([code('xdp', 4)])).toEqual([['xdp', 0, 4]]);
  });

  it('uses func_info without symbols', async () => {
    const blob = btfBlob({
      strings: ['xdp'],
      types: [funcProto(0), func('one', 1), func('two', 1)],
    });
    const ext = [
      ...[0xeb9f | (1 << 16), 24, 0, 28, 28, 0].map((word) => u32(word)),
      ...[8, blob.stringOff('xdp'), 2, 0, 2, 16, 3].map((word) => u32(word)),
    ];
    const sections: ElfSection[] = [
      code('xdp', 5),
      { name: '.BTF', data: blob.bytes },
      { name: '.BTF.ext', data: ext },
    ];
    expect(await rangesOf(sections)).toEqual([
      ['one', 0, 2],
      ['two', 2, 5],
    ]);
  });

  it('distinguishes programs from the functions that they call', async () => {
    const symbols = [symbol('prog', 0, 2), symbol('helper', 0, 2, { shndx: '.text', bind: 0 })];
    const { bytes } = elfObject({
      sections: [code('.text', 2), code('xdp', 2)],
      symbols,
    });
    const functions = functionsOf(await openModel('f.o', bytes));
    expect(functions.map((f) => [f.name, f.isProgram, f.global])).toEqual([
      ['helper', false, false],
      ['prog', true, true],
    ]);
  });

  it('takes a lone function in .text as a subprogram, and code without a symbol as none', async () => {
    const symbols = [symbol('only', 0, 2, { shndx: '.text' })];
    for (const sections of [[code('.text', 2)], [code('.text', 2), code('xdp', 2)]]) {
      const { bytes } = elfObject({ sections, symbols });
      const functions = functionsOf(await openModel('f.o', bytes));
      expect(functions.map(({ isProgram }) => isProgram)).toEqual(sections.map(() => false));
    }
  });
});

describe('functionAt', () => {
  it('finds the function of every byte, and none between functions', async () => {
    const symbols = [symbol('a', 0, 2), symbol('b', 3, 1)];
    const model = await openModel('f.o', elfObject({ sections: [code('xdp', 5)], symbols }).bytes);
    const at = (offset: number) => functionAt(model, sectionIndex(1), offset)?.name ?? null;
    expect([0, 15, 16, 24, 31, 32].map(at)).toEqual(['a', 'a', null, 'b', 'b', null]);
  });
});

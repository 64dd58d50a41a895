import { describe, expect, it } from 'vitest';
import { sectionIndex } from '#model/ids.ts';
import { symbolName } from '#model/symbols.ts';
import { elfObject } from '#testing/elf-object.ts';
import { openModel } from '#testing/open-model.ts';
import { symbolAt } from './symbol-places.ts';

const OBJECT = 1;
const SECTION = 3;

async function namesAt(offsets: readonly number[]): Promise<(string | null)[]> {
  const symbols = [
    { name: '', type: SECTION, bind: 0, shndx: '.data' },
    { name: 'label', value: 8, bind: 0, shndx: '.data' },
    { name: 'first', value: 0, size: 8, type: OBJECT, shndx: '.data' },
    { name: 'second', value: 8, size: 4, type: OBJECT, shndx: '.data' },
    { name: 'end', value: 20, bind: 0, shndx: '.data' },
    { name: 'elsewhere', value: 16, size: 8, type: OBJECT, shndx: '.bss' },
  ];
  const data = { flags: 3, data: new Uint8Array(32) };
  const sections = [
    { name: '.data', ...data },
    { name: '.bss', ...data },
  ];
  const model = await openModel('s.o', elfObject({ sections, symbols }).bytes);
  return offsets.map((offset) => {
    const symbol = symbolAt(model, sectionIndex(1), offset);
    return symbol === null ? null : symbolName(model.symbols, symbol);
  });
}

describe('symbolAt', () => {
  it('finds the covering symbol, a variable before a label', async () => {
    expect(await namesAt([0, 7, 8, 11])).toEqual(['first', 'first', 'second', 'second']);
  });

  it('finds a label only at its offset', async () => {
    expect(await namesAt([12, 19, 20, 21, -1])).toEqual([null, null, 'end', null, null]);
  });
});

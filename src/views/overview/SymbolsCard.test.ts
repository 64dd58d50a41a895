import { describe, expect, it } from 'vitest';
import { symbolLabel } from '#analysis/formats/section-text.ts';
import { finish } from '#bytes/long-work.ts';
import { symbolIndex } from '#model/ids.ts';
import { elfObject } from '#testing/elf-object.ts';
import { openModel } from '#testing/open-model.ts';
import type { SortOrder } from '#ui/table-settings.ts';
import { symbolRowSteps } from './SymbolsCard.tsx';

const { bytes } = elfObject({
  sections: [{ name: 'xdp', flags: 6, data: new Uint8Array(32) }],
  symbols: [
    { name: '', type: 3, bind: 0, shndx: 'xdp' },
    { name: 'late', type: 2, value: 16, size: 16, shndx: 'xdp' },
    { name: 'Early', type: 2, size: 16, shndx: 'xdp' },
    { name: 'counter', type: 1, value: 8, size: 4, other: 2 },
  ],
});

async function names(query: string, order: SortOrder | null): Promise<readonly string[]> {
  const model = await openModel('a.o', bytes);
  const rows = finish(symbolRowSteps(model, query, order));
  return Array.from(rows, (row) => symbolLabel(model, symbolIndex(row)));
}

describe('rows of symbols', () => {
  it('are in the order of the file, section symbols by the name of their section', async () => {
    expect(await names('', null)).toEqual(['', 'xdp', 'late', 'Early', 'counter']);
  });

  it('are those with the text in their name, in any case', async () => {
    expect(await names(' L', null)).toEqual(['late', 'Early']);
    expect(await names('xd', null)).toEqual(['xdp']);
    expect(await names('none', null)).toEqual([]);
  });

  it('are sorted by value, size or name; equal ones stay as in the file', async () => {
    const by = (columnId: string, direction: SortOrder['direction'] = 'descending') =>
      names('', { columnId, direction });
    expect(await by('value')).toEqual(['late', 'counter', '', 'xdp', 'Early']);
    expect(await by('size', 'ascending')).toEqual(['', 'xdp', 'counter', 'late', 'Early']);
    expect(await by('name', 'ascending')).toEqual(['', 'Early', 'counter', 'late', 'xdp']);
  });
});

import { describe, expect, it } from 'vitest';
import { sampleModel } from '#testing/samples.ts';
import { coreRowReader, filterRecords, kindCounts, valueText } from './core-rows.ts';

describe('rows of the table', () => {
  it('filter by every word of the query, in any of the columns', async () => {
    const model = await sampleModel('doc_core.bpf.o');
    const read = coreRowReader(model);
    const found = (filter: string, kinds: readonly number[] = []) => [
      ...filterRecords(model, read, filter, new Set(kinds)),
    ];
    expect(found('')).toHaveLength(15);
    expect(found('alpha')).toEqual([0, 1]);
    expect(found('BAR enumval_value')).toEqual([14]);
    expect(found('p->c', [5])).toEqual([7]);
    expect(found('', [8, 9])).toEqual([8, 9]);
    expect(found('alpha bravo')).toEqual([]);
  });

  it('count kinds by their number', async () => {
    const model = await sampleModel('doc_core.bpf.o');
    expect(kindCounts(model).slice(0, 2)).toEqual([
      { kind: 0, count: 3 },
      { kind: 1, count: 1 },
    ]);
  });

  it('read values as libbpf prints them', () => {
    expect(valueText(0xfffffffffffffffen)).toBe('18446744073709551614 (-2 with a sign)');
    expect(valueText(60n)).toBe('60');
  });
});

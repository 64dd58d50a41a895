import { describe, expect, it } from 'vitest';
import { cellText, isNumeric, queryCsv, queryJson } from './query-text.ts';

const RESULT = {
  columns: [
    { name: 'name', values: ['=1+2', 'a,b', 'plain', null], goals: null },
    { name: 'size', values: [8, null, 2n ** 60n, 0], goals: null },
    { name: 'kfunc', values: [true, false, null, true], goals: null },
  ],
  count: 4,
};
const NOTHING = { columns: [{ name: 'name', values: [], goals: null }], count: 0 };

describe('the result of a query', () => {
  it('is CSV without formulas, with an empty field for a missing value', () => {
    expect([...queryCsv(RESULT)].join('')).toBe(
      'name,size,kfunc\r\n\'=1+2,8,true\r\n"a,b",,false\r\nplain,1152921504606846976,\r\n,0,true\r\n',
    );
    expect([...queryCsv(NOTHING)].join('')).toBe('name\r\n');
  });

  it('is JSON, with strings for numbers above 2^53', () => {
    expect(JSON.parse([...queryJson(RESULT)].join(''))).toEqual([
      { name: '=1+2', size: 8, kfunc: true },
      { name: 'a,b', size: null, kfunc: false },
      { name: 'plain', size: '1152921504606846976', kfunc: null },
      { name: null, size: 0, kfunc: true },
    ]);
    expect(JSON.parse([...queryJson(NOTHING)].join(''))).toEqual([]);
  });

  it('has columns of numbers with gaps', () => {
    expect(RESULT.columns.map(({ values }) => isNumeric(values))).toEqual([false, true, false]);
    expect([null, 0, '', false].map(cellText)).toEqual(['', '0', '', 'false']);
  });
});

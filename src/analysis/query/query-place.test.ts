import { expect, it } from 'vitest';
import { placeIn } from './query-place.ts';

const SQL = 'SELECT a\nFROM typs\nWHERE b';

it('is a line and a column from 1, with the line around it', () => {
  expect(placeIn(SQL, 14, 18)).toEqual({
    line: 2,
    column: 6,
    before: 'FROM ',
    wrong: 'typs',
    after: '',
  });
  expect(placeIn(SQL, 0, 6)).toMatchObject({ line: 1, column: 1, before: '', wrong: 'SELECT' });
});

it('ends with its line, and stays in the text', () => {
  expect(placeIn(SQL, 7, 20)).toMatchObject({ line: 1, wrong: 'a', after: '' });
  expect(placeIn(SQL, 99, 120)).toMatchObject({ line: 3, column: 8, wrong: '' });
  expect(placeIn('', 0, 0)).toMatchObject({ line: 1, column: 1, wrong: '' });
});

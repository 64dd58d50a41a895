import { expect, it } from 'vitest';
import { parseSettings } from './settings.ts';

const FIRST = { bytesPerRow: 'fit', numbers: 'hex' };

it.each([null, '', 'null', '[]', '{"bytesPerRow":16,"numbers":"octal"}'])(
  'begins with the first choices for %j',
  (text) => {
    expect(parseSettings(text)).toEqual(FIRST);
  },
);

it('reads what was kept', () => {
  const kept = { bytesPerRow: '32', numbers: 'decimal' };
  expect(parseSettings(JSON.stringify(kept))).toEqual(kept);
});

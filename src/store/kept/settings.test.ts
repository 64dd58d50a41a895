import { expect, it } from 'vitest';
import { keptSettings } from './settings.ts';

const FIRST = { bytesPerRow: 'fit', numbers: 'hex' };

it.each([null, '', 'null', '[]', '{"bytesPerRow":16,"numbers":"octal"}'])(
  'begins with the first choices for %j',
  (text) => {
    expect(keptSettings.parse(text)).toEqual(FIRST);
  },
);

it('reads what was kept', () => {
  const kept = { bytesPerRow: '32', numbers: 'decimal' };
  expect(keptSettings.parse(JSON.stringify(kept))).toEqual(kept);
});

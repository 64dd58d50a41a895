import { expect, it } from 'vitest';
import { hashOfSearch } from './start-lesson.ts';

it.each([
  ['?lesson=btf-header', '', '#/?lesson=btf-header'],
  ['?lesson=btf-header&at=the-magic&utm=1', '#/', '#/?lesson=btf-header&at=the-magic'],
  ['?lesson=a%2Fb.md&file=sample:kinds.btf', '', '#/?lesson=a%2Fb.md&file=sample:kinds.btf'],
  ['?lesson=a', '#/bytes?bytes=@0x0-0x2', '#/bytes?lesson=a&bytes=@0x0-0x2'],
  ['?at=x', '', null],
  ['', '#/types', null],
  ['?lesson=a', '#/?lesson=b', null],
])('%s before %s', (search, hash, expected) => {
  expect(hashOfSearch(search, hash)).toBe(expected);
});

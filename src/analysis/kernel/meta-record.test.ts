import { expect, it } from 'vitest';
import { isIdentifier, isSectionName } from './meta-record.ts';

const bytes = (text: string) => Uint8Array.from(`${text}\0`, (c) => c.charCodeAt(0));

it.each<[string, string, boolean, boolean]>([
  ['a word', 'task_struct2', true, true],
  ['a dot in front', '.data.x', true, true],
  ['a digit in front', '2x', false, true],
  ['nothing', '', false, false],
  ['a space', 'a b', false, true],
  ['a slash', 'tp/x', false, true],
  ['a tab', 'a\tb', false, false],
  ['DEL', 'a\x7f', false, false],
  ['a letter of Latin-1', 'caf\xe9', true, true],
  ['the sign for times', 'a\xd7', false, true],
  ['the sign for divided by', 'a\xf7', false, true],
  ['a no-break space', 'a\xa0', false, true],
  ['a control character of Latin-1', 'a\x85', false, false],
  ['512 characters', 'x'.repeat(512), true, true],
  ['513 characters', 'x'.repeat(513), false, false],
])('%s', (_what, text, identifier, section) => {
  expect([isIdentifier(bytes(text), 0), isSectionName(bytes(text), 0)]).toEqual([
    identifier,
    section,
  ]);
});

it('looks from the offset given to the end of the bytes', () => {
  expect(isIdentifier(bytes('9 name'), 2)).toBe(true);
  expect(isIdentifier(Uint8Array.of(0x61, 0x62), 0)).toBe(true);
  expect(isIdentifier(bytes('a'), 5)).toBe(false);
});

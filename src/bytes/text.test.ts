/** Tests that bytes of names that are not UTF-8 are escaped, in linear time. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  bitPlace,
  bitRange,
  decodeName,
  decodeText,
  drawnName,
  hexPlace,
  visible,
  visibleLine,
  visibleLines,
} from './text.ts';

/** A byte that UTF-8 never contains. */
const BAD = 0xff;

function spelled(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) =>
    byte < 0x80 ? String.fromCharCode(byte) : `\\x${byte.toString(16)}`,
  ).join('');
}

it('decodes valid UTF-8', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 100 }), (text) => {
      expect(decodeText(new TextEncoder().encode(text))).toBe(text);
    }),
  );
});

it('escapes every byte over 0x7f if the name is not UTF-8', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
      const bad = Uint8Array.of(...bytes, BAD);
      expect(decodeText(bad)).toBe(spelled(bad));
    }),
  );
});

it('keeps a byte order mark at the start: the name without it is a different name', () => {
  expect(decodeText(Uint8Array.of(0xef, 0xbb, 0xbf, 0x61))).toBe('\ufeffa');
});

it.each([
  ['\u001b[2J', '\\x1b[2J'],
  ['a\u202eb', 'a\\u{202e}b'],
  ['a\u034fb\ufe0fc\u{e0100}', 'a\\u{34f}b\\u{fe0f}c\\u{e0100}'],
  ['a\u2800\u00a0b c', 'a\\u{2800}\\xa0b c'],
  ['a\uffff\ufdd0\u{1fffe}', 'a\\u{ffff}\\u{fdd0}\\u{1fffe}'],
  ['größe 名前', 'größe 名前'],
])('makes invisible characters of %j visible', (name, shown) => {
  expect(visible(name)).toBe(shown);
});

it('ends a name at its NUL', () => {
  const bytes = Uint8Array.of(0x61, BAD, 0, 0x62);
  expect(decodeName(bytes, 0)).toBe('a\\xff');
  expect(decodeName(bytes, 3)).toBe('b');
  expect(decodeName(bytes, 4)).toBe('');
});

it('decodes a long text with one bad byte without a string for each character', () => {
  const bytes = new Uint8Array(8 << 20).fill(0x61);
  bytes[100] = BAD;
  const before = process.memoryUsage().heapUsed;
  const text = decodeText(bytes);
  expect(process.memoryUsage().heapUsed - before).toBeLessThan(64 << 20);
  expect(text).toHaveLength(bytes.length + 3);
  expect(text.slice(98, 106)).toBe('aa\\xffaa');
});

it('cuts a very long name', () => {
  expect(drawnName('\u202ea')).toBe('\\u{202e}a');
  expect(drawnName('a'.repeat(1000))).toBe('a'.repeat(1000));
  expect(drawnName('a'.repeat(1 << 20))).toBe(`${'a'.repeat(1000)}…`);
});

it('escapes misleading characters and keeps line ends and tabs', () => {
  expect(visibleLines('struct a {\n\tint \u202eb;\r\n}')).toBe(
    'struct a {\n\tint \\u{202e}b;\\x0d\n}',
  );
});

it('keeps the tabs of one line, which excludes the line end', () => {
  expect(visibleLine('\tint a;\n')).toBe('\tint a;\\x0a');
});

it('names a place in bits by its byte and the bit in that byte', () => {
  expect([bitPlace(64), bitPlace(67n)]).toEqual(['byte 8', 'byte 8, bit 3']);
  expect([hexPlace(128n), hexPlace(131)]).toEqual(['0x10', '0x10:3']);
  expect([bitRange(3, 1), bitRange(3, 5)]).toEqual(['bit 3', 'bits 3-7']);
});

/** Names as text: what is no UTF-8 is shown byte by byte, and soon. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { decodeName, decodeText } from './text.ts';

/** Invalid wherever it stands. */
const BAD = 0xff;

function spelled(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) =>
    byte < 0x80 ? String.fromCharCode(byte) : `\\x${byte.toString(16)}`,
  ).join('');
}

it('is UTF-8 where it can be', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 100 }), (text) => {
      fc.pre(!text.startsWith('\ufeff'));
      expect(decodeText(new TextEncoder().encode(text))).toBe(text);
    }),
  );
});

it('has every byte over 0x7f as its number where it is no UTF-8', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
      const bad = Uint8Array.of(...bytes, BAD);
      expect(decodeText(bad)).toBe(spelled(bad));
    }),
  );
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

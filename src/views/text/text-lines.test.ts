import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  lineOfOffset,
  lineRange,
  lineText,
  SHOWN_BYTES,
  shownLine,
  widestLine,
} from './text-lines.ts';
import type { WholeText } from './whole-text.ts';

function textOf(...lines: readonly (string | Uint8Array)[]): WholeText {
  const parts = lines.map((line) =>
    typeof line === 'string' ? new TextEncoder().encode(line) : line,
  );
  const lineStarts: number[] = [];
  const bytes: number[] = [];
  for (const part of parts) {
    lineStarts.push(bytes.length);
    bytes.push(...part);
  }
  return { bytes: Uint8Array.from(bytes), lineStarts: Uint32Array.from(lineStarts), isCut: false };
}

it('leaves out line ends, and keeps lines that have none', () => {
  const text = textOf('a\n', '\n', 'bc', 'd');
  expect([0, 1, 2, 3, 4].map((line) => lineText(text, line))).toEqual(['a', '', 'bc', 'd', '']);
  expect(lineRange(text, 2)).toEqual({ start: 3, end: 5 });
});

it('finds the line of an offset', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ maxLength: 3, unit: 'grapheme-ascii' })), (parts) => {
      const text = textOf(...parts.map((part) => `${part.replaceAll('\n', '')}\n`));
      for (let offset = 0; offset < text.bytes.length; offset++) {
        const line = lineOfOffset(text, offset);
        expect(text.lineStarts[line]).toBeLessThanOrEqual(offset);
        expect(text.lineStarts[line + 1] ?? text.bytes.length).toBeGreaterThan(offset);
      }
    }),
  );
});

it('cuts a long line, never within a character, and counts the rest', () => {
  const long = textOf(`${'é'.repeat(SHOWN_BYTES)}\n`);
  const odd = textOf(`x${'é'.repeat(SHOWN_BYTES)}\n`);
  expect(shownLine(long, 0)).toEqual({
    text: 'é'.repeat(SHOWN_BYTES / 2),
    bytesLeftOut: SHOWN_BYTES,
  });
  expect(shownLine(odd, 0).text).toBe(`x${'é'.repeat(SHOWN_BYTES / 2 - 1)}`);
  const noText = textOf(new Uint8Array(2 * SHOWN_BYTES).fill(0x80));
  expect(shownLine(noText, 0).bytesLeftOut).toBe(SHOWN_BYTES);
  expect(shownLine(noText, 0).text.startsWith('\\x80\\x80')).toBe(true);
});

it('measures the widest line as it is shown', () => {
  expect(widestLine(textOf('abc\n', '\t\tx\n'))).toBe(17);
  expect(widestLine(textOf(`${'a'.repeat(5 * SHOWN_BYTES)}\n`))).toBe(SHOWN_BYTES);
});

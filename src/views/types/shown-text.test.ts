import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { clipLines } from './shown-text.ts';

describe('clipLines', () => {
  it('leaves a short text alone', () => {
    expect(clipLines('a\nb', 3)).toEqual({ text: 'a\nb', linesLeftOut: 0 });
  });

  it('cuts between lines and counts the rest', () => {
    expect(clipLines('one\ntwo\nthree\nfour', 9)).toEqual({ text: 'one\ntwo', linesLeftOut: 2 });
  });

  it('cuts a line that is too long by itself, and counts its rest as one', () => {
    expect(clipLines('abcdef\nx', 4)).toEqual({ text: 'abcd', linesLeftOut: 2 });
  });

  it('never shows more than it may, nor loses a line without saying so', () => {
    fc.assert(
      fc.property(
        fc.array(fc.stringMatching(/^[a-z]{1,8}$/), { minLength: 1, maxLength: 12 }),
        fc.integer({ min: 8, max: 60 }),
        (lines, limit) => {
          const text = lines.join('\n');
          const clipped = clipLines(text, limit);
          expect(clipped.text.length).toBeLessThanOrEqual(limit);
          expect(clipped.text.split('\n').length + clipped.linesLeftOut).toBe(lines.length);
        },
      ),
    );
  });
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { block, isLessonText, newLesson, withObject, withPiece } from './compose.ts';
import { readLesson } from './read-lesson.ts';

const LESSON = newLesson('sample:kinds.btf', 'bytes?bytes=.BTF@0x0-0x2');

it('newLesson has no problems', () => {
  expect(readLesson(LESSON)).toMatchObject({
    problems: [],
    lesson: {
      object: 'sample:kinds.btf',
      steps: [{ title: 'The first step', show: 'bytes?bytes=.BTF@0x0-0x2' }],
    },
  });
});

it.each([
  [LESSON, true],
  ['\ufeff---\r\ntitle: x', true],
  ['--- \n', true],
  ['# A readme', false],
  ['\x7fELF', false],
  ['----\n', false],
])('recognises a lesson by its beginning: %j', (text, is) => {
  expect(isLessonText(text)).toBe(is);
});

describe('withObject', () => {
  it('replaces the object', () => {
    const changed = withObject(LESSON, 'link');
    expect(readLesson(changed).lesson?.object).toBe('link');
    expect(withObject(changed, 'sample:kinds.btf')).toBe(LESSON);
  });

  it('adds an object, and leaves a text without front matter as it is', () => {
    const bare = LESSON.replace(/object: .*\n/, '');
    expect(readLesson(withObject(bare, 'link')).lesson?.object).toBe('link');
    expect(withObject('## A step', 'link')).toBe('## A step');
    expect(withObject(LESSON, '$&')).toContain('object: $&\n');
  });
});

describe('withPiece', () => {
  const pin = block('callout', 'Two bytes.', 'bytes=.BTF@0x0-0x2');

  it('inserts after the line of the caret, and returns the offset after the piece', () => {
    const at = LESSON.indexOf('one thing');
    const { text, caret } = withPiece(LESSON, at, pin);
    expect(text.slice(0, caret)).toMatch(/show it\.\n\n```callout [^\n]*\nTwo bytes\.\n```$/);
    expect(readLesson(text)).toMatchObject({
      problems: [],
      lesson: { steps: [{ callouts: [{ at: 'bytes=.BTF@0x0-0x2' }] }] },
    });
  });

  it('breaks no fenced block and inserts into a step at any offset', () => {
    for (let offset = 0; offset <= LESSON.length; offset++) {
      const { text, caret } = withPiece(LESSON, offset, pin);
      const { lesson, problems } = readLesson(text);
      expect(problems).toEqual([]);
      expect(lesson?.steps[0]?.show).toBe('bytes?bytes=.BTF@0x0-0x2');
      expect(text.slice(0, caret).endsWith(pin)).toBe(true);
    }
  });

  it('keeps all words of any text', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('a', '`', '\n', '-', '#', ' ') }),
        fc.nat(40),
        (text, n) => {
          const { text: next } = withPiece(text, Math.min(n, text.length), 'XYZ');
          const squeeze = (some: string) => some.replaceAll(/\s/g, '');
          expect(squeeze(next.replace('XYZ', ''))).toBe(squeeze(text));
        },
      ),
    );
  });
});

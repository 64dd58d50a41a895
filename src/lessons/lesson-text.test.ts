import { describe, expect, it } from 'vitest';
import { inlinePieces, withoutMarks } from './lesson-text.ts';

const SIGNS = { text: '', code: 'code:', emphasis: 'em:' } as const;

describe('inlinePieces', () => {
  it.each([
    ['', []],
    ['no code', ['no code']],
    ['`vlen`: 2', ['code:vlen', ': 2']],
    ['a `b` c `d`', ['a ', 'code:b', ' c ', 'code:d']],
    ['one ` alone', ['one ` alone']],
    ['`` none', ['`` none']],
    ['`f`. *Load* says so', ['code:f', '. ', 'em:Load', ' says so']],
    ['see *Explain a log*.', ['see ', 'em:Explain a log', '.']],
    // The asterisk of a C pointer does not mark emphasis.
    ['__u32 *; it must be struct flow *.', ['__u32 *; it must be struct flow *.']],
    ['void * and char **argv', ['void * and char **argv']],
    ['int *a, *b', ['int *a, *b']],
    ['`void *` and `*p`', ['code:void *', ' and ', 'code:*p']],
  ])('%s', (text, expected) => {
    const pieces = inlinePieces(text);
    expect(pieces.map((piece) => SIGNS[piece.kind] + piece.text)).toEqual(expected);
    expect(new Set(pieces.map(({ start }) => start)).size).toBe(pieces.length);
  });
});

it('withoutMarks keeps the words', () => {
  expect(withoutMarks('`f`. *Load* says `void *`')).toBe('f. Load says void *');
});

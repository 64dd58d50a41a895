import { expect, it } from 'vitest';
import type { Token } from '#analysis/c/tokens.ts';
import { Cursor } from './cursor.ts';

/** Returns tokens of one character each, and the number of times that their text was read. */
function counted(text: string): { readonly tokens: readonly Token[]; reads(): number } {
  let reads = 0;
  const tokens = Array.from(
    text,
    (character, start): Token => ({
      kind: 'sign',
      get text() {
        reads++;
        return character;
      },
      start,
      end: start + 1,
      before: '',
    }),
  );
  return { tokens, reads: () => reads };
}

it.each(['()', '[]', '{}'])('skips each of many nested %s without searching it again', (pair) => {
  const depth = 500;
  const { tokens, reads } = counted((pair[0] ?? '').repeat(depth) + (pair[1] ?? '').repeat(depth));
  const cursor = new Cursor(tokens);
  for (let place = 0; place < depth; place++) {
    cursor.place = place + 1;
    expect(cursor.skipGroup()).toHaveLength(2 * (depth - place - 1));
    expect(cursor.place).toBe(2 * depth - place);
  }
  expect(reads()).toBeLessThan(20 * tokens.length);
});

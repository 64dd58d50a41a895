import { expect, it } from 'vitest';
import { PrefixFinder } from './line-prefix.ts';

it('finds prefixes in the form that was learned last, also after lines with equal prefixes', () => {
  const outer = 'app-1  | ';
  const inner = `${outer}Nov 29 00:27:01 host app[12]: `;
  const later = inner.replace('27:01', '28:59');
  const finder = new PrefixFinder();
  expect(finder.lengthOf(`${inner}func#0 @0`)).toBe(0);
  expect(finder.learn(`${inner}func#0 @0`)).toBe(inner.length);
  for (const prefix of [inner, inner, later, later, inner]) {
    expect(finder.lengthOf(`${prefix}0: R1=ctx() R10=fp0`)).toBe(prefix.length);
  }
  // Tools cut the blank at the end of an empty line.
  expect(finder.lengthOf(inner.trimEnd())).toBe(inner.length - 1);
  expect(finder.lengthOf(`${inner}; x`)).toBe(inner.length);
  expect(finder.learn(`${outer}func#0 @0`)).toBe(outer.length);
  for (const prefix of [inner, outer, inner]) {
    expect(finder.lengthOf(`${prefix}; x`)).toBe(outer.length);
  }
});

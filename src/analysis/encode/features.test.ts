import { expect, it } from 'vitest';
import { parseFeatures } from './features.ts';

it.each<[string, number, readonly string[]]>([
  ['default', 9, []],
  ['+layout', 10, []],
  ['default,layout,true_signature', 11, []],
  ['var,float', 2, []],
  ['var,floats,', 1, ['floats']],
])('reads the list of features %s as pahole does', (list, count, unknown) => {
  const parsed = parseFeatures(list);
  expect(parsed.features.size).toBe(count);
  expect(parsed.unknown).toEqual(unknown);
});

/** Tests that many references into one long chain of types take time linear in its length. */
import { expect, it } from 'vitest';
import { follow } from '#analysis/graph/graph-path.ts';
import { typeId } from '#model/ids.ts';
import { lastId } from '#model/type-table.ts';
import { blobOfWords, chainWords, recordWords, structWords } from '#testing/btf-words.ts';
import { tableOf } from '#testing/type-table.ts';
import { sizeOf } from './sizes.ts';
import { typeExpression } from './type-name.ts';

const TIMEOUT = 20_000;

const idsOf = (t: ReturnType<typeof tableOf>) =>
  Array.from({ length: lastId(t) }, (_, i) => typeId(1 + i));

it('computes the size of each typedef of a chain', { timeout: TIMEOUT }, () => {
  const t = tableOf(blobOfWords(chainWords(150_000, (type) => recordWords('typedef', type))));
  expect(idsOf(t).every((id) => sizeOf(t, id) === 4n)).toBe(true);
});

it('computes exact sizes of nested arrays up to 2^4096', { timeout: TIMEOUT }, () => {
  const link = (type: number) => recordWords('array', 0, [type, 1, 0x8000_0000]);
  const t = tableOf(blobOfWords(chainWords(20_000, link)));
  const sizes = idsOf(t).map((id) => sizeOf(t, id));
  expect(sizes[132]).toBe(4n << (31n * 132n));
  expect(sizes.slice(133).every((size) => size === null)).toBe(true);
});

it('follows each type of a chain of qualifiers to its end', { timeout: TIMEOUT }, () => {
  const words = chainWords(100_000, (type) => recordWords('const', type));
  const t = tableOf(blobOfWords([structWords([]), ...words.slice(1)]));
  expect(idsOf(t).every((id) => follow(t, id).to === 1)).toBe(true);
});

it('writes the type expression of each pointer of a chain', { timeout: TIMEOUT }, () => {
  const t = tableOf(blobOfWords(chainWords(100_000, (type) => recordWords('ptr', type))));
  const texts = idsOf(t).map((id) => typeExpression(t, id));
  expect(texts[100]).toBe(`s ${'*'.repeat(100)}`);
  expect(texts.at(-1)).toBe(`/* nested too deeply */ ${'*'.repeat(128)}`);
});

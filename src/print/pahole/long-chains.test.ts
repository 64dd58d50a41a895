import { expect, it } from 'vitest';
import { typeId } from '#model/ids.ts';
import { blobOfWords, chainWords, recordWords, structWords } from '#testing/btf-words.ts';
import { tableOf } from '#testing/type-table.ts';
import { paholeOf } from './pahole.ts';

it('writes the text of members that refer into one chain', { timeout: 20_000 }, () => {
  const count = 200_000;
  const chain = chainWords(count, (type) => recordWords('typedef', type));
  const types = Array.from({ length: 65_000 }, (_, i) => 1 + count - i);
  const t = tableOf(blobOfWords([...chain, structWords(types)]));
  expect(paholeOf(t, typeId(count + 2)).length).toBeGreaterThan(65_000);
});

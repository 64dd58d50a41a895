import { expect, it } from 'vitest';
import { blobOfWords, chainWords, recordWords, structWords } from '#testing/btf-words.ts';
import { tableOf } from '#testing/type-table.ts';
import { compareTables, STATES } from './compare-tables.ts';

it('compares structs whose members refer into one chain', { timeout: 20_000 }, () => {
  const count = 40_000;
  const chain = chainWords(count, (type) => recordWords('const', type));
  const types = Array.from({ length: count }, (_, i) => 2 + i);
  const [a, b] = [types, types.toReversed()].map((order) =>
    tableOf(blobOfWords([...chain, structWords(order)])),
  );
  if (a === undefined || b === undefined) throw new Error('no tables');
  const work = compareTables(a, b);
  let step = work.next();
  while (!step.done) step = work.next();
  expect([...step.value.state]).toEqual([STATES.indexOf('changed')]);
});

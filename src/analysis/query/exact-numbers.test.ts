/** Integers beyond 2^53 in queries: 2^53 and 2^53 + 1 are one double. */
import { expect, it } from 'vitest';
import { btfBlob } from '#testing/btf-blob.ts';
import { enum64 } from '#testing/btf-types.ts';
import { openModel } from '#testing/open-model.ts';
import { OPTIONS, objects } from '#testing/query-files.ts';
import { runQuery } from './run-query.ts';

const EVEN = 2n ** 53n;
const types = [
  enum64('big', [
    ['EVEN', EVEN],
    ['ODD', EVEN + 1n],
    ['TOP', 2n ** 64n - 1n],
  ]),
  enum64('negative', [['LOW', -EVEN - 1n]], { signed: true }),
];

it.each([
  [`value = ${EVEN + 1n}`, ['ODD']],
  [`value = ${EVEN}`, ['EVEN']],
  [`value <> ${EVEN + 1n} AND value > 0`, ['EVEN', 'TOP']],
  [`value > ${EVEN}`, ['ODD', 'TOP']],
  [`value >= ${2n ** 64n - 1n}`, ['TOP']],
  [`value BETWEEN ${EVEN + 1n} AND ${2n ** 64n - 2n}`, ['ODD']],
  [`value IN (${EVEN + 1n}, 7)`, ['ODD']],
  [`value = -${EVEN + 1n}`, ['LOW']],
  [`value < -${EVEN}`, ['LOW']],
  [`-value = ${EVEN + 1n}`, ['LOW']],
  [`value = (SELECT MAX(value) FROM enumerators WHERE value < ${EVEN + 1n})`, ['EVEN']],
  [`CASE WHEN value = ${EVEN + 1n} THEN 1 ELSE 0 END = 1`, ['ODD']],
])('%s', async (condition, names) => {
  const model = await openModel('a.btf', btfBlob({ types }).bytes);
  const sql = `SELECT name FROM enumerators e WHERE ${condition} ORDER BY value`;
  const result = await runQuery(sql, [{ name: 'a.btf', model }], OPTIONS);
  expect(objects(result).map(({ name }) => name)).toEqual(names);
});

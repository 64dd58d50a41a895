/** docs/statements.tsv: each statement of the documents has a place in the project, which has the sentence. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('../../', import.meta.url));
const TABLE = 'docs/statements.tsv';
/** The statements that the table has; changed with the table. */
const COUNT = 446;

const rows = readFileSync(join(root, TABLE), 'utf8')
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'))
  .map((line) => line.split('\t'));

const linesOf = new Map<string, readonly string[]>();

function hasSentence(place: string, sentence: string): boolean {
  const path = join(root, place);
  let lines = linesOf.get(place);
  if (lines === undefined) {
    lines = existsSync(path) ? readFileSync(path, 'utf8').split('\n') : [];
    linesOf.set(place, lines);
  }
  return lines.some((line) => line.includes(sentence));
}

describe(TABLE, () => {
  it('has five filled columns in each row', () => {
    expect(rows.filter((row) => row.length !== 5 || row.some((cell) => cell === ''))).toEqual([]);
    expect(rows).toHaveLength(COUNT);
  });

  it('has ascending numbers', () => {
    const numbers = rows.map(([number]) => Number(number));
    expect(numbers).toEqual([...new Set(numbers)].sort((a, b) => a - b));
  });

  it('names places of the project that have the sentence on one line', () => {
    const wrong = rows.filter(
      ([, , , place = '', sentence = '']) =>
        place === TABLE ||
        place.split('/').some((part) => part === 'testdata' || part === '..') ||
        sentence.length < 15 ||
        !hasSentence(place, sentence),
    );
    expect(wrong).toEqual([]);
  });
});

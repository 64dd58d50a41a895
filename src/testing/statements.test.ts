/**
 * Checks docs/statements.tsv: the file named in a row must contain the statement's sentence. Checks
 * docs/claims.tsv: the document in a row must contain the claim, and the file in the row must check
 * or set it.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('../../', import.meta.url));
const TABLE = 'docs/statements.tsv';
const CLAIMS = 'docs/claims.tsv';
/** Number of rows in docs/statements.tsv. */
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

it('names places that a user sees, not tests', () => {
  const tests = rows.filter(([, , , place = '']) => place.includes('.test.'));
  expect(tests.map(([number]) => Number(number))).toEqual([]);
});

describe(CLAIMS, () => {
  const claims = readFileSync(join(root, CLAIMS), 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => line.split('\t'));
  const flat = (text: string) => text.replace(/\s+/g, ' ');

  it('has five filled columns in each row, numbered from 1', () => {
    expect(claims.filter((row) => row.length !== 5 || row.includes(''))).toEqual([]);
    expect(claims.map(([number]) => Number(number))).toEqual(claims.map((_, i) => i + 1));
  });

  it.each([
    ['docs/robustness.md', 40],
    ['docs/privacy.md', 15],
    ['docs/supply-chain.md', 5],
    ['docs/performance.md', 10],
    ['docs/mcp.md', 5],
    ['docs/query.md', 3],
    ['src/README.md', 1],
    ['CONTRIBUTING.md', 0],
  ])(
    'has claims of %s as they stand there, each with a line of the file that checks it',
    (document, least) => {
      const text = flat(readFileSync(join(root, document), 'utf8'));
      const rowsOf = claims.filter(([, named]) => named === document);
      expect(rowsOf.length).toBeGreaterThan(least);
      const wrong = rowsOf.filter(
        ([, , claim = '', place = '', part = '']) =>
          !text.includes(flat(claim)) || part.length < 9 || !hasSentence(place, part),
      );
      expect(wrong).toEqual([]);
    },
  );

  it('matches docs/performance.md, which names only existing bench parts', () => {
    const text = readFileSync(join(root, 'docs/performance.md'), 'utf8');
    const named = [...text.matchAll(/^\|.*\| (?:`(\w+)`|none) \|$/gm)].map(([, part]) => part);
    const bench = readFileSync(join(root, 'scripts/bench/parts.mjs'), 'utf8');
    const parts = [...bench.matchAll(/^ {2}(\w+): \{/gm)].map(([, part]) => part);
    expect(named.length).toBeGreaterThan(25);
    expect(named.filter((part) => part !== undefined && !parts.includes(part))).toEqual([]);
  });

  it('matches docs/robustness.md, which names only existing files', () => {
    const text = readFileSync(join(root, 'docs/robustness.md'), 'utf8');
    const named = [...text.matchAll(/`([\w./-]+\.tsx?)`/g)].map(([, path = '']) => path);
    const sources = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' });
    const isThere = (path: string) =>
      existsSync(join(root, path)) || sources.some((one) => `/${one}`.endsWith(`/${path}`));
    expect(named.length).toBeGreaterThan(10);
    expect(named.filter((path) => !isThere(path))).toEqual([]);
  });
});

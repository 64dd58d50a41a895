/** Matches the messages of the large corpus' logs with the formats that its rows state. */
import { describe, expect, it } from 'vitest';
import { corpusRows, isLargeCorpus, readCorpusText } from '#testing/corpus.ts';
import { matchMessage } from './message.ts';

/** Formats of the same text that differ in the conversion or in how the kernel splits the line. */
const EQUAL = new Map([
  ['invalid%s stack R%d off=%lld size=%d\\n', 'invalid%s stack R%d off=%d size=%d\\n'],
  ['invalid read from stack off %d+%d size %d\\n', 'invalid read from stack off %d+0 size %d\\n'],
  ['%s the register %s has', 'At %s the register %s '],
  [
    'dereference of modified %s ptr R%d off=%lld disallowed\\n',
    'dereference of modified ctx ptr R%d off=%d disallowed\\n',
  ],
  [
    'write into map forbidden, value_size=%d off=%lld size=%d\\n',
    'write into map forbidden, value_size=%d off=%d size=%d\\n',
  ],
  [
    'invalid%s read from stack R%d off %d+%d size %d\\n',
    'invalid read from stack R%d off %d+%d size %d\\n',
  ],
]);

describe.runIf(isLargeCorpus)('messages of the corpus', () => {
  it('get the format that the corpus states', { timeout: 60_000 }, () => {
    const lines = new Map<string, string[]>();
    const linesOf = (log: string): string[] => {
      const known = lines.get(log) ?? readCorpusText(`verifier/${log}`).split('\n');
      lines.set(log, known);
      return known;
    };
    let count = 0;
    const wrong = new Set<string>();
    for (const row of corpusRows('verifier/states.jsonl.zst', '"format"')) {
      const line = linesOf(row.text('log'))[row.number('n') - 1] ?? '';
      const format = row.text('format');
      const found = matchMessage(line)?.format;
      count++;
      if (found !== format && found !== EQUAL.get(format)) wrong.add(`${line} | ${found}`);
    }
    expect([...wrong]).toEqual([]);
    expect(count).toBeGreaterThan(400);
  });

  it('have a rule on all kernels', () => {
    const unmatched = new Set<string>();
    let count = 0;
    for (const row of readCorpusText('verifier/other-kernels/errors.tsv').split('\n').slice(1)) {
      for (const cell of row.split('\t').slice(2, -1)) {
        for (const line of cell.replace(/ \[-\d+\]$/, '').split(' // ')) {
          if (/^(?:loaded|stopped before|\(|old state:|; |2: \(bf\)|$)/.test(line)) continue;
          count++;
          if (matchMessage(line) === null) unmatched.add(line);
        }
      }
    }
    expect([...unmatched]).toEqual([]);
    expect(count).toBeGreaterThan(800);
  });

  it('have a rule in the final lines that were reported', () => {
    const lines = readCorpusText('reports/logs/verifier-lines.txt').trimEnd().split('\n');
    // No kernel that was read prints this line in the verifier.
    const unmatched = lines.filter((line) => matchMessage(line) === null);
    expect(unmatched).toEqual(['Verifier callbacks are assumed non-NULL']);
    expect(lines.length).toBe(44);
  });
});

import { expect, it } from 'vitest';
import { logOfResults } from '#print/core-log.ts';
import { parseLog } from '#testing/all-at-once.ts';
import { resolvedSample } from '#testing/resolved-sample.ts';
import { writtenLines } from './LogWriter.tsx';

it('is the log line by line, and each relocation in it links to its record', async () => {
  const { results } = await resolvedSample('exec_trace.bpf.o', 'kernel.btf');
  const lines = writtenLines(1, results);
  const text = lines.map(({ parts }) => `${parts.map((part) => part.text).join('')}\n`).join('');
  expect(text).toBe(logOfResults(results));
  const read = parseLog(text).lines;
  expect(read.every((line) => line.event !== null)).toBe(true);
  const leads = lines.flatMap(({ row, parts }) =>
    parts.flatMap(({ goal }) => (goal === null ? [] : [[row, goal.selection]])),
  );
  expect(leads.length).toBe(read.filter((line) => line.reloIndex !== null).length);
  for (const [row, selection] of leads) {
    expect(selection).toEqual({ kind: 'core', core: row, step: null });
  }
});

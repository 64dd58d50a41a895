/** Merges modules of random kernels and compares the result with libbpf's. */
import { expect, it } from 'vitest';
import { corpusRows, isLargeCorpus } from '#testing/corpus.ts';
import { rawLines } from '#testing/raw-lines.ts';
import { tableOf } from '#testing/type-table.ts';
import { mergeSplit } from './dedup.ts';

// Only the small corpus in testdata/ contains merged modules.
it.skipIf(isLargeCorpus)('the merged types of modules are those of libbpf’s btf__dedup', () => {
  let cases = 0;
  let leftOut = 0;
  for (const row of corpusRows('merges.jsonl.zst')) {
    const id = row.text('id');
    const types = tableOf(Buffer.from(row.text('base'), 'base64'));
    const files = row
      .texts('files')
      .map((file, i) => ({ name: `${i}`, types: tableOf(Buffer.from(file, 'base64'), types) }));
    const merged = mergeSplit({ name: id, types }, files);
    expect(`${rawLines(merged).join('\n')}\n`, id).toBe(row.text('text'));
    leftOut += files.reduce((sum, file) => sum + file.types.count, -merged.count);
    cases += 1;
  }
  expect(cases).toBe(16);
  expect(leftOut).toBeGreaterThan(500);
});

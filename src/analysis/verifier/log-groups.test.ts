import { expect, it } from 'vitest';
import { finish } from '#bytes/long-work.ts';
import { ACCEPTED, logTable, REFUSED } from '#testing/verifier-logs.ts';
import { overviewOf } from './log-overview.ts';

const overview = (text: string) => finish(overviewOf(logTable(text)));
const BEFORE = "libbpf: prog 'f': BPF program load failed: -EACCES\n";
const AFTER = "libbpf: prog 'f': failed to load: -EACCES\nlibbpf: failed to load object 'a.o'\n";

it('joins libbpf’s lines with the log of the verifier that they are about', () => {
  const { overview: found, ofParts } = overview(`${BEFORE}${REFUSED}${AFTER}`);
  expect(found.parts).toMatchObject([{ kind: 'verifier', firstLine: 1, verdict: 'rejected' }]);
  const own = ofParts[0]?.map(({ lineNumber }) => lineNumber) ?? [];
  const count = found.lineCount;
  expect(own).toEqual(expect.arrayContaining([0, count - 2, count - 1]));
});

it('keeps lines of a loader as a log if they tell of another failure', () => {
  const map = "libbpf: map 'm': failed to create: -EPERM\n";
  const { overview: found } = overview(`${ACCEPTED}\n${map}`);
  expect(found.parts.map(({ kind }) => kind)).toEqual(['verifier', 'loader']);
  expect(found.parts[1]?.cause?.sentence).toContain('EPERM');
});

it('returns one log for lines of loaders, and for a text of none', () => {
  expect(
    overview("libbpf: loading a.o\nx\nlibbpf: map 'm': created\n").overview.parts,
  ).toHaveLength(1);
  expect(overview('').overview.parts).toMatchObject([{ kind: 'loader', lastLine: 0 }]);
});

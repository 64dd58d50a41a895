import { expect, it } from 'vitest';
import { finish } from '#bytes/long-work.ts';
import { ACCEPTED, logTable, REFUSED } from '#testing/verifier-logs.ts';
import { answerFor } from './answer.ts';
import { overviewOf } from './log-overview.ts';
import { partAt } from './log-places.ts';

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

const loadFailed = (program: string) =>
  `libbpf: prog '${program}': BPF program load failed: -EACCES\nlibbpf: prog '${program}': -- BEGIN PROG LOAD LOG --\n${REFUSED}-- END PROG LOAD LOG --\nlibbpf: prog '${program}': failed to load: -EACCES\n`;

it('gives a line between two logs to the log that its loader prints it for', () => {
  const text = `${loadFailed('f')}libbpf: failed to load object 'a.o'\n${loadFailed('g')}`;
  const { overview: found, ofParts } = overview(text);
  const table = logTable(text);
  const programs = (lines: readonly string[]) =>
    new Set(lines.map((line) => /prog '(\w)'/.exec(line)?.[1]).filter((name) => name));
  expect(found.parts).toHaveLength(2);
  for (const [i, program] of ['f', 'g'].entries()) {
    expect(programs((ofParts[i] ?? []).map(({ text: line }) => line))).toEqual(new Set([program]));
    const [part] = table.parts.filter((one) => one.firstLine === found.parts[i]?.firstLine);
    if (part === undefined) throw new Error('no part');
    const answer = answerFor(table, part, { object: null, program, kernel: null });
    expect(programs(answer.loader)).toEqual(new Set([program]));
  }
  const lines = text.split('\n');
  const failed = lines.findIndex((line) => line.includes("failed to load object 'a.o'"));
  expect([failed, failed + 1].map((line) => partAt(found, line))).toEqual([0, 1]);
});

it('joins libbpf’s lines on the load of BTF with the kernel’s log of its check', () => {
  const text = `libbpf: Error loading BTF: Invalid argument(22)
libbpf: -- BEGIN BTF LOAD LOG ---
magic: 0xeb9f
version: 1
flags: 0x0
hdr_len: 24
[3] STRUCT foo size=8 vlen=1 Invalid member
-- END BTF LOAD LOG --
libbpf: Error loading .BTF into kernel: -22.
`;
  expect(overview(text).overview.parts.map(({ kind }) => kind)).toEqual(['btf']);
});

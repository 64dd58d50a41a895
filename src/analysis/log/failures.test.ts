import { describe, expect, it } from 'vitest';
import { parseLog } from '#testing/all-at-once.ts';
import { isFailure, isLogLine, rootCause, tellingLine } from './failures.ts';

const SPEC = "libbpf: prog 'p': relo #4: <byte_off> [4] struct inode.i_atime (0:15 @ offset 88)";
const NO_MATCH = "libbpf: prog 'p': relo #4: no matching targets found";
const POISON = "libbpf: prog 'p': relo #4: substituting insn #12 w/ invalid insn";
const UNRESOLVED =
  'failed to resolve CO-RE relocation <byte_off> [4] struct inode.i_atime (0:15 @ offset 88)';
const lines = (...texts: readonly string[]) => parseLog(texts.join('\n')).lines;

describe('failures', () => {
  const failing = (...texts: readonly string[]) =>
    lines(...texts).flatMap((line) => (isFailure(line) ? [line.lineNumber] : []));

  it('are lines of relocations without a match', () => {
    expect(failing('hello', SPEC, NO_MATCH, POISON)).toEqual([2, 3]);
  });

  it('exclude candidates without a match, and marks of the log', () => {
    const miss =
      "libbpf: prog 'p': relo #4: non-matching candidate #0 <byte_off> [9] struct inode (0 @ offset 0)";
    const mark = "libbpf: prog 'p': -- BEGIN PROG LOAD LOG --";
    expect(failing(miss, mark)).toEqual([]);
  });

  it('make a text a log', () => {
    expect([NO_MATCH, SPEC, 'hello', ''].map(isLogLine)).toEqual([true, false, false, false]);
  });
});

describe('the line to look at first', () => {
  it.each([
    ['the one that names the field', lines(SPEC, NO_MATCH, POISON, UNRESOLVED), 3],
    ['the spec of the relocation that fails', lines('x', SPEC, NO_MATCH, POISON), 1],
    ['the failure itself where its spec is not there', lines('x', NO_MATCH), 1],
    [
      'the failure where the spec above is of another',
      lines(SPEC.replace('#4', '#3'), NO_MATCH),
      1,
    ],
    [
      'the first spec where nothing fails',
      lines("libbpf: prog 'p': -- BEGIN PROG LOAD LOG --", SPEC),
      1,
    ],
    ['nothing where nothing is known', lines('hello', 'world'), null],
    ['nothing of nothing', lines(), null],
  ])('is %s', (_, list, expected) => {
    expect(tellingLine(list)?.lineNumber ?? null).toBe(expected);
  });
});

describe('the root cause', () => {
  it('is no line that only follows from another', () => {
    const cause = rootCause(
      lines(
        'libbpf: loading object from a.bpf.o',
        "libbpf: prog 'p': BPF program load failed: -EACCES",
        "libbpf: map 'm': failed to create: -EPERM",
        "libbpf: failed to load object 'a'",
      ),
    );
    expect(cause?.lineNumber).toBe(2);
    expect(cause?.sentence).toContain('did not create map m');
  });

  it('is not told where only the consequence is known, or nothing fails', () => {
    expect(rootCause(lines("libbpf: failed to load object 'a'"))).toBeNull();
    expect(rootCause(lines('libbpf: loading object from a.bpf.o', SPEC))).toBeNull();
  });

  it('is of a relocation what it asks for', () => {
    expect(rootCause(lines('x', SPEC, NO_MATCH))?.sentence).toMatch(
      /i_atime in struct inode.+This kernel does not have it so\.$/,
    );
  });
});

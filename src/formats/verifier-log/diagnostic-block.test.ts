import { expect, it } from 'vitest';
import { readDiagnosticBlock } from './diagnostic-block.ts';

const BLOCK = `Verification failed: Resource Lifetime Safety: Unreleased resource

Reason:
  Owned resource (id=2) was acquired at instruction 3 and still needs to be released before
  this exit path.

At:
  insn 7
        | ^-- error: owned resource (id=2) still needs
        |     release
  Instruction context:
      6 | (b4) w0 = 0
  >>> 7 | (95) exit

Causal path:
  prog @ a.c:12:24
  Source context:
      10 | ...
      11 |         int a;
  >>> 12 |         p = get(1 | 2);
         |         ^-- acquired: owned resource (id=2)
      13 |         if (!p)
      14 | ...
  Instruction context:
      2 | (b7) r1 = 0
  >>> 3 | (85) call get#9

  a.c:13:7
  Source context:
  >>> 13 |         if (!p)
         |         ^-- branch: took the true branch of this conditional, goto followed
  Instruction context:
  >>> 4 | (55) if r0 != 0x0 goto pc+1

  3 older causal-history events not retained because diagnostic event storage reached capacity

Suggestion:
  Release it.
`;

it('reads sections, places and sentences of a block', () => {
  const block = readDiagnosticBlock(BLOCK.split('\n'), 20);
  expect(block).toMatchObject({
    category: 'Resource Lifetime Safety',
    problem: 'Unreleased resource',
    suggestion: 'Release it.',
    sections: ['Reason', 'At', 'Causal path', 'Suggestion'],
    activeLock: null,
    lines: [20, 20 + BLOCK.trimEnd().split('\n').length - 1],
  });
  expect(block.reason).toMatch(/^Owned .* before this exit path\.$/);
  expect(block.at).toMatchObject({
    function: null,
    insn: 7,
    label: 'error',
    message: 'owned resource (id=2) still needs release',
    source: [],
  });
  expect(block.causalPath.map(({ label, line, insn }) => [label, line, insn])).toEqual([
    ['acquired', 12, 3],
    ['branch', 13, 4],
  ]);
  expect(block.causalPath[0]).toMatchObject({ function: 'prog', file: 'a.c', column: 24 });
  expect(block.causalPath[0]?.source[2]).toEqual({
    number: 12,
    text: '        p = get(1 | 2);',
    isMarked: true,
  });
  expect(block.causalPath[1]?.function).toBeNull();
  expect(block.pathNotes).toEqual([expect.stringMatching(/^3 older/)]);
});

it('reads a block that the end of the log cuts', () => {
  for (let length = 0; length < BLOCK.length; length += 7) {
    const block = readDiagnosticBlock(BLOCK.slice(0, length).split('\n'), 0);
    expect(block.lines[1]).toBeLessThanOrEqual(BLOCK.split('\n').length);
  }
});

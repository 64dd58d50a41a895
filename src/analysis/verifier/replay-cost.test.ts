import { expect, it } from 'vitest';
import { logTable } from '#testing/verifier-logs.ts';
import { Replay } from './replay.ts';
import { replayColumns } from './replay-columns.ts';
import { type CostNode, costlyLines, costTree, loopCosts } from './replay-cost.ts';
import { replayLines } from './replay-source.ts';
import { walkOf } from './walk.ts';

it('counts walked instructions of loops and of lines', () => {
  const round = `; for (i = 0; i < n; i++) @ a.c:3
1: (07) r1 += 1                       ; R1_w=1
; use(i); @ a.c:4
2: (b7) r2 = 0                        ; R2_w=0
; for (i = 0; i < n; i++) @ a.c:3
3: (55) if r1 != 0x3 goto pc-3        ; R1_w=1
`;
  const table = logTable(`0: R1=ctx() R10=fp0
; int i = 0; @ a.c:2
0: (b7) r1 = 0                        ; R1_w=0
${round.repeat(3)}; return 0; @ a.c:5
4: (b7) r0 = 0                        ; R0_w=0
5: (95) exit
processed 12 insns (limit 1000000) max_states_per_insn 0 total_states 0 peak_states 0 mark_read 0
`);
  const [part] = table.parts;
  if (part === undefined) throw new Error('the text has a log');
  const replay = new Replay(replayColumns(walkOf(table, part)), null);
  expect(replay.stepCount).toBe(12);
  expect(loopCosts(replay)).toEqual([{ first: 1, last: 3, rounds: 3, steps: 9 }]);
  const lines = replayLines(replay, null);
  const costs = costlyLines(lines).map((line) => [
    lines.lines[line]?.line,
    lines.lines[line]?.count,
  ]);
  expect(costs).toEqual([
    [3, 6],
    [4, 3],
    [5, 2],
    [2, 1],
  ]);
});

it('counts walked instructions by function, line and instruction', () => {
  const table = logTable(`0: R1=ctx() R10=fp0
; return twice(7); @ a.c:2
0: (b7) r1 = 7                        ; R1=7
1: (85) call pc+1
caller:
 R10=fp0
callee:
 frame1: R1=7 R10=fp0
3: frame1: R1=7 R10=fp0
; static int twice(int x) @ a.c:8
3: (bf) r0 = r1                       ; frame1: R0=7 R1=7
; return 2 * x; @ a.c:9
4: (67) r0 <<= 1                      ; frame1: R0=14
5: (95) exit
returning from callee:
 frame1: R0=14 R10=fp0
to caller at 2:
 R0=14 R10=fp0
2: R0=14 R10=fp0
; return twice(7); @ a.c:2
2: (95) exit
processed 6 insns (limit 1000000) max_states_per_insn 0 total_states 0 peak_states 0 mark_read 0
`);
  const [part] = table.parts;
  if (part === undefined) throw new Error('the text has a log');
  const replay = new Replay(replayColumns(walkOf(table, part)), null);
  const lines = replayLines(replay, null);
  const textOf = ({ kind, insn, line, steps, children }: CostNode): string => {
    const inner = children.map(textOf).join(' ');
    const place = kind === 'insn' ? insn : `${kind} ${lines.lines[line]?.line}`;
    return `${place}:${steps}${inner === '' ? '' : `(${inner})`}`;
  };
  expect(costTree(replay, lines).map(textOf)).toEqual([
    'function 2:3(line 2:3(0:1 1:1 2:1))',
    'function 8:3(line 9:2(4:1 5:1) line 8:1(3:1))',
  ]);
});

it('a log whose head is cut off begins in the middle of a function', () => {
  const round = `1: (07) r1 += 1                       ; R1_w=1
2: (05) goto pc-2
`;
  const table =
    logTable(`${round.split('\n').slice(1).join('\n')}${round.repeat(2)}BPF program is too large. Processed 1000001 insn
processed 1000001 insns (limit 1000000) max_states_per_insn 0 total_states 0 peak_states 0 mark_read 0
`);
  const [part] = table.parts;
  if (part === undefined) throw new Error('the text has a log');
  const replay = new Replay(replayColumns(walkOf(table, part)), null);
  expect(costTree(replay, replayLines(replay, null))).toMatchObject([
    { kind: 'function', insn: 0, steps: 5 },
  ]);
});

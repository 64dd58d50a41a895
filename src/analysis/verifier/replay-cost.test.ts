import { expect, it } from 'vitest';
import { logTable } from '#testing/verifier-logs.ts';
import { Replay } from './replay.ts';
import { replayColumns } from './replay-columns.ts';
import { costlyLines, loopCosts } from './replay-cost.ts';
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

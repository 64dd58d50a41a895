import { expect, it } from 'vitest';
import { logTable } from '#testing/verifier-logs.ts';
import { Replay } from './replay.ts';
import { replayColumns } from './replay-columns.ts';
import { replayLines } from './replay-source.ts';
import { lastWrite, stepFacts } from './step-facts.ts';
import { StepStates } from './step-states.ts';
import { toldAnswer } from './told-answer.ts';
import { walkOf } from './walk.ts';

/** A lookup, a call of a subprogram, and a branch of which the second side fails. */
const LOG = `0: R1=ctx() R10=fp0
; int p(void *ctx) @ a.c:3
0: (b7) r6 = 5                        ; R6_w=5
1: (85) call bpf_map_lookup_elem#1    ; R0=map_value_or_null(id=1,map=m,ks=4,vs=8)
; return sub(1); @ a.c:5
2: (b7) r1 = 1                        ; R1_w=1
3: (85) call pc+5
caller:
 R6=5 R10=fp0
callee:
 frame1: R1=1 R10=fp0
9: frame1: R1=1 R10=fp0
; return x; @ a.c:9
9: (bf) r0 = r1                       ; frame1: R0_w=1 R1=1
10: (95) exit
returning from callee:
 frame1: R0_w=1 R1=1 R10=fp0
to caller at 4:
 R0_w=1 R6=5 R10=fp0

from 10 to 4: R0=1 R6=5 R10=fp0
; if (y) @ a.c:6
4: (15) if r0 == 0x0 goto pc+2        ; R0=1
5: (b7) r0 = 0                        ; R0_w=0
6: (95) exit

from 4 to 7: R0=0 R6=5 R10=fp0
; *v = 1; @ a.c:7
7: (7a) *(u64 *)(r0 +0) = 1
R0 invalid mem access 'scalar'
processed 10 insns (limit 1000000) max_states_per_insn 0 total_states 0 peak_states 0 mark_read 0
`;

function opened(text: string) {
  const table = logTable(text);
  const [part] = table.parts;
  if (part === undefined) throw new Error('the text has no log');
  const walk = walkOf(table, part);
  const answer = toldAnswer(table, part, { object: null, program: null, kernel: null });
  return { walk, answer, replay: new Replay(replayColumns(walk), answer.step) };
}

const insnsOf = (replay: Replay, steps: Iterable<number>) =>
  Array.from(steps, (step) => replay.insnOf(step));

it('follows the path to the failing instruction, over a call and a branch', () => {
  const { replay } = opened(LOG);
  const path = replay.pathOf(replay.end);
  expect(insnsOf(replay, path)).toEqual([0, 1, 2, 3, 9, 10, 4, 7]);
  const branch = replay.branchFrom(replay.end, -1) ?? -1;
  expect(replay.insnOf(branch)).toBe(4);
  expect(replay.along(branch, 1)).toBe(replay.end);
  expect(replay.along(replay.end, 1)).toBeNull();
});

it('shows the other side of a branch, and the path that goes on there', () => {
  const { replay } = opened(LOG);
  const branch = replay.branchAt(replay.end) ?? -1;
  const other = replay.otherSide(branch, replay.end);
  if (other?.kind !== 'walked') throw new Error('the log has the other side');
  expect(replay.insnOf(other.step)).toBe(5);
  expect(replay.isOnFaultPath(other.step)).toBe(false);
  expect(insnsOf(replay, replay.pathOf(other.step))).toEqual([0, 1, 2, 3, 9, 10, 4, 5, 6]);
  expect(replay.otherSide(branch, other.step)).toEqual({ kind: 'walked', step: replay.end });
});

it('goes into a subprogram and out of it, and names its caller', () => {
  const { replay } = opened(LOG);
  const inside = replay.frameChange(0, 'in') ?? -1;
  expect(replay.insnOf(inside)).toBe(9);
  expect(insnsOf(replay, replay.callers(inside))).toEqual([3]);
  expect(replay.insnOf(replay.frameChange(inside, 'out') ?? -1)).toBe(4);
  expect(replay.frameChange(0, 'out')).toBeNull();
});

it('divides the walk into paths, as a tree', () => {
  const { replay } = opened(LOG);
  const rows = replay.segments.map(({ first, last, depth, prune }) => [
    replay.insnOf(first),
    replay.insnOf(last),
    depth,
    prune,
  ]);
  expect(rows).toEqual([
    [0, 6, 0, null],
    [7, 7, 1, null],
  ]);
});

it('shows the end of a path that was pruned, and a branch that was pruned at once', () => {
  const { replay } = opened(`0: R1=ctx() R10=fp0
0: (15) if r1 == 0x0 goto pc+1        ; R1=ctx()
1: (15) if r1 == 0x1 goto pc+1        ; R1=ctx()
2: (b7) r0 = 0                        ; R0_w=0
3: (95) exit
from 1 to 3: safe
from 0 to 2: R1=ctx() R10=fp0
2: safe
processed 4 insns (limit 1000000) max_states_per_insn 0 total_states 0 peak_states 0 mark_read 0
`);
  expect(replay.segments).toHaveLength(3);
  expect(replay.segments[1]).toMatchObject({ first: 0, last: -1, depth: 1, parent: 1 });
  expect(replay.otherSide(1, 2)).toMatchObject({ kind: 'pruned', prune: { insn: 3, earlier: 3 } });
  expect(replay.otherSide(0, 2)).toMatchObject({ kind: 'pruned', prune: { insn: 2, earlier: 2 } });
});

it('finds the step of a line and of an instruction', () => {
  const { replay } = opened(LOG);
  const { lines } = replay.columns;
  expect(replay.stepAtLine(lines[3] ?? 0)).toBe(3);
  expect(replay.stepAtLine((lines[3] ?? 0) + 1)).toBe(3);
  expect(replay.stepAtLine(0)).toBeNull();
  expect(replay.stepAtLine(1e6)).toBe(replay.stepCount - 1);
  expect(replay.stepOfInsn(7)).toBe(replay.end);
  expect(replay.stepOfInsn(8)).toBeNull();
});

it('lists the lines of C with their instructions, in the order of the file', () => {
  const { replay } = opened(LOG);
  const { lines, lineOfStep } = replayLines(replay, null);
  expect(lines.map(({ line, insns }) => [line, insns])).toEqual([
    [3, [0, 1]],
    [5, [2, 3]],
    [6, [4, 5, 6]],
    [7, [7]],
    [9, [9, 10]],
  ]);
  expect(lines[lineOfStep[replay.end] ?? -1]?.text).toBe('*v = 1;');
});

it('finds the last write of a register: in its frame, or of an argument in the caller', () => {
  const { walk, replay } = opened(LOG);
  const states = new StepStates(walk);
  const written = (step: number, name: string) => {
    const at = lastWrite(walk, states, step, name);
    return at === null ? null : walk.insnOf(at);
  };
  expect(written(replay.end, 'R6')).toBe(0);
  expect(written(4, 'R1')).toBe(2);
  expect(written(4, 'R6')).toBeNull();
  expect(written(0, 'R1')).toBeNull();
});

it('gives the states around a step, and the references that are held', () => {
  const { walk } = opened(`0: R1=ctx() R10=fp0
0: (85) call bpf_get_it#5000          ; R0_w=ptr_or_null_task_struct(id=2,ref_obj_id=2) refs=2
1: (bf) r6 = r0                       ; R0_w=ptr_or_null_task_struct(id=2,ref_obj_id=2) R6_w=ptr_or_null_task_struct(id=2,ref_obj_id=2) refs=2
2: (b7) r0 = 0                        ; R0_w=0 refs=2
3: (95) exit
Unreleased reference id=2 alloc_insn=0
`);
  const facts = stepFacts(walk, new StepStates(walk), 2);
  expect(facts.before.regs.get('R0')?.type).toBe('ptr_or_null_task_struct');
  expect(facts.after.regs.get('R0')?.const).toBe('0');
  expect(facts.held).toEqual([{ ref: 2, step: 0 }]);
});

it('tells the chain of an answer with lines of C and lines of the log', () => {
  const { answer } = opened(`0: R1=ctx() R10=fp0
; v = bpf_map_lookup_elem(&m, &k); @ a.c:4
0: (85) call bpf_map_lookup_elem#1    ; R0=map_value_or_null(id=1,map=m,ks=4,vs=8)
; return *v; @ a.c:6
1: (79) r0 = *(u64 *)(r0 +0)
R0 invalid mem access 'map_value_or_null'
processed 2 insns (limit 1000000) max_states_per_insn 0 total_states 0 peak_states 0 mark_read 0
`);
  expect(answer.step).toBe(1);
  expect(answer.value?.type).toBe('map_value_or_null');
  expect(answer.places.map(({ insn, logLine, source }) => [insn, logLine, source?.line])).toEqual([
    [0, 2, 4],
    [1, 4, 6],
  ]);
});
